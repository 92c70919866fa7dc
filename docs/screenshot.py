"""Draws ``docs/browser.png``: the page in a browser. Run it after the page's looks have changed; it needs Chromium."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

PORT = "8079"
POSITION = "game=connect&max=human&min=human&moves=3,3,3,2,2,4,1,1"


def main() -> None:
    """Serve, visit, wait for the analysis, and take the picture."""
    command = [sys.executable, "-m", "zermelo", "serve", "--port", PORT]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None and server.stdout.readline()
        with sync_playwright() as driver:
            chromium = shutil.which("chromium") or shutil.which("google-chrome")
            browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
            page = browser.new_page(viewport={"width": 1180, "height": 800})
            page.goto(f"http://127.0.0.1:{PORT}/?{POSITION}")
            page.get_by_role("button", name="Judge every move").click()
            page.get_by_text(re.compile("depth 1[0-9]|proven")).first.wait_for(timeout=90_000)
            page.wait_for_timeout(9_000)
            page.screenshot(path=Path(__file__).with_name("browser.png"))
            browser.close()
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
