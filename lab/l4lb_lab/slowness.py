# SPDX-License-Identifier: Apache-2.0
"""
How much slower this machine is than one with two cores of its own: L4LB_LAB_SLOWNESS, a factor (default 1; lab/vm/trial says 8).
What is only waited for may take that much longer. What takes its full time in any case is stretched less.
"""
import os

_OF_PACE = 3  # a pace may be that much tighter than a wait


def patience(seconds):
    """The bound of a wait."""
    return seconds * _factor()


def pace(seconds):
    """A time that is always taken: an interval, the length of a transfer."""
    return seconds * max(1.0, _factor() / _OF_PACE)


def paced(text):
    """Pure but for the factor: a duration as the configuration has it, "0.5s"."""
    return f"{pace(float(text.removesuffix('s'))):g}s"


def slow():
    return _factor() > 1


def _factor():
    return max(1.0, float(os.environ.get("L4LB_LAB_SLOWNESS", "1")))
