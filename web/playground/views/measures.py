"""Measures of drawn things in pixels at zoom 1, from the design."""

NODE_W = 120
LEAF_H, PILL_H, PLATE_H, SLOT_H = 56, 52, 48, 44
GAP = 6  # between pill and plate, leaf and slot
BESIDE = 10  # the same when top down
TAB_H = 16
CHIP_H, CHIP_UP = 22, 52
EDGE_MIN, EDGE_MAX = 1.5, 8
GATE_R = 9
SUM_W, SUM_H = 40, 24
DOT_R = 7
READABLE = 0.75  # zoom from which all text is drawn
OVERVIEW = 0.5  # zoom from which names, signs and short values are
