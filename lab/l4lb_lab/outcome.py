# SPDX-License-Identifier: Apache-2.0
"""What a scenario hands back. A scenario that does not see what it must raises a LabError instead."""
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Outcome:
    """
    `line` says what was measured; `requests` and `lost` count the client's requests for which no loss is allowed;
    `figures` are plain numbers or lists by name, for the table and the JSON file. `facts` are what has to be the same on every
    dataplane, and on a slow machine.
    """

    line: str
    requests: int = 0
    lost: int = 0
    figures: dict = field(default_factory=dict)
    facts: dict = field(default_factory=dict)
