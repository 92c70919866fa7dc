"""``python -m zermelo`` is the command ``zermelo``."""

from zermelo.ui.cli import main

if __name__ == "__main__":
    main()
