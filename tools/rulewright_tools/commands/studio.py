"""``rulewright studio``: games and their rules in a browser."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from platformdirs import user_data_path

import rulewright as rw
from rulewright_tools import arguments as arg
from rulewright_tools.console import CommandError, Exit, print_note, put
from rulewright_tools.error_boundary import guarded
from rulewright_tools.extras import require
from rulewright_tools.outputs import FOLDER, by_ending
from rulewright_tools.vocabulary import named


@guarded
def studio(
    rulesets: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[RULESET…]",
            help="Rulesets, folders with rulesets in them, or files of variants, that are offered first.",
            show_default=False,
        ),
    ] = None,
    port: Annotated[int | None, named("--port", min=0, max=65535)] = None,
    host: Annotated[str, named("--host")] = "127.0.0.1",
    origin: Annotated[list[str] | None, named("--origin")] = None,
    export: Annotated[str | None, named("--export-at")] = None,
    keep: arg.Keep = None,
    output: arg.Output = None,
    no_open: Annotated[bool, named("--no-open")] = False,
) -> Exit:
    """Open the studio in a browser: play a game with its board, and see why something is not possible.

    It prints one line, the link, and runs until Ctrl-C. The link has a secret in it: who has it may play.

    Games are kept in a file of yours, or that of --keep. With --output FOLDER no server is started: a page is written
    there that needs none. *Copy link* of a variant leads to such a page: to itself there, here to that of --export-at.

    Examples:

      rulewright studio
      rulewright studio my-game --no-open
      rulewright studio my-game --port 0 --keep evening.sqlite3
      rulewright studio my-game --output site
    """
    paths = [path for word in rulesets or () for path in _meant(word)]
    folder = by_ending(output, FOLDER, folders=[FOLDER]).get(FOLDER)
    if folder is not None:
        require("drawsvg")
        from rulewright_tools.studio.export import export_site

        export_site(folder, paths)
        return Exit.FINE
    for library in ("starlette", "uvicorn", "websockets", "drawsvg"):
        require(library)
    from rulewright_tools.studio.host import Catalogue
    from rulewright_tools.studio.server.game_file import GameFile
    from rulewright_tools.studio.server.serving import PORT, serve

    origins = [_origin(one) for one in origin or ()]
    catalogue = Catalogue.of(paths, home=Path.cwd())
    catalogue.export = None if export is None else _address(export)
    kept = GameFile(keep if keep is not None else user_data_path("rulewright") / "studio-games.sqlite3")
    serve(catalogue, kept, host, PORT if port is None else port, origins, _print_link, print_note, not no_open)
    kept.close()
    return Exit.FINE


def _meant(word: str) -> list[Path]:
    """The folders of rulesets that are meant, or the file of variants."""
    if rw.rulesets.changed_ruleset(word) is not None:
        rw.open_ruleset(word)  # errors are reported here, and not in each page
        return [Path(word)]
    return rw.rulesets.find_rulesets(word)


def _print_link(link: str) -> None:
    put(f"{link}\n")
    sys.stdout.flush()  # a process that waits for the link reads it from a pipe


def _address(text: str) -> str:
    scheme, _, rest = text.partition("://")
    if scheme not in ("http", "https") or not rest or not rest.isprintable() or {*rest} & {*" #?"}:
        raise CommandError(f"--export-at {text}: write the address of the page, as https://games.example.org/mine/")
    return text


def _origin(text: str) -> str:
    scheme, _, rest = text.rstrip("/").partition("://")
    if scheme not in ("http", "https") or not rest or "/" in rest:
        raise CommandError(f"--origin {text}: write it as https://games.example.org")
    return f"{scheme}://{rest}"
