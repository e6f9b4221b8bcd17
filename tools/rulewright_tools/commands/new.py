"""``rulewright new``: a small ruleset, an edition of another one, or a file with a variant, to start from."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from collections.abc import Callable
from importlib.resources import as_file, files
from pathlib import Path
from typing import Annotated

import typer

import rulewright as rw
from rulewright_tools.console import CommandError, Exit, out, write_file
from rulewright_tools.error_boundary import guarded
from rulewright_tools.first_variant import first_change, is_file_name, variant_text
from rulewright_tools.vocabulary import named

_FILES = {"variant": ".rules", "experiment": ".toml"}
"""The words of single files, with their endings."""
_KINDS = (*_FILES, "edition")


@guarded
def new(
    names: Annotated[
        list[str],
        typer.Argument(metavar="[KIND] NAME", help="variant, edition or experiment; the name of a file."),
    ],
    of: Annotated[str | None, named("--of")] = None,
) -> Exit:
    """Write a small ruleset to start from. It checks, tests and plays; nothing that exists is overwritten.

    `new edition` writes a ruleset that builds upon another one, and holds only the differences; `new variant` one file
    with a variant, which all commands take in place of a ruleset; `new experiment` one for `rulewright experiment`.

    Examples:

      rulewright new my-game
      rulewright new variant quick --of tic-tac-toe
      rulewright new experiment sizes --of breakthrough
      rulewright new edition my-edition --of tic-tac-toe
    """
    what = names[0] if len(names) == 2 and names[0] in _KINDS else "ruleset"
    ending = _FILES.get(what, "")
    if (len(names) != 1 and what == "ruleset") or (len(names) == 1 and names[0] in _KINDS):
        raise CommandError(
            "give one name, or `variant`, `edition` or `experiment` and one: "
            "rulewright new variant quick --of tic-tac-toe"
        )
    if (what == "ruleset") != (of is None):
        example = "variant" if what == "ruleset" else what
        raise CommandError(f"{_article(example)} is begun with --of: rulewright new {example} quick --of tic-tac-toe")
    path = Path(names[-1])
    stem = path.stem if ending and path.suffix == ending else path.name
    if not is_file_name(stem):
        raise CommandError(
            f"{stem!r} cannot be the name of {_article(what)}: use lower-case letters, digits and hyphens"
        )
    if of is not None and ending:
        begin = _variant if what == "variant" else _experiment
        return begin(path.with_name(f"{stem}{ending}"), stem, rw.open_ruleset(of))
    words = words_for(stem)
    if of is None:
        _build(path, lambda folder: _fill(folder, words))
    else:
        base = rw.open_ruleset(of)
        _build(path, lambda folder: _extend(folder, words, base, _way_to(base, path)))
    console = out()
    console.print(f"{path} is ready. Now try:")
    for command in ("check", "test", "play") if of is None else ("check", "test", "compare"):
        console.print(f"  rulewright {command} {path}")
    if of is not None:
        console.print(f"  rulewright show {path}        what can be changed")
    return Exit.FINE


def _article(what: str) -> str:
    return f"an {what}" if what[0] in "aeiou" else f"a {what}"


def words_for(name: str) -> dict[str, str]:
    """The words that are written into the template."""
    title = name.replace("-", " ").capitalize()
    game = rw.names.game(name)
    prefix = "".join(word[0] for word in name.split("-")).upper()
    return {"NAME": name, "TITLE": title, "GAME": game, "ID": prefix if prefix[0].isalpha() else f"G{prefix}"}


def _build(folder: Path, fill: Callable[[Path], None]) -> None:
    """A new folder, written beside its place and then moved, so that there is never half a ruleset."""
    if folder.exists():
        raise CommandError(f"{folder} exists already; nothing was changed")
    folder.parent.mkdir(parents=True, exist_ok=True)
    building = Path(tempfile.mkdtemp(dir=folder.parent, prefix=f".{folder.name}."))
    try:
        fill(building)
        os.chmod(building, 0o755)
        building.rename(folder)
    except BaseException:
        shutil.rmtree(building, ignore_errors=True)
        raise


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


# ------------------------------------------------------------------------------------- what changes another one


def _way_to(base: rw.Ruleset, folder: Path) -> str:
    """The name of the extended ruleset in the manifest."""
    if base.folder in rw.shipped_rulesets():
        return base.folder.name
    way = os.path.relpath(base.folder.resolve(), folder.resolve())
    return Path(way).as_posix()


def _extend(folder: Path, words: dict[str, str], base: rw.Ruleset, way: str) -> None:
    change, scenario = first_change(base)
    manifest: dict[str, object] = {
        "name": words["NAME"],
        "title": words["TITLE"],
        "about": f"{base.title}, changed.",
        "extends": way,
        "rules": ["edition.rules"],
    }
    rules = f"""# The differences from {rw.names.quotable(base.title)}. What can be changed: rulewright show {way}
game {words["GAME"]}

{change}"""
    if scenario:
        manifest["scenarios"] = ["changes.rules"]
        write_file(
            folder / "changes.rules", rw.format_text(f'scenario "what is different"\n{scenario}', "changes.rules")
        )
    write_file(folder / "ruleset.json", json.dumps(manifest, indent=2, ensure_ascii=False) + "\n")
    write_file(folder / "edition.rules", rw.format_text(rules, "edition.rules"))


def _variant(path: Path, name: str, base: rw.Ruleset) -> Exit:
    if path.exists():
        raise CommandError(f"{path} exists already; nothing was changed")
    path.parent.mkdir(parents=True, exist_ok=True)
    write_file(path, variant_text(name, base))
    console = out()
    console.print(f"{path} is ready. Now try:")
    for command in ("check", "test", "play"):
        console.print(f"  rulewright {command} {path}")
    console.print(f"  rulewright show {base.name}        what can be changed")
    return Exit.FINE


def _experiment(path: Path, name: str, base: rw.Ruleset) -> Exit:
    if path.exists():
        raise CommandError(f"{path} exists already; nothing was changed")
    text = f"""# {name.replace("-", " ").capitalize()}: what differs from the first arm? docs/guide/experiments.md
games = 200
seed = 0
# measures = ["wins", "decisions"]     # only these; else all. "luck" or "points after turn" come on top

[[arms]]
name = "as it is"
rules = {json.dumps(_way_to(base, path.parent))}
# seats = ["mcts:50"]                  # one agent for all seats, or one for each
"""
    for parameter, value in rw.contents.parameters(base)[:1]:
        written = f"{int(value) - 1}..{value}" if value.lstrip("-").isdecimal() else json.dumps([value])
        sweep = json.dumps(written) if written[0] != "[" else written
        text += f"""
[[sweeps]]
parameters = {{ {parameter} = {sweep} }}   # 8..12, 8..20 by 4, or a list; of several all combinations
# samples = 20                         # only so many of them, as a Latin hypercube

# In place of a comparison, of one arm: which parameter moves what, or with which values something is so.
# [sensitivity]
# over = {{ {parameter} = {sweep} }}
# [aim]
# measure = "wins(seat 1)"
# value = 0.5
# over = {{ {parameter} = {sweep} }}
"""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_file(path, text)
    console = out()
    console.print(f"{path} is ready. Now try:")
    console.print(f"  rulewright experiment {path}")
    return Exit.FINE
