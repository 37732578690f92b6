# SPDX-License-Identifier: Apache-2.0
"""What the scenarios judge by."""
import hashlib
import struct
import unittest
from collections import Counter

from l4lb_lab.place import LabError
from l4lb_lab.programs import flows, pattern
from l4lb_lab.scenarios import spread
from l4lb_lab.traffic import Request, Requests

VIP = "192.0.2.10"


class RequestsTest(unittest.TestCase):
    def test_one_lost_request_is_told_with_its_reason(self):
        rows = (Request(1, 0.1, VIP, "real1", None), Request(2, 0.1, VIP, None, "TimeoutError: timed out"))
        with self.assertRaisesRegex(LabError, "1 of 2 requests lost .*timed out"):
            Requests(rows).none_lost("now")
        Requests(rows[:1]).none_lost("now")

    def test_no_request_at_all_proves_nothing(self):
        with self.assertRaisesRegex(LabError, "no request"):
            Requests(()).none_lost("now")

    def test_only_later_requests_count_after_an_instant(self):
        rows = tuple(Request(t, 0.1, VIP, "real1", None) for t in (1, 2, 3))
        self.assertEqual(1, len(Requests(rows).after(2)))


class SpreadTest(unittest.TestCase):
    SHARE = {"real1": 0.5, "real2": 0.5}

    def test_four_sigmas_are_taken_and_more_are_not(self):
        spread.check(Counter(real1=562, real2=438), self.SHARE, VIP)  # sigma is 15.8
        with self.assertRaisesRegex(LabError, "real1 answered 565 of 1000; the table says 500"):
            spread.check(Counter(real1=565, real2=435), self.SHARE, VIP)

    def test_a_real_without_slots_may_answer_nothing(self):
        share = {"real1": 1.0, "real2": 0.0}
        spread.check(Counter(real1=1000), share, VIP)
        with self.assertRaises(LabError):
            spread.check(Counter(real1=999, real2=1), share, VIP)


class PatternTest(unittest.TestCase):
    def test_chunks_join_to_the_whole(self):
        whole = pattern.chunk(0, 200_000)
        parts = b"".join(pattern.chunk(offset, 7_777) for offset in range(0, 200_000, 7_777))
        self.assertEqual(whole, parts[:200_000])
        self.assertEqual(hashlib.sha256(whole).hexdigest(), pattern.sha256(200_000))

    def test_a_missing_segment_shows(self):
        for size in (536, 1448, 1460):
            self.assertNotEqual(pattern.chunk(0, 1000), pattern.chunk(size, 1000))


class FlowsTest(unittest.TestCase):
    CLIENTS = {bytes([10, 0, 0, 1])}
    VIPS = {bytes([192, 0, 2, 10]): VIP}

    @staticmethod
    def packet(destination_port=80, protocol=6, last=10, client=1):
        header = bytes([0x45]) + bytes(8) + bytes([protocol]) + bytes(2) + bytes([10, 0, 0, client, 192, 0, 2, last])
        return header + struct.pack("!HH", 40000, destination_port)

    def test_knows_a_flow_by_vip_and_client_port(self):
        self.assertEqual((VIP, 40000), flows.flow_of(0x0800, self.packet(), self.CLIENTS, self.VIPS, 80))

    def test_other_packets_are_no_flow(self):
        others = (self.packet(81), self.packet(protocol=17), self.packet(last=11), self.packet(client=2))
        for packet in (*others, self.packet()[:21], b""):
            self.assertIsNone(flows.flow_of(0x0800, packet, self.CLIENTS, self.VIPS, 80))

    def test_notes_each_change_of_way(self):
        seen = {}
        for interface in ("director1", "director1", "director2"):
            flows.note(seen, (VIP, 1), interface)
        self.assertEqual([["director1", 2], ["director2", 1]], seen[(VIP, 1)])


if __name__ == "__main__":
    unittest.main()
