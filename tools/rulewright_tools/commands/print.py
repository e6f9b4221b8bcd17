"""``rulewright print``: a prototype on paper, and for virtual tabletops."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import rulewright as rw
from rulewright_tools import arguments as arg
from rulewright_tools.console import CommandError, Exit, plural, print_note, write_file
from rulewright_tools.error_boundary import guarded
from rulewright_tools.extras import require
from rulewright_tools.outputs import FOLDER, by_ending
from rulewright_tools.printing.sheets import Paper
from rulewright_tools.progress import working
from rulewright_tools.vocabulary import named


class PrintFormat(StrEnum):
    """Formats of prototypes."""

    PDF = "pdf"
    PNG = "png"
    TABLETOP = "tabletop"


class PrintPart(StrEnum):
    """The parts of a prototype."""

    CONTENTS = "contents"
    COMPONENTS = "components"
    BOARDS = "boards"
    AID = "aid"
    RULES = "rules"


@guarded
def print_prototype(
    ruleset: arg.Ruleset,
    output: Annotated[list[Path], named("--output")],
    players: arg.Players = None,
    variant: arg.Variants = None,
    option: arg.Options = None,
    format: Annotated[PrintFormat, named("--format")] = PrintFormat.PDF,
    paper: Annotated[Paper, named("--paper")] = Paper.A4,
    select: arg.Select = None,
    no_backs: Annotated[bool, named("--no-backs")] = False,
    ink_saving: Annotated[bool, named("--ink-saving")] = False,
) -> Exit:
    """Print a prototype: cards, tiles, tokens, boards, tracks, a player aid and the rules, as PDF or as pictures.

    Without --players it is for the most players. Cards and tokens are printed at 100 % on both sides, turned over the
    long edge; boards over several sheets overlap by 10 mm. The layout is the part `print` of the drawing hints.

    --output takes FILE.pdf; for --format png (pages) and tabletop (grids of cards for virtual tabletops) a folder.
    --select keeps to parts of it: contents, components, boards, aid, rules.

    Examples:

      rulewright print my-game --output prototype.pdf
      rulewright print baron --players 3 --paper letter --output baron.pdf
      rulewright print carolus-magnus --format tabletop --output tabletop
    """
    require("typst")
    require("drawsvg")
    from rulewright_tools.printing.prototype import Prototype, Wishes  # both libraries are there

    (file,) = by_ending(output, ".pdf" if format is PrintFormat.PDF else FOLDER, folders=[FOLDER]).values()
    parts = tuple(one.value for one in PrintPart if one.value in (select or ()))
    for word in select or ():
        if word not in parts:
            raise CommandError(f"--select {word}: the parts are {', '.join(PrintPart)}")
    game = _game(ruleset, players, variant, option)
    prototype = Prototype(game, Wishes(paper, not no_backs, ink_saving, parts))
    with working("typesetting"):
        if format is PrintFormat.TABLETOP:
            from rulewright_tools.printing import tabletop

            if parts:
                raise CommandError("--select is for paper: a tabletop gets all components and boards")
            return _pictures(file, dict(tabletop.pictures(prototype)))
        from rulewright_tools.printing import typesetting

        data = prototype.data()
        if format is PrintFormat.PNG:
            pages = typesetting.pages(data, 150)
            return _pictures(file, {f"page-{number:03}.png": page for number, page in enumerate(pages, 1)})
        made = typesetting.pdf(data)
    write_file(file, made)
    print_note(f"wrote {file}: {_counted(prototype.contents)}")
    return Exit.FINE


def _game(ruleset: str, players: int | None, variants: list[str] | None, settings: list[str] | None) -> rw.Game:
    """The game for a number of players, or else for the most."""
    if players is None:
        opened, _ = rw.rulesets.with_variants(ruleset, variants or ())
        players = max(rw.playing.player_counts(opened), default=None)
    return arg.load(ruleset, players, variants, settings)


def _counted(contents: tuple[tuple[str, str], ...]) -> str:
    return plural(sum(int(count) for _, count in contents), "component")


def _pictures(folder: Path, files: dict[str, bytes]) -> Exit:
    """Write pictures into a folder, which is made if there is none."""
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise CommandError(f"cannot write {folder}: {error.strerror or error}") from error
    for name, data in files.items():
        write_file(folder / name, data)
    print_note(f"wrote {plural(len(files), 'file')} to {folder}")
    return Exit.FINE
