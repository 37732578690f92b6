#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A real's answers to datagrams: datagrams.py JSON, {"name", "udp": [[vip, port]...], "raw": [vip...], "server-id": hex}.

Every datagram is answered with {"real": name, "length", "sha256"} of what came, and where there is a server ID with "cid", a
connection ID that carries it (QUIC-LB, plaintext form). Under `raw` it answers packets of IP protocol 253 (RFC 3692) alike.
To "trace N" the first answer goes out with a TTL of N, the second one, with the usual TTL, has the "error" that came for it.
"""
import hashlib
import json
import secrets
import select
import socket
import sys

import wire

EXPERIMENT = 253
NONCE_BYTES = 8
TRACE = b"trace "
PATIENCE = 2  # seconds for an ICMP error


class Real:
    def __init__(self, name, server_id):
        self._name = name
        self._server_id = server_id

    def serve(self, sockets):
        poll = select.poll()
        for one in sockets:
            poll.register(one, select.POLLIN)
        of = {one.fileno(): one for one in sockets}
        while True:
            for number, _ in poll.poll():
                self._answer(of[number])

    def _answer(self, one):
        try:
            data, client = one.recvfrom(65535)
            if one.type == socket.SOCK_RAW and one.family == socket.AF_INET:
                data = data[(data[0] & 15) * 4 :]  # IPv4 sockets get the header too
            said = {"real": self._name, "length": len(data), "sha256": hashlib.sha256(data).hexdigest()}
            if self._server_id:
                said["cid"] = (bytes([0]) + self._server_id + secrets.token_bytes(NONCE_BYTES)).hex()
            if data.startswith(TRACE):
                said["error"] = self._trace(one, client, int(data[len(TRACE) :]))
            one.sendto(json.dumps(said).encode(), client)
        except OSError:
            wire.next_error(one, 0)  # an ICMP error for an earlier answer

    @staticmethod
    def _trace(one, client, ttl):
        wire.set_ttl(one, one.family, ttl)
        one.sendto(b"not to arrive", client)
        wire.set_ttl(one, one.family, 64)
        return wire.next_error(one, PATIENCE)


def opened(address, port, kind=socket.SOCK_DGRAM, protocol=0):
    one = socket.socket(wire.family_of(address), kind, protocol)
    wire.want_errors(one, one.family)
    one.bind((address, port))
    return one


def main(said):
    sockets = [opened(*end) for end in said["udp"]]
    sockets += [opened(vip, 0, socket.SOCK_RAW, EXPERIMENT) for vip in said["raw"]]
    Real(said["name"], bytes.fromhex(said["server-id"])).serve(sockets)


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
