"""Tables of an experiment in files: a row for each game, one for each measure, in CSV or Parquet, with their fields."""

from rulewright_lab.experiments.tables.frames import Frame, GameRows, frame
from rulewright_lab.experiments.tables.table_folder import CSV, PARQUET, TableFolder

__all__ = ["CSV", "PARQUET", "Frame", "GameRows", "TableFolder", "frame"]
