"""Builds wheel and sdist, checks them, and tries the wheel in a fresh environment of each Python that is there.

    python tests/release.py [--bare] [PYTHON...]

Without names it looks for python3.11 to python3.14 and for those of pyenv. In each environment it runs the Python of
the README, ``zermelo --version`` and ``zermelo doctor``: without extras, with the extra web, and with all extras that
users need; with ``--bare`` without extras alone.
"""

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

ROOT: Final = Path(__file__).parents[1]
BIN: Final = "Scripts" if os.name == "nt" else "bin"
VERSIONS: Final = ("3.11", "3.12", "3.13", "3.14")
EXTRAS: Final = ("", "[web]", "[chess,cluster,plot,web]")
README: Final = """
import doctest, pathlib, sys, sysconfig, zermelo
assert pathlib.Path(zermelo.__file__).is_relative_to(sysconfig.get_path("purelib")), zermelo.__file__
failed, lines = doctest.testfile(sys.argv[1], module_relative=False)
assert lines >= 6, f"The README has {lines} lines of Python."
sys.exit(failed > 0)
"""
"""Runs the README's lines, which must come from the wheel and be there."""


def pythons() -> list[str]:
    """One Python of each version that is here."""
    found = dict[str, str]()
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    installed = [str(path) for path in sorted(pyenv.glob("3.*/bin/python"))]
    for name in [*installed, *(path for one in VERSIONS if (path := shutil.which(f"python{one}")))]:
        asked = [name, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
        version = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()
        if version in VERSIONS:
            found.setdefault(version, name)
    return [found[version] for version in sorted(found)]


def run(*words: str | Path, **environment: str) -> None:
    """Run a program, which must succeed; its output is shown only if it fails."""
    clean = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    done = subprocess.run(
        list(map(str, words)), cwd=ROOT, env=clean | environment, capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))} failed:\n{done.stdout}{done.stderr}")


def tried(python: str, wheel: Path, extra: str, folder: Path) -> None:
    """Install a wheel into a new environment, and run what the README shows."""
    run(python, "-m", "venv", folder)
    own = folder / BIN / "python"
    run(own, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", f"{wheel}{extra}")
    elsewhere = {"ZERMELO_CACHE_DIR": str(folder / "cache")}
    run(own, "-P", "-c", README, ROOT / "README.md", **elsewhere)
    run(folder / BIN / "zermelo", "--version", **elsewhere)
    run(folder / BIN / "zermelo", "doctor", **elsewhere)


def main(names: list[str], extras: Sequence[str]) -> None:
    """Build, check and try."""
    with TemporaryDirectory() as temporary:
        built = Path(temporary) / "dist"
        run(sys.executable, "-m", "build", "--no-isolation", "--outdir", built, ROOT)
        files = sorted(built.iterdir())
        run(sys.executable, "-m", "twine", "check", "--strict", *files)
        (wheel,) = built.glob("*.whl")
        run(Path(sys.executable).parent / "check-wheel-contents", wheel)
        print(f"{', '.join(file.name for file in files)}: checked.", flush=True)
        for number, python in enumerate(names or pythons()):
            for place, extra in enumerate(extras):
                tried(python, wheel, extra, Path(temporary) / f"environment{number}-{place}")
                print(f"{python}, zermelo{extra}: the README's Python runs.", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--bare", action="store_true")
    parser.add_argument("pythons", nargs="*")
    asked = parser.parse_args()
    main(asked.pythons, EXTRAS[:1] if asked.bare else EXTRAS)
