"""Changes rulesets with Atheris, which looks for changes that reach new code of the engine.

`python -m tests.longer fuzz --with atheris` runs this as a program of its own, since Atheris ends
the program that it runs in. It is an extra (`pip install 'yaku-engine[fuzz]'`).
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
LONGEST = 6000
"""Bytes of a mutant."""


def check_atheris(seconds: float, seed: int) -> bool:
    """Try mutants for a time in another process; says whether something failed."""
    from importlib.util import find_spec

    if find_spec("atheris") is None:
        message = "Atheris is not installed: pip install 'yaku-engine[fuzz]' (Python 3.11 to 3.13)"
        print(message, file=sys.stderr)
        return True
    folder = Path(tempfile.mkdtemp())
    arguments = [
        f"-max_total_time={int(seconds)}", f"-seed={seed}", f"-max_len={LONGEST}", "-timeout=60",
        "-report_slow_units=60",
        f"-artifact_prefix={folder}/", f"-dict={folder}/words/tokens", "-print_final_stats=1",
        "-verbosity=0",
    ]  # fmt: skip
    corpus = folder / "corpus"
    corpus.mkdir()
    (folder / "words").mkdir()
    _write_seeds(corpus, seed)
    _write_words(folder / "words" / "tokens")
    command = [sys.executable, "-m", "tests.fuzz_atheris", *arguments, str(corpus)]
    done = subprocess.run(command, cwd=ROOT, check=False)
    crashes = sorted(path for path in folder.iterdir() if path.is_file())
    print(f"Atheris ended with status {done.returncode}; {len(crashes)} crashes")
    for path in crashes:
        print(path)
    return done.returncode != 0 or bool(crashes)


def _write_seeds(corpus: Path, seed: int) -> None:
    import random

    from tests.fuzz import seeds, shortened

    for number, text in enumerate(seeds()):
        data = shortened(text, random.Random(seed)).encode("utf-8")
        (corpus / f"seed-{number}.yaml").write_bytes(data[:LONGEST])


def _write_words(file: Path) -> None:
    """The words that mutants are made of, as libFuzzer reads them."""
    from tests.fuzz import TOKENS

    words = ("".join(f"\\x{byte:02x}" for byte in token.encode("utf-8")) for token in TOKENS)
    file.write_text("".join(f'"{word}"\n' for word in words), encoding="ascii")


def main() -> None:
    """Fuzz in this process, which ends with it."""
    import atheris

    with atheris.instrument_imports(include=["ruleengine"]):
        from tests.fuzz import Fuzzed, try_mutant

    def one(data: bytes) -> None:
        try_mutant(data, Fuzzed())

    atheris.Setup(sys.argv, one)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
