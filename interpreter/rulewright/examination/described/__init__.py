"""Descriptions of what a change does that know no kind of mistake: whoever reads them sees what was not meant."""
