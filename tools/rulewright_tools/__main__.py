"""``python -m rulewright_tools``: the command without an installed script."""

from rulewright_tools.cli import run

if __name__ == "__main__":
    run()
