"""``zermelo cache``: the machine code of games that is kept on disk."""

import typer

cache = typer.Typer(help="Machine code of games, kept on disk.", no_args_is_help=True, rich_markup_mode=None)


@cache.command()
def info() -> None:
    """Print where compiled code is kept, and how much."""
    from zermelo.compiled import cache_info

    found = cache_info()
    unfinished = f", {found.unfinished} unfinished" if found.unfinished else ""
    print(f"{found.path}: {found.entries} kernels of {found.games} games{unfinished}, {found.size / 1e6:.1f} MB")


@cache.command()
def clear() -> None:
    """Delete all compiled code; it is compiled again when needed."""
    from zermelo.compiled import clear_cache

    found = clear_cache()
    print(f"{found.path}: deleted {found.entries} kernels, {found.size / 1e6:.1f} MB")
