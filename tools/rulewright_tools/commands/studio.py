"""``rulewright studio``: games and their rules in a browser."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer
from platformdirs import user_data_path

import rulewright as rw
from rulewright_tools.console import CommandError, Exit, print_note, put
from rulewright_tools.error_boundary import guarded
from rulewright_tools.extras import require


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
    port: Annotated[int | None, typer.Option("--port", min=0, max=65535, help="Port; 0 takes any free one.")] = None,
    host: Annotated[
        str, typer.Option("--host", help="Address to bind to. Others than this computer reach it only if you say so.")
    ] = "127.0.0.1",
    origin: Annotated[
        list[str] | None,
        typer.Option("--origin", metavar="URL", help="Origin of a proxy through which pages are reached."),
    ] = None,
    games: Annotated[
        Path | None,
        typer.Option("--games", metavar="FILE", help="File in which games are kept; by default one of yours."),
    ] = None,
    export: Annotated[
        Path | None,
        typer.Option(
            "--export",
            metavar="DIR",
            help="Start no server; write a page into this folder that needs none.",
        ),
    ] = None,
    no_open: Annotated[bool, typer.Option("--no-open", help="Open no browser; only print the link.")] = False,
) -> Exit:
    """Open the studio in a browser: play a game with its board, and see why something is not possible.

    It prints one line, the link, and runs until Ctrl-C. The link has a secret in it: who has it may play.

    Examples:

      rulewright studio

      rulewright studio rulesets/my-game --port 0 --no-open

      rulewright studio rulesets/my-game --export site
    """
    paths = [path for word in rulesets or () for path in _meant(word)]
    if export is not None:
        require("drawsvg")
        from rulewright_tools.studio.export import export_site

        export_site(export, paths)
        return Exit.FINE
    for library in ("starlette", "uvicorn", "websockets", "drawsvg"):
        require(library)
    from rulewright_tools.studio.host import Catalogue
    from rulewright_tools.studio.server.game_file import GameFile
    from rulewright_tools.studio.server.serving import PORT, serve

    origins = [_origin(one) for one in origin or ()]
    catalogue = Catalogue.of(paths, home=Path.cwd())
    kept = GameFile(games if games is not None else user_data_path("rulewright") / "studio-games.sqlite3")
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


def _origin(text: str) -> str:
    scheme, _, rest = text.rstrip("/").partition("://")
    if scheme not in ("http", "https") or not rest or "/" in rest:
        raise CommandError(f"--origin {text}: write it as https://games.example.org")
    return f"{scheme}://{rest}"
