# SPDX-License-Identifier: Apache-2.0
"""From the topology to what the hosts are told: the pure part of the lab."""
import copy
import json
import tomllib
import unittest
from pathlib import Path

from l4lb_lab import agent_config, bird, place, roles, scenarios, topology

DATA = json.loads((Path(__file__).parent.parent / "topology.json").read_text())
PACKETS = json.loads((Path(__file__).parent.parent / "packets.json").read_text())


class TopologyTest(unittest.TestCase):
    def test_finds_hosts_by_role_and_their_addresses(self):
        lab = topology.parse(DATA)
        self.assertEqual(["director1", "director2"], [host.name for host in lab.role("director")])
        self.assertEqual("10.60.11.2", lab.address("real1", 4))
        self.assertEqual("fd60:11::2", lab.address("real1", 6))
        self.assertEqual(6, len(lab.interfaces("router")))

    def test_every_topology_has_scenarios_and_only_its_own(self):
        for name, its_own in scenarios.OF.items():
            self.assertEqual(name, topology.load(name).name)
            for scenario in its_own:
                on = getattr(scenario, "ON", ("xdp",))[0]
                self.assertIs(scenario, scenarios.named(scenario.NAME, name, on))
        with self.assertRaisesRegex(place.UsageError, "spread needs another lab"):
            scenarios.named("spread", "packets", "xdp")
        self.assertEqual(len(scenarios.NAMES), len(set(scenarios.NAMES)))

    def test_a_real_listens_on_every_port_that_a_service_needs(self):
        self.assertEqual([80], topology.parse(DATA).ports())
        lab = topology.parse(PACKETS)
        self.assertEqual((8001, 8002), lab.service("ports").open)
        self.assertTrue({80, 443, 7000, 8001, 8002} <= set(lab.ports()))
        self.assertEqual(len(lab.vips()), len(set(lab.vips())))

    def test_refuses_two_interfaces_with_one_address(self):
        self.refuses("one address", lambda data: _address(data, 1, DATA["links"][0]["host"]["addresses"]))

    def test_refuses_a_link_between_two_networks(self):
        self.refuses("two networks", lambda data: _address(data, 1, ["10.61.0.2/24", "fd61::2/64"]))

    def test_refuses_a_host_without_a_link(self):
        self.refuses("exactly one link", lambda data: data["links"].pop())

    def test_refuses_a_service_on_a_host_that_is_no_real(self):
        self.refuses("not a real", lambda data: data["services"][0]["reals"].append("client"))

    def refuses(self, message, change):
        data = copy.deepcopy(DATA)
        change(data)
        with self.assertRaisesRegex(topology.TopologyError, message):
            topology.parse(data)


