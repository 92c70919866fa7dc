"""The manifest of a table: what it is a table of, its files with their checksums, and a checksum of itself."""

from collections.abc import Mapping
from typing import Any, Final

from zermelo.errors import TableError
from zermelo.game import Game
from zermelo.solver.model.problem import knowledge_of
from zermelo.solver.table.sealed import checksum_of, parsed, sealed
from zermelo.solver.table.stores import Store, said, store_at

FORMAT: Final = "zermelo table 2"
_READ: Final = ("zermelo table 1", FORMAT)
"""Formats that are read; the first one has no checksums of row groups."""
MANIFEST: Final = "manifest.json"
_FIELDS: Final = frozenset({"identity", "fold", "columns", "positions", "stored", "tiers"})
"""What every manifest names, whatever else it does."""


def read_manifest(place: Any) -> dict[str, Any]:
    """The manifest of a table in a folder or at a URL, checked against its own checksum.

    Raises
    ------
    TableError
        There is none, or it is damaged, or of another format; or the place cannot be reached.
    """
    store = store_at(str(place))
    manifest = find_manifest(store)
    if manifest is None:
        unfinished = " Its solve was not finished; the same 'zermelo solve' goes on." if store.names("work") else ""
        raise TableError(f"{place} holds no solved table; it has no {MANIFEST}.{unfinished}")
    return manifest


def find_manifest(store: Store) -> dict[str, Any] | None:
    """The manifest in a store, None where there is none; errors as `read_manifest`."""
    path = f"{store.place}/{MANIFEST}"
    with said(store.place):
        try:
            content = store.read(MANIFEST)
        except FileNotFoundError:
            return None
    try:
        manifest, checksum = parsed(content)
    except ValueError:
        raise TableError(f"{path} is damaged; it must be the manifest that 'zermelo solve' wrote.") from None
    if manifest.get("format") not in _READ:
        known = " and ".join(map(repr, _READ))
        raise TableError(f"{path} is of the format {manifest.get('format')!r}; this version reads {known}.")
    if checksum_of(manifest) != checksum:
        raise TableError(f"{path} is damaged: its checksum does not match.")
    lacking = _FIELDS - manifest.keys()
    if lacking:
        raise TableError(f"{path} is damaged: it lacks {', '.join(sorted(lacking))}.")
    return manifest


def manifest_content(manifest: Mapping[str, Any]) -> bytes:
    """What stands in the file: plain values, and their checksum with them."""
    return sealed(manifest, indent=1)


def game_of(manifest: Mapping[str, Any], place: str) -> Game:
    """The registered game that a table is one of."""
    from zermelo.registry import factories

    name = manifest["identity"]["game"]
    if name not in factories():
        raise TableError(f"{place} is a table of {name!r}, which is no registered game; name its file with --game.")
    return factories()[name](**manifest["identity"]["parameters"])


def check_identity(identity: Mapping[str, Any], game: Game, place: str) -> None:
    """Refuse a table of other rules, with what differs.

    Raises
    ------
    TableError
        The game's name, parameters or rules are not those of the table.
    """
    if identity["game"] != game.name or identity["parameters"] != dict(game.parameters):
        theirs = ", ".join(f"{name}={value}" for name, value in identity["parameters"].items())
        raise TableError(f"{place} is a table of {identity['game']}({theirs}), and not of {game!r}.")
    if identity["rules"] != game.fingerprint:
        raise TableError(
            f"{place} was solved under other rules of {game.name} (fingerprint {identity['rules']}) "
            f"than the present ones ({game.fingerprint}); solve it again."
        )
    if identity["knowledge"] != knowledge_of(game):
        raise TableError(
            f"{place} was solved when {game.name} had another pack, unpack, symmetries, tier or repetition; "
            "its keys mean something else now, so solve it again."
        )
