# SPDX-License-Identifier: Apache-2.0
"""What the person at the keyboard reads when the command line makes no sense."""
import contextlib
import io
import os
import signal
import unittest

from l4lb_lab import cli


class CommandLineTest(unittest.TestCase):
    def setUp(self):
        for number in (signal.SIGTERM, signal.SIGHUP):
            self.addCleanup(signal.signal, number, signal.getsignal(number))

    def test_a_closed_terminal_ends_it_in_order(self):
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
        run("status", lab="")
        with self.assertRaises(SystemExit) as ended:
            signal.raise_signal(signal.SIGHUP)
        self.assertEqual(129, ended.exception.code)

    def test_nohup_goes_on(self):
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        run("status", lab="")
        self.assertEqual(signal.SIG_IGN, signal.getsignal(signal.SIGHUP))

    def test_an_unknown_host_is_one_line(self):
        there_are = "lab: no host director9; there are client, router, director1, director2, real1, real2, real3\n"
        for command in (["exec", "director9", "true"], ["l4lb", "director9", "status"], ["start", "director9"],
                        ["stop", "director9"], ["kill", "director9"], ["env", "director9"], ["config", "director9"]):
            self.assertEqual((2, there_are), run(*command), command)

    def test_only_a_director_has_an_agent(self):
        said = "lab: real1 is a real, not a director; directors are director1, director2\n"
        for command in (["status"], ["real"], ["real", "list"], []):
            self.assertEqual((2, said), run("l4lb", "real1", *command), command)

    def test_a_host_without_what_is_asked_for(self):
        self.assertEqual((2, "lab: client has no daemon\n"), run("start", "client"))
        self.assertEqual((2, "lab: real1 has no configuration file\n"), run("config", "real1"))
        self.assertEqual((2, "lab: exec HOST CMD...: no command\n"), run("exec", "client"))

    def test_a_lab_that_is_down_has_nothing_to_start_or_ask(self):
        down = "lab: lab unit-down is down: lab/lab up makes it\n"
        for command in (["start", "director1"], ["kill", "real1"], ["exec", "client", "true"], ["l4lb", "director1"],
                        ["l4lb", "real1", "real", "status"]):
            self.assertEqual((1, down), run(*command), command)

    def test_the_name_of_the_lab_is_checked_first(self):
        empty = "lab: L4LB_LAB is set but empty: unset it, or give it the name of a lab\n"
        self.assertEqual((2, empty), run("status", lab=""))
        code, said = run("status", lab="a/b")
        self.assertEqual(2, code)
        self.assertRegex(said, "^lab: L4LB_LAB='a/b': a lab's name is .*\n$")


def run(*arguments, lab="unit-down"):
    """Exit status, and what was said to stderr."""
    errors = io.StringIO()
    before = os.environ.get("L4LB_LAB")
    os.environ["L4LB_LAB"] = lab
    try:
        with contextlib.redirect_stderr(errors):
            return cli.main(arguments), errors.getvalue()
    finally:
        del os.environ["L4LB_LAB"]
        if before is not None:
            os.environ["L4LB_LAB"] = before


if __name__ == "__main__":
    unittest.main()
