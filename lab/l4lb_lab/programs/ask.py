#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Asks a real's datagrams.py: ask.py JSON, a list of requests; prints the list of what came of each, in that order.

A request is {"to": [address, port], "data": hex or "size": bytes}, if wanted with "from": [address, port], "tries" and
"protocol": "raw" instead of UDP, "fragment": most bytes of the payload of one fragment, which is then cut here, and
"order": numbers of the fragments as they are to be sent. Its result is {"port": the local one, "reply": what the real said or
null, "tries": how many it took}. An answer that is not from the address asked is none.
"""
import json
import secrets
import socket
import struct
import sys

import wire
from datagrams import EXPERIMENT
from pattern import chunk

PATIENCE = 1  # seconds a try
UDP = socket.IPPROTO_UDP
IPV6_FRAGMENT = 44


def opened(request):
    address, port = request["to"]
    raw = request.get("protocol") == "raw"
    family = wire.family_of(address)
    one = socket.socket(family, socket.SOCK_RAW if raw else socket.SOCK_DGRAM, EXPERIMENT if raw else 0)
    one.settimeout(request.get("patience", PATIENCE))
    one.bind(tuple(request.get("from", ["", 0])))
    one.connect((address, 0 if raw else port))
    return one


def answer(one):
    data = one.recv(65535)
    if one.type == socket.SOCK_RAW and one.family == socket.AF_INET:
        data = data[(data[0] & 15) * 4 :]
    return json.loads(data)


def datagram(one, data):
    """UDP header and payload, as the socket would send them."""
    (source, source_port), (destination, port) = one.getsockname()[:2], one.getpeername()[:2]
    header = struct.pack("!HHHH", source_port, port, 8 + len(data), 0)
    covered = wire.pseudo_header(source, destination, UDP, 8 + len(data)) + header + data
    return header[:6] + struct.pack("!H", (wire.ones_sum(covered) ^ 0xFFFF) or 0xFFFF) + data


def fragments(one, data, size):
    """Whole IP packets; the kernel fills in what is left zero in an IPv4 header."""
    source, destination = (socket.inet_pton(one.family, end[0]) for end in (one.getsockname(), one.getpeername()))
    whole = datagram(one, data)
    identification = secrets.randbelow(0xFFFF) + 1
    step = size // 8 * 8
    for offset in range(0, len(whole), step):
        part = whole[offset : offset + step]
        more = offset + step < len(whole)
        if one.family == socket.AF_INET:
            flags = (0x2000 if more else 0) | offset // 8
            yield struct.pack("!BBHHHBBH", 0x45, 0, 0, identification, flags, 64, UDP, 0) + source + destination + part
        else:
            header = struct.pack("!IHBB", 6 << 28, 8 + len(part), IPV6_FRAGMENT, 64) + source + destination
            yield header + struct.pack("!BBHI", UDP, 0, offset | more, identification) + part


def send(one, request, data):
    if "fragment" not in request:
        one.send(data)
        return
    packets = list(fragments(one, data, request["fragment"]))
    with socket.socket(one.family, socket.SOCK_RAW, socket.IPPROTO_RAW) as raw:
        for number in request.get("order", range(len(packets))):
            raw.sendto(packets[number], (one.getpeername()[0], 0))


def ask(request):
    data = bytes.fromhex(request["data"]) if "data" in request else chunk(0, request["size"])
    with opened(request) as one:
        result = {"port": one.getsockname()[1], "reply": None, "tries": 0}
        for _ in range(request.get("tries", 1)):
            result["tries"] += 1
            try:
                send(one, request, data)
                result["reply"] = answer(one)
                break
            except OSError:  # no answer in time; or a smaller path MTU was learned, or an ICMP error came
                continue
        return result


if __name__ == "__main__":
    print(json.dumps([ask(request) for request in json.loads(sys.argv[1])]))
