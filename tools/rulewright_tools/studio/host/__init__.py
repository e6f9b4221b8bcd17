"""The host of the studio: answers the messages of one page, and knows nothing of how they travel.

It begins no threads or processes and waits for nothing, so that the same host runs behind a server and in a browser.

    host = Host(Catalogue.of([]))
    for message in host.handle({"jsonrpc": "2.0", "id": 1, "method": "hello", "params": {"protocol": 1}}):
        ...                                         # the response first, then what is shown
"""

from __future__ import annotations

from rulewright_tools.studio.host.catalogue import Catalogue
from rulewright_tools.studio.host.host import Host
from rulewright_tools.studio.host.messages import PROTOCOL, Message
from rulewright_tools.studio.host.play.games import Games
from rulewright_tools.studio.host.rights import Link, Role
from rulewright_tools.studio.host.stores import MemoryStore, Saved, Store

__all__ = [
    "PROTOCOL",
    "Catalogue",
    "Games",
    "Host",
    "Link",
    "MemoryStore",
    "Message",
    "Role",
    "Saved",
    "Store",
]
