"""Reports as self-contained HTML pages: the frame, its parts, pictures, and a page for each kind of report."""
