"""An address as a QR code, which a phone reads."""

from importlib.util import find_spec
from ipaddress import ip_address
from typing import Final

from zermelo.ui.web.hosts import addresses

CAN_DRAW: Final = find_spec("segno") is not None
"""Whether QR codes can be drawn: the package segno may be missing."""


def public_address(host: str, port: int) -> str:
    """Return the address at which other machines find a server; empty if only this machine can reach it."""
    found = addresses(host, port)[-1]
    name = found.removeprefix("http://").rpartition(":")[0].strip("[]")
    try:
        is_own = ip_address(name).is_loopback
    except ValueError:
        is_own = name == "localhost"
    return "" if is_own else found


def draw_code(address: str) -> str:
    """Return an address as a QR code in SVG, dark on light in both colour schemes; empty if it cannot be drawn."""
    if not CAN_DRAW:
        return ""
    import segno

    drawn = segno.make(address, micro=False).svg_inline(border=4, dark="#000", light="#fff", omitsize=True)
    return str(drawn).replace("<svg", '<svg role="img" aria-label="QR code of the address"', 1)
