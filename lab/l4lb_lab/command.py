# SPDX-License-Identifier: Apache-2.0
"""Running a command to its end, and waiting for a condition: both always bounded."""
import subprocess
import time

from .place import LabError
from .slowness import patience


class CommandError(LabError):
    """A command failed; the message has what it said."""


class TimeUp(LabError):
    """What was waited for did not come."""


def run(argv, check=True, timeout=60, env=None, stdin=""):
    """Runs it, with `stdin` to read; returns the finished process with text in `stdout` and `stderr`."""
    argv = [str(a) for a in argv]
    timeout = patience(timeout)
    try:
        done = subprocess.run(
            argv, input=stdin, capture_output=True, text=True, timeout=timeout, env=env, check=False
        )
    except FileNotFoundError as e:
        raise CommandError(f"{argv[0]}: no such program (script/bootstrap installs what is needed)") from e
    except subprocess.TimeoutExpired as e:
        raise CommandError(f"{' '.join(argv)}: not done after {timeout} s") from e
    if check and done.returncode != 0:
        said = (done.stderr + done.stdout).strip()
        raise CommandError(f"{' '.join(argv)}: exit status {done.returncode}" + (f"\n{said}" if said else ""))
    return done


def wait_until(condition, what, seconds=30, pause=0.05):
    """Returns the first true value of `condition`, and raises TimeUp after `seconds`, more on a slow machine."""
    seconds = patience(seconds)
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise TimeUp(f"waited {seconds:g} s in vain for {what}")
        time.sleep(pause)
