"""Functions that lowered code calls: about lists, pieces, rankings, and pieces that are alike."""