class ConfigurationTest(unittest.TestCase):
    def setUp(self):
        self.topology = topology.parse(DATA)
        self.place = place.Place("unit")

    def toml(self, director):
        return tomllib.loads(agent_config.text(self.topology, self.place, self.topology.host(director)))

    def test_agent_has_all_its_paths_in_the_lab(self):
        agent = self.toml("director1")
        paths = [v for k, v in agent["agent"].items() if k != "dataplane"] + [agent["xdp"]["pin-dir"]]
        for path in paths:
            self.assertTrue(path.startswith("/run/unit-lab/"), path)

    def test_directors_share_the_seed_and_the_services_and_nothing_else(self):
        one, two = self.toml("director1"), self.toml("director2")
        self.assertEqual(one["services"], two["services"])
        self.assertEqual(one["agent"]["hash-seed-file"], two["agent"]["hash-seed-file"])
        for key in ("control-socket", "state-dir"):
            self.assertNotEqual(one["agent"][key], two["agent"][key])
        self.assertNotEqual(one["xdp"]["pin-dir"], two["xdp"]["pin-dir"])
        self.assertNotEqual(one["bgp"]["router-id"], two["bgp"]["router-id"])

    def test_services_have_settings_of_their_own(self):
        lab = topology.parse(PACKETS)
        xdp = {"mtu": 1400, "too-big-answers": False}
        agent = tomllib.loads(agent_config.text(lab, self.place, lab.host("director1"), xdp=xdp))
        self.assertEqual((1400, False), (agent["xdp"]["mtu"], agent["xdp"]["too-big-answers"]))
        services = {service["name"]: service for service in agent["services"]}
        self.assertEqual("gue", services["gue"]["forwarding"])
        self.assertEqual("ipip", services["web6"]["forwarding"])
        self.assertEqual("fd60:12::2", services["web6"]["reals"][1]["address"])
        self.assertEqual({"cid-length": 12, "server-id-length": 3, "rotation": 0}, services["quic"]["quic"])
        self.assertEqual("0a0003", services["quic"]["reals"][2]["server-id"])

    def test_the_dataplane_is_all_that_differs_between_dataplanes(self):
        director = self.topology.host("director1")
        xdp, ipvs = (tomllib.loads(agent_config.text(self.topology, self.place, director, name)) for name in ("xdp", "ipvs"))
        self.assertEqual("ipvs", ipvs["agent"].pop("dataplane"))
        self.assertEqual("xdp", xdp["agent"].pop("dataplane"))
        self.assertEqual({"interfaces": ["eth0"], "pin-dir": "/run/unit-lab/director1/bpf/l4lb-ipvs"}, ipvs.pop("ipvs"))
        self.assertEqual("/run/unit-lab/director1/bpf/l4lb", xdp.pop("xdp")["pin-dir"])
        self.assertEqual(xdp, ipvs)

    def test_agent_speaks_to_its_own_end_of_the_router(self):
        neighbors = self.toml("director2")["bgp"]["neighbors"]
        self.assertEqual(["10.60.2.1", "fd60:2::1"], [neighbor["address"] for neighbor in neighbors])

    def test_router_has_one_session_a_director_and_family(self):
        text = bird.configuration(self.topology, "/run/log")
        for director in ("director1", "director2"):
            for family in (4, 6):
                self.assertIn(f"protocol bgp {bird.session(director, family)} {{", text)
        self.assertIn("import where net ~ [ 192.0.2.0/24{32,32} ]", text)
        self.assertIn("import where net ~ [ 2001:db8::/32{128,128} ]", text)
        self.assertEqual(2, text.count("merge paths yes"))

    def test_roles_are_told_what_they_need(self):
        router = roles.environment(self.topology, self.topology.router)
        self.assertEqual("director1 director2", router["XDP_PEERS"])
        self.assertEqual("", router["GATEWAY4"])
        real = roles.environment(self.topology, self.topology.host("real2"))
        self.assertEqual("eth0 1600 10.60.12.2/24 fd60:12::2/64", real["INTERFACES"])
        self.assertEqual("192.0.2.10,2001:db8::10", real["VIPS"])
        self.assertEqual("10.60.1.0/24,fd60:1::/64,10.60.2.0/24,fd60:2::/64", real["DIRECTOR_SOURCES"])

    def test_a_real_keeps_what_it_did_in_the_lab_and_elsewhere_where_l4lb_does(self):
        real = self.topology.host("real2")
        outside = roles.environment(self.topology, real)
        self.assertEqual(["/var/lib/l4lb/real.json", "/sys/fs/bpf/l4lb-real"], [outside["REAL_STATE"], outside["REAL_PINS"]])
        inside = roles.environment(self.topology, real, where=self.place)
        self.assertEqual("/run/unit-lab/real2/real.json", inside["REAL_STATE"])
        self.assertEqual("/run/unit-lab/real2/bpf/l4lb-real", inside["REAL_PINS"])
        self.assertNotIn("REAL_STATE", roles.environment(self.topology, self.topology.host("client"), where=self.place))

    def test_only_xdp_needs_care_of_links_and_a_program_at_the_reals(self):
        router = roles.environment(self.topology, self.topology.router, dataplane="ipvs")
        self.assertEqual("", router["XDP_PEERS"])
        director = roles.environment(self.topology, self.topology.host("director1"), dataplane="ipvs")
        self.assertEqual("", director["XDP_INTERFACES"])
        real = self.topology.host("real1")
        self.assertEqual("kernel", roles.environment(self.topology, real, dataplane="ipvs")["TUNNELS"])
        self.assertEqual("bpf", roles.environment(self.topology, real)["TUNNELS"])

    def test_links_that_are_no_veth_pairs_need_no_care(self):
        router = roles.environment(self.topology, self.topology.router, veth=False)
        self.assertEqual("", router["XDP_PEERS"])


class PlaceTest(unittest.TestCase):
    def test_refuses_a_name_that_would_lead_elsewhere(self):
        for name in ("", "../x", "a/b", "-x", "A", "x" * 33):
            with self.assertRaises(place.LabError, msg=name):
                place.from_environment({"L4LB_LAB": name})


def _address(data, link, addresses):
    data["links"][link]["host"]["addresses"] = addresses


if __name__ == "__main__":
    unittest.main()
