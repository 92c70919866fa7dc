"""By which names a server may be called, and what it prints."""

import socket

import pytest

from zermelo.ui.web.hosts import addresses, is_called_rightly, names_of

MACHINE = socket.gethostname().lower()


@pytest.mark.parametrize(
    ("said", "address"),
    [
        ("127.0.0.1:8080", "127.0.0.1"),
        ("LOCALHOST", None),
        ("[::1]:8080", "::1"),
        ("192.168.7.7:8080", "192.168.7.7"),
        ("192.168.7.7", "::ffff:192.168.7.7"),
        ("[fe80::7]:8080", "fe80::7%eth0"),
        (f"{MACHINE}:8080", "192.168.7.7"),
        (f"{MACHINE}.local", "192.168.7.7"),
        ("games.example", "192.168.7.7"),
    ],
)
def test_a_server_for_everybody_is_called_by_its_own_names(said: str, address: str | None) -> None:
    assert is_called_rightly(said, names_of("0.0.0.0", ["games.example"]), address)


@pytest.mark.parametrize(
    "said",
    ["evil.example", "192.168.7.8", "0.0.0.0", "", "[::1]evil.example", "[::1", "a b", "localhost.", "127.0.0.1:x"],
)
def test_and_by_no_others(said: str) -> None:
    assert not is_called_rightly(said, names_of("0.0.0.0"), "192.168.7.7")


def test_a_server_for_this_machine_alone_has_no_more_names_than_that() -> None:
    assert names_of("127.0.0.1") == {"127.0.0.1", "localhost", "[::1]"}


def test_what_is_printed_is_what_is_accepted() -> None:
    for host in ("127.0.0.1", "::1", "0.0.0.0", "::", "my-laptop.local"):
        found = addresses(host, 8080)
        assert found
        for one in found:
            said = one.removeprefix("http://").removesuffix("/")
            reached = said.rpartition(":")[0].strip("[]")
            assert is_called_rightly(said, names_of(host), reached)
