# SPDX-License-Identifier: Apache-2.0
"""Where things are: the checkout, and the directories of the lab that the environment names."""
import os
import re
from dataclasses import dataclass
from pathlib import Path

CHECKOUT = Path(__file__).resolve().parent.parent.parent
PROGRAM = CHECKOUT / "script" / "l4lb"
JAR = CHECKOUT / "l4lb-agent" / "target" / "l4lb.jar"
ROLES = CHECKOUT / "lab" / "roles"
PROGRAMS = CHECKOUT / "lab" / "l4lb_lab" / "programs"
_OBJECTS = CHECKOUT / "bpf" / "target" / "classes" / "io" / "l4lb" / "bpf"
PASS_OBJECT = _OBJECTS / "pass.bpf.o"
DECAPSULATE_OBJECT = _OBJECTS / "decapsulate.bpf.o"


class LabError(Exception):
    """Something that the person at the keyboard should read; no stack trace is needed."""


class UsageError(LabError):
    """What was asked for makes no sense, whatever the lab is like."""


@dataclass(frozen=True)
class Place:
    """Everything that the lab `name` leaves outside of its namespaces is under `root`."""

    name: str

    @property
    def root(self):
        return Path("/run") / f"{self.name}-lab"

    @property
    def marker(self):
        """Says that the directory was made by us, and so may be deleted."""
        return self.root / ".l4lb-lab"

    @property
    def seed(self):
        return self.root / "hash.seed"

    @property
    def topology(self):
        """Says which topology the lab was made from."""
        return self.root / "topology"

    @property
    def dataplane(self):
        """Says which dataplane its directors have."""
        return self.root / "dataplane"

    def host(self, host):
        return self.root / host

    def bpf(self, host):
        """Where the bpffs of a director's, or a real's, own is: `ip netns exec` hides the one at /sys/fs/bpf."""
        return self.host(host) / "bpf"

    def real_state(self, real):
        """What `l4lb real setup` did."""
        return self.host(real) / "real.json"

    def real_pins(self, real):
        """Where it keeps its program."""
        return self.bpf(real) / "l4lb-real"

    def socket(self, director):
        return self.host(director) / "control.sock"

    def agent_config(self, director):
        return self.host(director) / "l4lb.toml"

    def services(self, director):
        """Where an operator of the lab may put files with more services."""
        return self.host(director) / "services.d"

    def namespace(self, host):
        return f"{self.name}-{host}"


def from_environment(environment=os.environ):
    name = environment.get("L4LB_LAB", "l4lb")
    if not name:
        raise UsageError("L4LB_LAB is set but empty: unset it, or give it the name of a lab")
    if not re.fullmatch(r"[a-z][a-z0-9-]{0,31}", name):  # script/demo has the same rule
        raise UsageError(f"L4LB_LAB={name!r}: a lab's name is at most 32 of a-z, 0-9 and '-', and begins with a letter")
    return Place(name)
