# SPDX-License-Identifier: Apache-2.0
"""What the programs that make packets have in common: sums, families, and the socket's error queue."""
import ipaddress
import select
import socket
import struct

# Missing in Python's socket module: linux/in.h, linux/in6.h, linux/errqueue.h.
IP_RECVERR, IPV6_RECVERR = 11, 25
MSG_ERRQUEUE = 0x2000
ORIGIN_ICMP, ORIGIN_ICMP6 = 2, 3
_EXTENDED_ERROR = struct.Struct("=IBBBBII")


def family_of(address):
    return socket.AF_INET6 if ipaddress.ip_address(address).version == 6 else socket.AF_INET


def set_ttl(one, family, ttl):
    if family == socket.AF_INET:
        one.setsockopt(socket.IPPROTO_IP, socket.IP_TTL, ttl)
    else:
        one.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_UNICAST_HOPS, ttl)


def want_errors(one, family):
    if family == socket.AF_INET:
        one.setsockopt(socket.IPPROTO_IP, IP_RECVERR, 1)
    else:
        one.setsockopt(socket.IPPROTO_IPV6, IPV6_RECVERR, 1)


def next_error(one, seconds):
    """The next ICMP error that came for this socket, as {"type", "code", "from"}; None after that time."""
    poll = select.poll()
    poll.register(one, 0)  # POLLERR needs no asking
    if not poll.poll(seconds * 1000):
        return None
    try:
        _, controls, _, _ = one.recvmsg(1, 512, MSG_ERRQUEUE | socket.MSG_DONTWAIT)
    except BlockingIOError:
        return None
    for level, kind, data in controls:
        if (level, kind) in ((socket.IPPROTO_IP, IP_RECVERR), (socket.IPPROTO_IPV6, IPV6_RECVERR)):
            _, origin, icmp_type, code, _, _, _ = _EXTENDED_ERROR.unpack_from(data)
            if origin in (ORIGIN_ICMP, ORIGIN_ICMP6):
                where = data[_EXTENDED_ERROR.size :]
                packed = where[4:8] if origin == ORIGIN_ICMP else where[8:24]
                return {"type": icmp_type, "code": code, "from": str(ipaddress.ip_address(packed))}
    return None


def ones_sum(data, start=0):
    """The sum of the 16-bit words in ones' complement (RFC 1071), not inverted."""
    data = data + b"\0" * (len(data) % 2)
    total = start + sum(struct.unpack(f"!{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return total


def pseudo_header(source, destination, protocol, length):
    """Of either family, as the checksums of UDP and ICMPv6 cover it."""
    addresses = ipaddress.ip_address(source).packed + ipaddress.ip_address(destination).packed
    return addresses + struct.pack("!II", length, protocol)
