"""``python -m zermelo`` is the command ``zermelo``."""

import os
import sys


def main() -> None:
    """Run the command line; Ctrl-C while it is still being imported also ends with a sentence."""
    try:
        from zermelo.ui import cli
    except KeyboardInterrupt:
        print("zermelo: Interrupted.", file=sys.stderr)
        sys.exit(130)
    try:
        cli.main()
    except SystemExit as end:
        if _machine_code_runs():  # after Ctrl-C, for example
            os._exit(end.code if isinstance(end.code, int) else 1)
        raise


def _machine_code_runs() -> bool:
    """Whether a thread may be running a kernel, which needs memory and code that Python frees before it ends."""
    apart = sys.modules.get("zermelo.compiled.apart")  # absent where nothing was compiled
    return apart is not None and apart.machine_code_runs()


if __name__ == "__main__":
    main()
