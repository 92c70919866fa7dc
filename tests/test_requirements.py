"""What ``make play`` and ``make test`` install is pinned, and each file of it has its hash."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ENTRY = re.compile(r"^([A-Za-z0-9._-]+)==(\S+)")


def pins(name: str) -> dict[str, tuple[str, list[str]]]:
    """The version and the hashes of each package that a file of requirements names."""
    text = re.sub(r"^#.*\n", "", (ROOT / "requirements" / f"{name}.txt").read_text(), flags=re.MULTILINE)
    found = dict[str, tuple[str, list[str]]]()
    for entry in re.split(r"\n(?=\S)", text.strip()):
        named = ENTRY.match(entry)
        assert named is not None, f"{entry.splitlines()[0]} is not pinned to one version"
        found[normal(named[1])] = named[2], re.findall(r"--hash=sha256:[0-9a-f]{64}\b", entry)
    return found


def normal(name: str) -> str:
    """A package's name as the index spells it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def asked(extras: list[str], groups: list[str]) -> set[str]:
    """The packages that ``pyproject.toml`` names."""
    data = tomllib.loads((ROOT / "pyproject.toml").read_text())
    project = data["project"]
    wanted = [*project["dependencies"], *data["build-system"]["requires"]]
    wanted += [one for extra in extras for one in project["optional-dependencies"][extra]]
    wanted += [one for group in ["build", *groups] for one in data["dependency-groups"][group]]
    return {normal(re.split(r"[^A-Za-z0-9._-]", one)[0]) for one in wanted}


@pytest.mark.parametrize(
    ("name", "extras", "groups"),
    [
        ("play", ["web"], []),
        ("test", ["web", "chess", "cluster", "test"], []),
        ("docs", ["web", "plot"], ["docs", "release"]),
        ("oldest", [], ["oldest"]),
    ],
)
def test_everything_is_pinned_with_hashes(name: str, extras: list[str], groups: list[str]):
    found = pins(name)
    assert asked(extras, groups) <= set(found), "make pins writes the files anew"
    assert [package for package, (_, hashes) in found.items() if not hashes] == []


def test_playing_and_testing_use_the_same_files():
    play, test, docs = pins("play"), pins("test"), pins("docs")
    assert {package: test.get(package) for package in play} == play
    assert {package: docs.get(package) for package in play} == play


def test_no_index_is_named():
    for file in (ROOT / "requirements").iterdir():
        assert "://" not in file.read_text()
