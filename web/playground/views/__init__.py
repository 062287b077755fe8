"""What a learner sees: one view per module, each a pure function of a `Frame`."""
