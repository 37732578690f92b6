# SPDX-License-Identifier: Apache-2.0
"""The packets that the lab's programs make by hand."""
import socket
import struct
import sys
import unittest

from l4lb_lab import place

sys.path.insert(0, str(place.PROGRAMS))  # where they find each other

import ask  # noqa: E402
import echo  # noqa: E402
import wire  # noqa: E402

ENDS = {
    socket.AF_INET: (("10.60.0.2", 40000), ("192.0.2.10", 7000)),
    socket.AF_INET6: (("fd60::2", 40000, 0, 0), ("2001:db8::10", 7000, 0, 0)),
}
HEADER = {socket.AF_INET: 20, socket.AF_INET6: 48}


class Connected:
    """As much of a connected socket as cutting a datagram needs."""

    def __init__(self, family):
        self.family = family

    def getsockname(self):
        return ENDS[self.family][0]

    def getpeername(self):
        return ENDS[self.family][1]


class SumTest(unittest.TestCase):
    def test_the_example_of_rfc_1071(self):
        self.assertEqual(0xDDF2, wire.ones_sum(bytes.fromhex("0001f203f4f5f6f7")))

    def test_an_odd_byte_counts_as_the_upper_one(self):
        self.assertEqual(0x0102, wire.ones_sum(bytes.fromhex("000201")))


class FragmentsTest(unittest.TestCase):
    DATA = bytes(range(256)) * 10

    def test_join_to_the_datagram(self):
        for family in ENDS:
            packets = list(ask.fragments(Connected(family), self.DATA, 1000))
            self.assertEqual(3, len(packets))
            self.assertEqual(ask.datagram(Connected(family), self.DATA), b"".join(p[HEADER[family] :] for p in packets))

    def test_say_where_they_belong_and_whether_more_come(self):
        offsets = [struct.unpack_from("!H", p, 6)[0] for p in ask.fragments(Connected(socket.AF_INET), self.DATA, 1000)]
        self.assertEqual([0x2000, 0x2000 | 125, 250], offsets)
        offsets = [struct.unpack_from("!H", p, 42)[0] for p in ask.fragments(Connected(socket.AF_INET6), self.DATA, 1000)]
        self.assertEqual([1, 1000 | 1, 2000], offsets)

    def test_the_datagram_has_a_right_checksum(self):
        for family, (source, destination) in ENDS.items():
            whole = ask.datagram(Connected(family), self.DATA)
            covered = wire.pseudo_header(source[0], destination[0], socket.IPPROTO_UDP, len(whole)) + whole
            self.assertEqual(0xFFFF, wire.ones_sum(covered))
            self.assertEqual((40000, 7000, len(whole)), struct.unpack_from("!HHH", whole))


class EchoTest(unittest.TestCase):
    def test_a_request_has_the_checksum_that_was_wanted(self):
        for address in ("127.0.0.1", "::1"):
            one = echo.Echo.__new__(echo.Echo)  # without its raw socket, which needs root
            one.family, one.icmp = wire.family_of(address), echo.V6 if ":" in address else echo.V4
            one._address = one._source = address
            one._id, one._sequence = 7, 0
            for checksum in echo.CHECKSUMS:
                request = one.request(checksum)
                self.assertEqual(checksum, struct.unpack_from("!H", request, 2)[0])
                self.assertEqual(0xFFFF, wire.ones_sum(one.pseudo(address, address, len(request)) + request))

    def test_pseudo_headers_know_their_family(self):
        self.assertEqual(16, len(wire.pseudo_header("10.0.0.1", "10.0.0.2", 17, 8)))
        self.assertEqual(40, len(wire.pseudo_header("::1", "::2", 58, 8)))
        self.assertEqual(socket.AF_INET6, wire.family_of("::1"))


if __name__ == "__main__":
    unittest.main()
