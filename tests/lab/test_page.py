"""A report is one file that needs nothing else."""

from html.parser import HTMLParser
from pathlib import Path

import pytest

from zermelo.errors import BadParameter
from zermelo.lab.page import page, paragraph, require_places, save, section, table


class Reader(HTMLParser):
    """Texts of a page, and addresses that it would load."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.loaded: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.loaded += [value or "" for name, value in attrs if name in ("src", "href")]

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_a_page_shows_its_texts_and_loads_nothing(tmp_path: Path) -> None:
    part = section("A < B", paragraph("1 & 2"), table(["player", "Elo"], [["<b>", "12"]]), how="By hand.")
    save(page("T & U", "Intro.", [part]), tmp_path / "page.html")
    reader = Reader()
    reader.feed((tmp_path / "page.html").read_text())
    assert {"A < B", "1 & 2", "<b>", "12", "By hand.", "T & U", "Intro."} <= set(reader.texts)
    assert reader.loaded == []


def test_a_folder_that_is_not_there_gives_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadParameter, match=r"cannot be written: No such file or directory\.$"):
        save("", tmp_path / "none" / "page.html")


def test_places_that_cannot_be_written_to_are_refused_before_the_work(tmp_path: Path) -> None:
    require_places(tmp_path / "page.html", None)
    with pytest.raises(BadParameter, match=r"cannot be written: there is no folder .*none\.$"):
        require_places(None, tmp_path / "none" / "page.html")
    with pytest.raises(BadParameter, match=r"cannot be written: it is a folder\.$"):
        require_places(tmp_path)
