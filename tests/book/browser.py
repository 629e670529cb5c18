"""Runs Chromium without a window, cut off from everything but the page it is given."""

from __future__ import annotations

import html
import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
SECONDS = 240

_FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--hide-scrollbars", "--host-resolver-rules=MAP * ~NOTFOUND", "--enable-logging=stderr",
)  # fmt: skip
DARK, LIGHT = (f"--blink-settings=preferredColorScheme={theme}" for theme in (0, 1))
_CONSOLE = re.compile(r"CONSOLE[^\]]*\] (.*)")

# A page that shows others in frames, each of some width, and writes down what is too wide in them.
_MEASURE = """<!DOCTYPE html><meta charset="utf-8"><title>measure</title>
<style>iframe {{ border: 0; height: 800px }}</style>
{frames}<pre id="found"></pre><script>
function measure(frame) {{
  const page = frame.contentDocument, width = frame.clientWidth;
  const wide = [], squeezed = [];
  for (const one of page.body.querySelectorAll("main *, header *, nav *, footer *")) {{
    if (one.closest("svg") && one.tagName !== "svg" || one.closest(".wide")) continue;
    if (one.getBoundingClientRect().right > width + 0.5)
      wide.push(one.tagName + ": " + one.textContent.slice(0, 60));
  }}
  // Words that stand a few signs to the line, though the screen is wider.
  for (const one of page.querySelectorAll("td, th, dd, li, p, h3, h4")) {{
    const words = page.createRange();
    words.selectNodeContents(one);
    const height = parseFloat(frame.contentWindow.getComputedStyle(one).lineHeight);
    const lines = words.getBoundingClientRect().height / height;
    const text = one.textContent.trim();
    if (!one.querySelector("svg") && lines > 2.5 && text.length < 7 * lines)
      squeezed.push(one.tagName + ": " + text.slice(0, 60));
  }}
  return {{
    width: page.documentElement.scrollWidth, wide, squeezed,
    tiles: page.querySelectorAll("svg.tile").length,
    tile: page.querySelector("svg.tile").getBoundingClientRect().height,
    scripts: page.querySelectorAll("script").length, hacked: String(frame.contentWindow.hacked),
  }};
}}
addEventListener("load", () => {{
  found.textContent = JSON.stringify([...document.querySelectorAll("iframe")].map(measure));
}});
</script>"""


def find() -> str | None:
    """The browser: `YAKU_CHROMIUM`, else the first that is installed; None where there is none."""
    named = os.environ.get("YAKU_CHROMIUM")
    if named:
        return named
    return next((path for name in NAMES if (path := shutil.which(name))), None)


@contextmanager
def _profile() -> Iterator[str]:
    # The browser's last helpers may still write while the folder is removed.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        yield f"--user-data-dir={folder}"


def run(page: Path, *flags: str) -> tuple[str, list[str]]:
    """Open a page with some flags: what the browser wrote, and the messages of its console."""
    browser = find()
    assert browser is not None
    with _profile() as profile:
        done = subprocess.run(
            [browser, *_FLAGS, profile, *flags, page.resolve().as_uri()],
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
    told = done.stderr.decode(errors="replace")
    assert done.returncode == 0, told
    return done.stdout.decode(errors="replace"), _CONSOLE.findall(told)


def undrawn(page: str) -> str:
    """A page whose tiles have their places and sizes, but are not drawn: to draw them takes most of
    the time that a browser needs, and moves nothing."""
    return re.sub(r"<use [^>]*>|<defs>.*?</defs>", "", page, flags=re.S)


def measure(pages: Sequence[tuple[str, int]], folder: Path) -> list[dict[str, Any]]:
    """What pages look like on a light screen, each in a frame of its width. The console must stay
    silent."""
    outer = folder / "measure.html"
    frames = "".join(
        f'<iframe style="width: {width}px" srcdoc="{html.escape(page, quote=True)}"></iframe>'
        for page, width in pages
    )
    outer.write_text(_MEASURE.format(frames=frames), encoding="utf-8")
    dumped, console = run(outer, "--dump-dom", "--window-size=1200,900", LIGHT)
    assert console == []
    found = re.search(r'<pre id="found">(.*?)</pre>', dumped, re.S)
    assert found, dumped[-500:]
    measured: list[dict[str, Any]] = json.loads(html.unescape(found.group(1)))
    return measured


def pdf_pages(page: Path, folder: Path) -> int:
    """How many sheets a page has in print."""
    target = folder / "print.pdf"
    run(page, "--no-pdf-header-footer", f"--print-to-pdf={target}")
    return len(re.findall(rb"/Type\s*/Page\b(?!s)", target.read_bytes()))
