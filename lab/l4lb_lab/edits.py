# SPDX-License-Identifier: Apache-2.0
"""Edits of the directors' configuration while they run, as an operator makes them."""
import contextlib
import json
import re

from .place import LabError

WEIGHT = re.compile(r"^weight = \d+$", re.MULTILINE)
CHECK = re.compile(r"^\[services\.health-check\]\n(?:[^\[\n].*\n)*", re.MULTILINE)
_WHEN = ("interval", "timeout", "rise", "fall")


def with_weight(text, number, weight):
    """Pure: the configuration with another weight for that real, counted from 0 in the order of the file."""
    found = list(WEIGHT.finditer(text))[number]
    return f"{text[: found.start()]}weight = {weight}{text[found.end() :]}"


def accepted(director):
    done = director.reload()
    if done.returncode != 0:
        raise LabError(f"{director.name}: reload of a good file refused: {(done.stdout + done.stderr).strip()}")


def apply(texts):
    """Director → its configuration, each reloaded."""
    for director, text in texts.items():
        director.config.write_text(text)
        accepted(director)


@contextlib.contextmanager
def edited(lab, edit):
    """All directors have their configuration as `edit` makes it from the text, then again as it was."""
    original = {director: director.config.read_text() for director in lab.directors}
    try:
        apply({director: edit(text) for director, text in original.items()})
        yield
    finally:
        apply(original)


def with_check(text, number, **keys):
    """Pure: the configuration with these keys alone in that service's health check, beside what says when it is done; `_` is `-`."""
    found = list(CHECK.finditer(text))[number]
    kept = [line for line in found.group().splitlines()[1:] if line.split(" ")[0] in _WHEN]
    asked = [f"{key.replace('_', '-')} = {json.dumps(value)}" for key, value in keys.items()]
    return f"{text[: found.start()]}[services.health-check]\n" + "\n".join(asked + kept) + f"\n{text[found.end() :]}"
