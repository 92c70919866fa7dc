"""``zermelo doctor``: whether the installation works, and what to do where it does not."""

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict

import zermelo
from zermelo.ui.arguments import EXIT_ERROR, JsonOption
from zermelo.ui.installation import Finding, examine

MARKS = {"ok": "ok", "absent": "-", "broken": "BROKEN"}


def doctor(as_json: JsonOption = False) -> None:
    """Look at Python, Numba, the cache of machine code, and the extras; exit status 1 if something must be repaired."""
    found = []
    for finding in examine():
        found.append(finding)
        if not as_json:
            for line in lines_of(finding):
                print(line, flush=True)
    broken = [finding.name for finding in found if finding.status == "broken"]
    if as_json:
        record = {"version": zermelo.__version__, "works": not broken, "findings": [asdict(one) for one in found]}
        print(json.dumps(record))
    else:
        print(f"To be repaired: {', '.join(broken)}." if broken else "zermelo works.")
    sys.exit(EXIT_ERROR if broken else 0)


def lines_of(finding: Finding) -> Iterator[str]:
    """Yield the line of a finding, and below it what to do."""
    yield f"{MARKS[finding.status]:<7} {finding.name:<9} {finding.detail}"
    if finding.advice:
        yield f"{'':<17} {finding.advice}"
