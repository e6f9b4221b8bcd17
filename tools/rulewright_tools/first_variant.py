"""A file with a variant to start from: one small change of a ruleset, and a scenario that shows it."""

from __future__ import annotations

import re

import rulewright as rw

_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_LONGEST = 60


def is_file_name(stem: str) -> bool:
    """True if a file or folder may be called so: lower-case letters, digits and hyphens."""
    return _NAME.fullmatch(stem) is not None and len(stem) <= _LONGEST


def blank_variant_text(name: str, base: rw.Ruleset) -> str:
    """The text of a file of that name with a variant that changes nothing yet, and how to go on from there."""
    title, change = name.replace("-", " ").capitalize(), first_change(base)[0].splitlines()[0]
    text = f"""# What is different here from {rw.names.quotable(base.title)}, and why? Say it in your own words.
# Changes stand below the next line, four spaces in, such as `{change}`.
# As long as there are none, it is played as it always was.
variant "{title}" of {rw.names.game(base.name)}
"""
    return rw.format_text(text, f"{name}.rules")


def variant_text(name: str, base: rw.Ruleset) -> str:
    """The text of a file whose name without its ending is given."""
    title = name.replace("-", " ").capitalize()
    change, scenario = first_change(base)
    inner = "".join(f"    {line}\n" for line in change.splitlines())
    text = f"""variant "{title}" of {rw.names.game(base.name)}
    # What can be changed: rulewright show {base.name}
{inner}"""
    if scenario:
        text += f'\nscenario "what is different"\n    variant "{title}"\n{scenario}'
    return rw.format_text(text, f"{name}.rules")


def first_change(base: rw.Ruleset) -> tuple[str, str]:
    """A change to begin with, and the lines of a scenario that shows it: another value of the first parameter."""
    found = rw.contents.parameters(base)
    if not found:
        return f'before play\n    tells "This is not {rw.names.quotable(base.title)} as it was."\n', ""
    name, value = found[0]
    players = rw.contents.player_names(base)
    return f"set {name} = {value}\n", f"    players {', '.join(players)}\n    then {name} is {value}\n"
