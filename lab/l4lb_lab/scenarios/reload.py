# SPDX-License-Identifier: Apache-2.0
"""A broken edit is refused with file, line and key, and touches nothing; the good edit applies."""
import contextlib
import time

from .. import edits, traffic
from ..command import wait_until
from ..outcome import Outcome
from ..place import LabError

NAME = "reload"
TITLE = "a broken edit is refused, a good one applies"
RATE = 100
KEY = "services[0].reals[0].weight"


def run(lab):
    original = {director: director.config.read_text() for director in lab.directors}
    with contextlib.ExitStack() as stack:
        load = stack.enter_context(traffic.load(lab.client, lab.service, rate=RATE))
        stack.callback(edits.apply, original)
        refusal = _broken_edit(lab, original)
        shares = _good_edit(lab, original)
        time.sleep(1)
        requests = load.stop()
    lab.wait_ready()
    requests.none_lost("during the reloads")
    before, after = (round(100 * share, 1) for share in shares)
    line = (
        f'refused: "{refusal}"; the table stayed; with the good edit {lab.service.reals[0]} went from {before} to '
        f"{after} % of the new flows; 0 of {len(requests)} requests failed"
    )
    figures = {"share-before": before, "share-after": after}
    return Outcome(line, len(requests), 0, figures, {f"{name}-%": round(share) for name, share in figures.items()})


def _broken_edit(lab, original):
    """Returns the problem as the first director named it, without the file's directory."""
    tables = _tables(lab)
    problems = [_refused(director, original[director]) for director in lab.directors]
    if _tables(lab) != tables:
        raise LabError("the refused edit changed a table")
    return problems[0]


def _refused(director, text):
    director.config.write_text(edits.with_weight(text, 0, '"heavy"'))
    line = text[: edits.WEIGHT.search(text).start()].count("\n") + 1
    done = director.reload()
    said = done.stdout + done.stderr
    where = f"{director.config}:{line}: {KEY}: "
    problem = next((problem for problem in said.splitlines() if where in problem), None)
    if done.returncode != 1 or not problem:
        raise LabError(f"{director.name}: reload of a broken file: exit status {done.returncode}, no {where!r} in: {said.strip()}")
    return problem.replace(f"{director.config.parent}/", "")


def _good_edit(lab, original):
    """Doubles the first real's weight on every director; returns its shares before and after."""
    address = lab.topology.address(lab.service.reals[0], 4)
    before = lab.directors[0].shares(lab.service.name)[address]
    edits.apply({director: edits.with_weight(text, 0, 2 * lab.service.weight) for director, text in original.items()})
    share = 2 / (len(lab.service.reals) + 1)

    def applied():
        shares = [director.shares(lab.service.name)[address] for director in lab.directors]
        return shares if all(abs(s - share) < 0.02 for s in shares) else None

    shares = wait_until(applied, f"{address} to have {100 * share:.0f} % of the new flows", 15, 0.2)
    if len(set(_tables(lab))) != 1:
        raise LabError("the directors' tables differ after the good edit")
    return before, shares[0]


def _tables(lab):
    return [director.table(lab.service.name) for director in lab.directors]
