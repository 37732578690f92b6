# SPDX-License-Identifier: Apache-2.0
"""Uploads under which the way to the reals gets narrow."""
import json
import subprocess
import sys
import threading
import types
import unittest

from l4lb_lab import narrowing, place, settings, topology
from l4lb_lab.programs import pattern
from l4lb_lab.scenarios import spreading

sys.path.insert(0, str(place.PROGRAMS))  # where they find each other

import server  # noqa: E402

IP_AND_TCP = (40, 60)  # bytes of headers, IPv4 and IPv6


class SizesTest(unittest.TestCase):
    def test_small_segments_fit_every_usual_tunnel_and_no_narrow_one(self):
        for overhead in narrowing.OVERHEAD.values():
            for headers in IP_AND_TCP:
                packet = narrowing.SEGMENT + headers + overhead
                self.assertTrue(narrowing.NARROW < packet <= narrowing.USUAL, packet)

    def test_the_services_of_the_lab_have_these_tunnels(self):
        lab = topology.load("packets")
        for name, overhead in narrowing.OVERHEAD.items():
            service = lab.service(name)
            gue = 8 if service.settings.get("forwarding") == "gue" else 0
            self.assertEqual(overhead, {4: 20, 6: 40}[service.real_family] + gue, name)


class SourcesTest(unittest.TestCase):
    def test_each_director_has_sources_in_the_network_of_its_own_link(self):
        data = topology.load("packets")
        lab = types.SimpleNamespace(topology=data)
        found = [spreading._prefix(lab, director, family) for director in data.role("director") for family in (4, 6)]
        self.assertEqual(["10.60.1.16/28", "fd60:1::10/124", "10.60.2.16/28", "fd60:2::10/124"], found)

    def test_a_directors_own_settings_go_before_those_of_all(self):
        by_director = {"director1": {"tunnel_source4": "10.60.1.16/28"}}
        self.assertEqual({"mtu": 1400, "tunnel-source4": "10.60.1.16/28"}, settings.keys("director1", {"mtu": 1400}, by_director))
        self.assertEqual({"mtu": 1400}, settings.keys("director2", {"mtu": 1400}, by_director))
        self.assertEqual({"mtu": 1400}, settings.keys("director2", {"mtu": 1400}, None))


class UploadTest(unittest.TestCase):
    SIZE = 300_000

    def setUp(self):
        self.server = server.Server("real9", 0)
        thread = threading.Thread(target=self.server.serve_forever)
        thread.start()
        self.addCleanup(thread.join)
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)

    def start(self, port, *options):
        argv = [sys.executable, place.PROGRAMS / "upload.py", "127.0.0.1", str(port), str(self.SIZE), "10", *options]
        started = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.addCleanup(started.communicate)
        self.addCleanup(started.kill)
        return started

    def test_a_paused_one_goes_on_when_told_and_arrives_whole(self):
        upload = self.start(self.server.server_address[1], "--pause", "--segment", "1000")
        self.assertEqual({"half": True}, json.loads(upload.stdout.readline()))
        said = json.loads(upload.communicate("\n", timeout=30)[0])
        self.assertIsNone(said["error"])
        self.assertEqual((self.SIZE, pattern.sha256(self.SIZE), "real9"), (said["bytes"], said["sha256"], said["real"]))

    def test_nobody_there_is_an_error(self):
        self.server.shutdown()
        self.server.server_close()
        said = json.loads(self.start(self.server.server_address[1], "--pause").communicate(timeout=30)[0])
        self.assertIn("ConnectionRefusedError", said["error"])


if __name__ == "__main__":
    unittest.main()
