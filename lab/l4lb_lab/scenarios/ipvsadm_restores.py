# SPDX-License-Identifier: Apache-2.0
"""What `l4lb service list -o ipvsadm` prints, `ipvsadm -R` makes again elsewhere."""
from .. import namespaces
from ..outcome import Outcome
from ..place import LabError

NAME = "ipvsadm-restores"
TITLE = "ipvsadm -R restores what l4lb service list -o ipvsadm prints"
ON = ("ipvs",)
SAVE = ["ipvsadm", "-Sn"]


def run(lab):
    lines = 0
    for director in lab.directors:
        rules = director.shown("service", "list", "-o", "ipvsadm")
        with namespaces.another(lab.place, "restored") as enter:
            enter(["ipvsadm", "-R"], stdin=rules)
            restored = enter(SAVE).stdout
        saved = director.host.run(SAVE).stdout
        if not saved or restored != saved:
            raise LabError(f"{director.name} has\n{saved}\nwhat was restored is\n{restored}")
        lines = len(saved.splitlines())
    return Outcome(f"{lines} lines of ipvsadm -Sn, the same on each director and restored from it", figures={"lines": lines})
