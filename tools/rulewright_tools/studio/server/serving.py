"""Serving: an address is taken, the link is printed, and the application runs until it is stopped."""

from __future__ import annotations

import errno
import socket
import threading
import webbrowser
from collections.abc import Callable, Sequence

import uvicorn

from rulewright_tools.console import CommandError
from rulewright_tools.studio.host import Catalogue
from rulewright_tools.studio.server import connections
from rulewright_tools.studio.server.access import ANY, Access
from rulewright_tools.studio.server.application import LARGEST, WAITING, application
from rulewright_tools.studio.server.game_file import GameFile
from rulewright_tools.studio.server.page_files import page_files

PORT = 8474


def serve(
    catalogue: Catalogue,
    games: GameFile,
    host: str,
    port: int,
    public: Sequence[str],
    print_link: Callable[[str], None],
    warn: Callable[[str], None],
    opens: bool,
) -> None:
    """Serve pages until Ctrl-C; `print_link` takes the link, `warn` messages of what is not as it should be."""
    files = page_files()
    if not files:
        raise CommandError("the page of the studio is not built: `make studio` builds it, with Node")
    with _listening(host, port) as listening:
        bound = listening.getsockname()[1]
        access = Access.to(host, bound, games.token, public)
        shown = "127.0.0.1" if host in ANY else f"[{host}]" if ":" in host else host
        begin = public[0] if public else f"http://{shown}:{bound}"
        link = f"{begin}/#token={access.token}"
        app = application(access, files, catalogue, games, warn)
        config = uvicorn.Config(
            app, log_level="error", access_log=False, server_header=False, http=connections.HttpConnection,
            ws=connections.PageSocket, backlog=connections.WAITING, ws_max_size=LARGEST, ws_max_queue=WAITING,
            ws_per_message_deflate=False, lifespan="on", timeout_graceful_shutdown=2,
        )  # fmt: skip
        print_link(link)
        if opens:
            threading.Thread(target=_open, args=(link, warn), daemon=True).start()
        uvicorn.Server(config).run(sockets=[listening])


def _listening(host: str, port: int) -> socket.socket:
    """A socket that listens at an address; CommandError if it cannot."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=connections.WAITING)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            message = f"port {port} is in use: is another studio running? --port 0 takes any that is free"
        elif isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
            message = f"--host {host}: this computer has no such address"
        elif error.errno == errno.EACCES:
            message = f"port {port} may not be used by you: take one above 1023"
        else:
            message = f"cannot listen at {host}, port {port}: {error.strerror or error}"
        raise CommandError(message) from None
    except OverflowError:
        raise CommandError(f"--port {port}: ports go up to 65535") from None


def _open(link: str, warn: Callable[[str], None]) -> None:
    if not webbrowser.open(link):
        warn("no browser could be opened: open the link yourself")
