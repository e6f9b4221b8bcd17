"""The block of cells: its layout, what is done in it, what players remember there, which pieces in it are alike."""
