"""``rulewright new``: a small ruleset to start from."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from importlib.resources import as_file, files
from pathlib import Path
from typing import Annotated

import typer

import rulewright as rw
from rulewright_tools.console import CommandError, Exit, out, write_file
from rulewright_tools.error_boundary import guarded

NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


@guarded
def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A folder: lower-case letters, digits, hyphens.")],
) -> Exit:
    """Write a small ruleset to start from. It checks, tests and plays; nothing that exists is overwritten.

    Examples:

      rulewright new my-game

      rulewright new rulesets/river-race
    """
    folder = Path(name)
    if not NAME.fullmatch(folder.name) or len(folder.name) > 60:
        raise CommandError(
            f"{folder.name!r} cannot be the name of a ruleset: use lower-case letters, digits and hyphens"
        )
    if folder.exists():
        raise CommandError(f"{folder} exists already; nothing was changed")
    folder.parent.mkdir(parents=True, exist_ok=True)
    # Written beside its place and then moved, so that there is never half a ruleset.
    building = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}."))
    try:
        _fill(building, words_for(folder.name))
        os.chmod(building, 0o755)
        building.rename(folder)
    except BaseException:
        shutil.rmtree(building, ignore_errors=True)
        raise
    console = out()
    console.print(f"{folder} is ready. Now try:")
    for command in ("check", "test", "play"):
        console.print(f"  rulewright {command} {folder}")
    return Exit.FINE


def words_for(name: str) -> dict[str, str]:
    """The words that are written into the template."""
    title = name.replace("-", " ").capitalize()
    game = name.replace("-", "_")
    if not game[0].isalpha():
        game = f"game_{game}"
    prefix = "".join(word[0] for word in name.split("-")).upper()
    return {"NAME": name, "TITLE": title, "GAME": game, "ID": prefix if prefix[0].isalpha() else f"G{prefix}"}


def _fill(folder: Path, words: dict[str, str]) -> None:
    with as_file(files("rulewright_tools") / "template") as template:
        for source in sorted(template.rglob("*")):
            if not source.is_file():
                continue
            text = source.read_text(encoding="utf-8")
            for word, value in words.items():
                text = text.replace("{{" + word + "}}", value)
            if source.suffix == ".rules":
                # How far citations stand to the right depends on what was filled in.
                text = rw.format_text(text, source.name)
            target = folder / source.relative_to(template)
            target.parent.mkdir(exist_ok=True)
            write_file(target, text)
