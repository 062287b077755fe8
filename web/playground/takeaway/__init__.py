"""What a learner takes home: pictures of the graph, the program with its numbers, the trace.

Everything here is text made from a trace, a state or a drawn scene; nothing imports Panel or Bokeh.
"""
