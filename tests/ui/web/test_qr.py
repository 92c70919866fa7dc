"""The server's address as a QR code."""

import pytest

from zermelo.ui.web import controls
from zermelo.ui.web.qr import draw_code, public_address


@pytest.mark.parametrize(
    ("host", "public"),
    [
        ("127.0.0.1", ""),
        ("localhost", ""),
        ("::1", ""),
        ("192.0.2.7", "http://192.0.2.7:8080/"),
        ("board.example", "http://board.example:8080/"),
    ],
)
def test_only_what_others_can_reach_is_shown(host: str, public: str) -> None:
    assert public_address(host, 8080) == public


def test_the_code_is_a_picture_beside_the_address() -> None:
    form = controls.address_form("Join", "http://192.0.2.7:8080/?join=<x>", "<svg></svg>")
    assert "&lt;x&gt;" in form
    assert "<svg></svg>" in form


def test_the_code_is_drawn() -> None:
    pytest.importorskip("segno", reason="segno is not installed")
    assert draw_code("http://192.0.2.7:8080/?join=abc").count("<path") == 2  # the light ground, and the dark squares
