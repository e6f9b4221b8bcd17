"""Access to the server: from which addresses pages may come, with which secret, and what they may load.

A page of another site may open a websocket to this computer as well; it is known by its origin. A name that another
site has made to mean this computer (DNS rebinding) is known by the header that names the host.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import ip_address

SUBPROTOCOL = "rulewright.1"
"""The websocket's protocol; the second one that a page names is its token."""

ANY = ("0.0.0.0", "::")
"""Stand for all addresses of the computer."""

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")

HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
"""Headers of every response: nothing but the server's own files is loaded, and nothing inline is run."""


@dataclass(frozen=True, slots=True)
class Access:
    """The addresses by which the server may be reached, and the secret of its owner's link."""

    hosts: frozenset[str]
    """As the header ``Host`` names them, in lower case."""
    origins: frozenset[str]
    token: str
    any_address_at: int | None = None
    """The port, if the server is bound to all addresses of the computer: then a request may name any of them, as long
    as it is a number. A name that another site has made to mean this computer is none."""

    @staticmethod
    def to(host: str, port: int, token: str, public: Sequence[str] = ()) -> Access:
        """Access to a server that is bound to an address; `public` are further origins, such as that of a proxy."""
        named = (*LOOPBACK, f"[{host}]" if ":" in host else host)
        local = {f"{name}:{port}" for name in named} | ({*named} if port == 80 else set())
        outside = {origin.partition("://")[2] for origin in public}
        origins = {f"http://{name}" for name in local} | {*public}
        return Access(
            frozenset(name.lower() for name in local | outside),
            frozenset(origin.lower() for origin in origins),
            token,
            port if host in ANY else None,
        )

    def knows_host(self, host: str | None) -> bool:
        """True if a request was meant for this server."""
        return host is not None and (host.lower() in self.hosts or self._is_address(host))

    def knows_origin(self, origin: str | None) -> bool:
        """True if a page is one of this server's."""
        if origin is None:
            return False
        return origin.lower() in self.origins or self._is_address(origin.removeprefix("http://"))

    def _is_address(self, host: str) -> bool:
        address, _, port = host.rpartition(":")
        if self.any_address_at is None or port != str(self.any_address_at):
            return False
        try:
            ip_address(address.strip("[]"))
        except ValueError:
            return False
        return True

    def knows_token(self, given: str) -> bool:
        """True if a page has the secret of the owner."""
        return secrets.compare_digest(given.encode(), self.token.encode())


def token_of(subprotocols: Sequence[str]) -> str:
    """The secret that a page names as the second subprotocol of its websocket; empty if there is none."""
    return subprotocols[1] if len(subprotocols) == 2 and subprotocols[0] == SUBPROTOCOL else ""
