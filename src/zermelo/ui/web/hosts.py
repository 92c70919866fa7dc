"""The names by which requests may call a server, and the addresses at which people find it.

A page of another site cannot read from this server. But its owner can let the name of that site point here (DNS
rebinding), and the browser then takes the server for the site. So a request must call the server by a name that nobody
else can own: a name that was given to it on its command line, the machine's own, or the address that it came in at.
"""

import re
import socket
from collections.abc import Iterable
from ipaddress import IPv6Address, ip_address
from typing import Final

_LOOPBACK: Final = ("localhost", "127.0.0.1", "[::1]")
_EVERYWHERE: Final = ("0.0.0.0", "::")
_HOST: Final = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:[0-9]{1,5})?", re.IGNORECASE)
_ELSEWHERE: Final = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}
"""Addresses for documentation. Nothing is sent; the system only says which of its own addresses it would use."""


def names_of(host: str, more: Iterable[str] = ()) -> frozenset[str]:
    """Return the names of a server that listens at ``host``; ``more`` are names that its owner adds."""
    names = {*_LOOPBACK, *map(bracketed, more)}
    if host in _EVERYWHERE:
        machine = socket.gethostname()
        return frozenset(name.lower() for name in (*names, machine, f"{machine}.local"))
    return frozenset(name.lower() for name in (*names, bracketed(host)))


def is_called_rightly(said: str, names: Iterable[str], address: str | None) -> bool:
    """Whether a request's Host names this server; ``address`` is where the request came in."""
    found = _HOST.fullmatch(said)
    if found is None:
        return False
    name = found[1].lower()
    return name in names or (address is not None and name == bracketed(_plain(address)))


def addresses(host: str, port: int) -> list[str]:
    """Return the addresses of a server that listens at ``host``; if it listens everywhere, also for other machines."""
    if host not in _EVERYWHERE:
        return [f"http://{bracketed(host)}:{port}/"]
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    own = _own_address(family)
    names = ["[::1]" if ":" in host else "127.0.0.1"] + ([] if own is None else [bracketed(own)])
    return [f"http://{name}:{port}/" for name in names]


def bracketed(host: str) -> str:
    """Return a host as it stands in an address: IPv6 in brackets."""
    return f"[{host}]" if ":" in host and not host.startswith("[") else host


def _plain(address: str) -> str:
    """Return an address; one of IPv4 that came through an IPv6 socket is returned as IPv4."""
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    mapped = parsed.ipv4_mapped if isinstance(parsed, IPv6Address) else None
    return str(parsed if mapped is None else mapped)


def _own_address(family: socket.AddressFamily) -> str | None:
    """Return the address at which other machines reach this one; None if it has no network."""
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((_ELSEWHERE[family], 9))
            return str(probe.getsockname()[0])
    except OSError:
        return None
