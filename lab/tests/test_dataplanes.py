# SPDX-License-Identifier: Apache-2.0
"""The same scenarios on both dataplanes: who runs what, what is compared, and what ipvsadm says."""
import copy
import os
import types
import unittest
from unittest import mock

from l4lb_lab import agent_config, comparison, dataplanes, edits, ipvsadm, place, scenarios, slowness, topology

LISTING = """IP Virtual Server version 1.2.1 (size=4096)
Prot LocalAddress:Port Scheduler Flags
  -> RemoteAddress:Port           Forward Weight ActiveConn InActConn
TCP  192.0.2.10:80 mh (mh-fallback,mh-port)
  -> 10.60.12.2:80                Tunnel  2      0          1
  -> 10.60.11.2:80                Tunnel  0      0          0
TCP  [2001:db8::10]:80 mh (mh-fallback,mh-port)
  -> 10.60.11.2:80                Tunnel  1      0          0
FWM  1278476289 rr
  -> 10.60.11.2:0                 Tunnel  1      0          0
FWM  1278476289 IPv6 rr
  -> 10.60.11.2:0                 Tunnel  1      0          0
"""
STEP = {"name": "spread", "ok": True, "lost": 0, "facts": {"reals": 3}}


class ListingTest(unittest.TestCase):
    def setUp(self):
        self.found = ipvsadm.parse(LISTING)

    def test_services_by_address_and_by_mark(self):
        self.assertEqual(("tcp", "192.0.2.10", 80), self.found[0].key)
        self.assertEqual(("tcp", "2001:db8::10", 80), self.found[1].key)
        self.assertEqual(["mh", "mh", "rr", "rr"], [service.scheduler for service in self.found])
        self.assertEqual([0, 0, 0x4C340001, 0x4C340001], [service.mark for service in self.found])
        self.assertEqual(["fwm", "fwm6"], [service.protocol for service in self.found[2:]])

    def test_reals_in_one_order_with_their_weights(self):
        reals = [(real.address, real.port, real.forwarding, real.weight) for real in self.found[0].reals]
        self.assertEqual([("10.60.11.2", 80, "Tunnel", 0), ("10.60.12.2", 80, "Tunnel", 2)], reals)

    def test_a_kernel_without_services(self):
        self.assertEqual([], ipvsadm.parse("".join(LISTING.splitlines(True)[:3])))

    def test_shares_follow_weights_and_know_reals_that_are_not_there(self):
        host = types.SimpleNamespace(
            topology=topology.load(), run=lambda argv: types.SimpleNamespace(stdout=LISTING)
        )
        director = types.SimpleNamespace(host=host)
        shares = dataplanes.OF["ipvs"].shares(director, "web")
        self.assertEqual({"10.60.11.2": 1.0, "10.60.12.2": 1.0, "10.60.13.2": 0.0}, shares)


class ComparisonTest(unittest.TestCase):
    def test_the_same_facts(self):
        self.assertEqual([("spread", ("lost 0, reals 3", "lost 0, reals 3"), "")], self.compared(STEP, STEP))

    def test_another_fact_or_loss(self):
        self.assertEqual("differs", self.compared(STEP, STEP | {"facts": {"reals": 2}})[0][2])
        self.assertEqual("differs", self.compared(STEP, STEP | {"lost": 1})[0][2])

    def test_a_failure_even_on_both(self):
        failed = STEP | {"ok": False}
        self.assertEqual("failed on ipvs", self.compared(STEP, failed)[0][2])
        self.assertEqual("failed on xdp", self.compared(failed, failed)[0][2])

    def test_a_scenario_that_was_not_run(self):
        self.assertEqual("missing on ipvs", self.compared(STEP, None)[0][2])
        self.assertEqual("missing on xdp", self.compared(None, None)[0][2])

    def test_of_two_runs_the_worse_one_counts(self):
        runs = [{"dataplane": "xdp", "steps": [STEP]}, {"dataplane": "xdp", "steps": [STEP | {"ok": False}]}]
        for documents in (runs, runs[::-1]):
            self.assertFalse(comparison.read(documents)["xdp"]["spread"]["ok"])

    def test_shares_of_a_table_are_the_same_within_two_points(self):
        def step(*shares):
            return {**STEP, "facts": {"shares-%": list(shares), "share-%": shares[0]}}

        for other, problem in ((step(49, 52), ""), (step(47, 50), "differs"), (step(50, 53), "differs"), (step(50), "differs")):
            with self.subTest(other=other):
                self.assertEqual(problem, self.compared(step(50, 50), other)[0][2])

    def test_two_runs_with_other_facts_are_no_basis(self):
        other = copy.deepcopy(STEP)
        other["facts"]["reals"] = 2
        with self.assertRaisesRegex(place.LabError, "two runs of spread on xdp"):
            comparison.read([{"dataplane": "xdp", "steps": [STEP]}, {"dataplane": "xdp", "steps": [other]}])

    def test_a_file_of_no_dataplane(self):
        with self.assertRaisesRegex(place.LabError, "dataplane None"):
            comparison.read([{"steps": []}])

    def compared(self, xdp, ipvs):
        results = {name: {step["name"]: step} if step else {} for name, step in (("xdp", xdp), ("ipvs", ipvs))}
        return comparison.compare(results, ["spread"])


class ScenariosTest(unittest.TestCase):
    def test_all_that_matters_is_compared(self):
        wanted = {"spread", "drain", "server-death", "director-death", "path-mtu", "datagrams", "reload", "agent-crash"}
        self.assertLessEqual(wanted, set(scenarios.common()))

    def test_single_packets_are_for_xdp(self):
        with self.assertRaisesRegex(place.UsageError, "packets.json are for dataplane xdp"):
            scenarios.of("packets", "ipvs")


class EditTest(unittest.TestCase):
    def test_the_weight_of_one_real(self):
        data = topology.load()
        text = agent_config.text(data, place.Place("unit"), data.host("director1"))
        edited = edits.with_weight(text, 1, 0)
        self.assertEqual(["weight = 100", "weight = 0", "weight = 100"], edits.WEIGHT.findall(edited))
        self.assertEqual(text, edits.with_weight(edited, 1, 100))


class SlownessTest(unittest.TestCase):
    def test_waits_stretch_more_than_paces(self):
        with mock.patch.dict(os.environ, {"L4LB_LAB_SLOWNESS": "6"}):
            self.assertEqual((60, 20, "1s"), (slowness.patience(10), slowness.pace(10), slowness.paced("0.5s")))

    def test_here_nothing_stretches(self):
        for factor in ({}, {"L4LB_LAB_SLOWNESS": "0.1"}):
            with mock.patch.dict(os.environ, factor):
                os.environ.update(factor)
                self.assertEqual((10, 10, "0.5s"), (slowness.patience(10), slowness.pace(10), slowness.paced("0.5s")))


if __name__ == "__main__":
    unittest.main()
