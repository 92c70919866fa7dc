"""What pages look like: small pictures that are kept, and compared with a tolerance.

`make looks` writes them anew; look at the pages before you keep what it wrote.
"""

import base64
import json
import os
from pathlib import Path
from typing import Any

KEPT = Path(__file__).parent / "data" / "looks"
SIDE = 32
"""Pixels of a kept picture in each direction."""
MOST_ON_AVERAGE = 4.0
"""Of 255: how much all numbers of a picture may differ on average. Fonts differ between machines."""
MOST_SEEN = 0.03
"""The share of numbers that may differ by more than `SEEN`."""
SEEN = 40
RENEW = bool(os.environ.get("ZERMELO_RENEW_LOOKS"))
_SHRINK = """async ([picture, side]) => {
  const blob = await (await fetch("data:image/png;base64," + picture)).blob();
  const small = await createImageBitmap(blob, { resizeWidth: side, resizeHeight: side, resizeQuality: "high" });
  const canvas = new OffscreenCanvas(small.width, small.height), context = canvas.getContext("2d");
  context.drawImage(small, 0, 0);
  return [...context.getImageData(0, 0, small.width, small.height).data].filter((_, place) => place % 4 < 3);
}"""


def shrunk(page: Any, scratch: Any) -> bytes:
    """Return what a window shows as `SIDE` x `SIDE` pixels of three numbers; ``scratch`` is a page to compute in."""
    picture = base64.b64encode(page.screenshot()).decode()
    return bytes(scratch.evaluate(_SHRINK, [picture, SIDE]))


def difference(one: bytes, other: bytes) -> str:
    """Return how two pictures differ, in a sentence; empty if they are alike."""
    gaps = [abs(a - b) for a, b in zip(one, other, strict=True)]
    average, seen = sum(gaps) / len(gaps), sum(gap > SEEN for gap in gaps) / len(gaps)
    if average <= MOST_ON_AVERAGE and seen <= MOST_SEEN:
        return ""
    return f"it differs by {average:.1f} of 255 on average, and {seen:.0%} of it differs clearly"


def changed(name: str, pictures: dict[str, bytes]) -> list[str]:
    """Return which pictures differ from those kept under a name; keep them instead if that was asked for."""
    file = KEPT / f"{name}.json"
    if RENEW:
        file.parent.mkdir(exist_ok=True)
        said = {key: base64.b64encode(picture).decode() for key, picture in pictures.items()}
        file.write_text(json.dumps(said, indent=0) + "\n", encoding="utf-8")
    kept = {key: base64.b64decode(text) for key, text in json.loads(file.read_text(encoding="utf-8")).items()}
    assert set(kept) == set(pictures)
    return [f"{name} at {key}: {said}" for key, picture in pictures.items() if (said := difference(picture, kept[key]))]
