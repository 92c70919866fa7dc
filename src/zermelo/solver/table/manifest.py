"""The manifest of a table: its game and starts, its tiers, its files with their checksums, and its own checksum.

Its field ``identity`` names the game and has fingerprints of the rules and of the starts, so that no table is used with
other rules. Its field ``fold`` says whether symmetric positions are stored as one.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from zermelo.errors import TableError
from zermelo.game import Game
from zermelo.solver.model.problem import knowledge_of
from zermelo.solver.table.sealed import checksum_of, parsed, sealed
from zermelo.solver.table.stores import Store, place_errors, store_at

FORMAT: Final = "zermelo table 2"
_READ: Final = ("zermelo table 1", FORMAT)
"""The formats that can be read; the first one has no checksums of row groups."""
MANIFEST: Final = "manifest.json"
_FIELDS: Final = frozenset({"identity", "fold", "columns", "positions", "stored", "tiers"})
"""The fields that every manifest has."""


def read_manifest(place: Path | str) -> dict[str, Any]:
    """Read the manifest of a table in a folder or at a URL, and check it against its own checksum.

    Raises
    ------
    TableError
        There is no manifest, it is damaged or of another format, or the place cannot be reached.
    """
    store = store_at(str(place))
    manifest = find_manifest(store)
    if manifest is None:
        unfinished = " Its solve did not finish; the same 'zermelo solve' continues it." if store.names("work") else ""
        raise TableError(f"{place} holds no solved table; it has no {MANIFEST}.{unfinished}")
    return manifest


def find_manifest(store: Store) -> dict[str, Any] | None:
    """Return the manifest in a store, None if there is none; raise the other errors of `read_manifest`."""
    path = f"{store.place}/{MANIFEST}"
    with place_errors(store.place):
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
    """Return the content of the file: JSON with its checksum."""
    return sealed(manifest, indent=1)


def game_of(manifest: Mapping[str, Any], place: str) -> Game:
    """Return the registered game that a table is of.

    Raises
    ------
    TableError
        No game of that name is registered.
    """
    from zermelo.registry import factories

    name = manifest["identity"]["game"]
    if name not in factories():
        raise TableError(f"{place} is a table of {name!r}, which is not a registered game; name its file with --game.")
    return factories()[name](**manifest["identity"]["parameters"])


def check_identity(identity: Mapping[str, Any], game: Game, place: str) -> None:
    """Refuse a table of another game, and say what differs.

    Raises
    ------
    TableError
        The game's name, parameters or rules are not those of the table.
    """
    if identity["game"] != game.name or identity["parameters"] != dict(game.parameters):
        theirs = ", ".join(f"{name}={value}" for name, value in identity["parameters"].items())
        raise TableError(f"{place} is a table of {identity['game']}({theirs}), not of {game!r}.")
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
