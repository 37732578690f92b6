# SPDX-License-Identifier: Apache-2.0
"""A broken edit is refused with file, line and key, and touches nothing; the good edit applies."""
import contextlib
import re
import time

from .. import traffic
from ..command import wait_until
from ..outcome import Outcome
from ..place import LabError

NAME = "reload"
TITLE = "a broken edit is refused, a good one applies"
RATE = 100
WEIGHT = re.compile(r"^weight = \d+$", re.MULTILINE)
KEY = "services[0].reals[0].weight"


def run(lab):
    original = {director: director.config.read_text() for director in lab.directors}
    with contextlib.ExitStack() as stack:
        load = stack.enter_context(traffic.load(lab.client, lab.service, rate=RATE))
        stack.callback(_restore, original)
        refusal = _broken_edit(lab, original)
        slots = _good_edit(lab, original)
        time.sleep(1)
        requests = load.stop()
    lab.wait_ready()
    requests.none_lost("during the reloads")
    line = (
        f'refused: "{refusal}"; the table stayed; with the good edit {lab.service.reals[0]} went from {slots[0]} to '
        f"{slots[1]} slots; 0 of {len(requests)} requests failed"
    )
    return Outcome(line, len(requests), 0, {"slots-before": slots[0], "slots-after": slots[1]})


def _broken_edit(lab, original):
    """Returns the problem as the first director named it, without the file's directory."""
    digests = _digests(lab)
    problems = [_refused(director, original[director]) for director in lab.directors]
    if _digests(lab) != digests:
        raise LabError("the refused edit changed a table")
    return problems[0]


def _refused(director, text):
    director.config.write_text(WEIGHT.sub('weight = "heavy"', text, count=1))
    line = text[: WEIGHT.search(text).start()].count("\n") + 1
    done = director.reload()
    said = done.stdout + done.stderr
    where = f"{director.config}:{line}: {KEY}: "
    problem = next((problem for problem in said.splitlines() if where in problem), None)
    if done.returncode != 1 or not problem:
        raise LabError(f"{director.name}: reload of a broken file: exit status {done.returncode}, no {where!r} in: {said.strip()}")
    return problem.replace(f"{director.config.parent}/", "")


def _good_edit(lab, original):
    """Doubles the first real's weight on every director; returns its slots before and after."""
    address = lab.topology.address(lab.service.reals[0], 4)
    before = lab.directors[0].real(lab.service.name, address)["slots"]
    for director in lab.directors:
        director.config.write_text(WEIGHT.sub(f"weight = {2 * lab.service.weight}", original[director], count=1))
        _accepted(director)
    size = lab.directors[0].service(lab.service.name)["table-size"]
    share = 2 / (len(lab.service.reals) + 1)

    def applied():
        slots = [director.real(lab.service.name, address)["slots"] for director in lab.directors]
        return slots if all(abs(s - size * share) < 0.02 * size for s in slots) else None

    slots = wait_until(applied, f"{address} to have {100 * share:.0f} % of the slots", 15, 0.2)
    if len(set(_digests(lab))) != 1:
        raise LabError("the directors' tables differ after the good edit")
    return before, slots[0]


def _restore(original):
    for director, text in original.items():
        director.config.write_text(text)
        _accepted(director)


def _accepted(director):
    done = director.reload()
    if done.returncode != 0:
        raise LabError(f"{director.name}: reload of a good file refused: {(done.stdout + done.stderr).strip()}")


def _digests(lab):
    return [director.service(lab.service.name)["table-digest"] for director in lab.directors]
