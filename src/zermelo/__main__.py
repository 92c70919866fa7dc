"""``python -m zermelo`` is the command ``zermelo``."""

import sys


def main() -> None:
    """Run the command line; Ctrl-C while it is still being imported also ends with a sentence."""
    try:
        from zermelo.ui import cli
    except KeyboardInterrupt:
        print("zermelo: Interrupted.", file=sys.stderr)
        sys.exit(130)
    cli.main()


if __name__ == "__main__":
    main()
