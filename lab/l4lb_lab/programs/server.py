#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The HTTP server of a real: server.py NAME PORT..., on every address of the host, IPv4 and IPv6.

/who                         the real's name
/health                      ok
/bytes?size=N&seconds=S      N bytes, the same on every real, paced over S seconds
POST anywhere                reads the body, says how many bytes it had and what their SHA-256 is
Every answer carries X-Real: NAME and X-Segment: the largest segment that the real sends, and ends its connection.
"""
import hashlib
import http.server
import socket
import socketserver
import sys
import threading
import time
from urllib.parse import parse_qs, urlsplit

from pattern import chunk

STEP = 0.05  # seconds between two writes of a paced answer
LARGEST = 1 << 30


class Handler(http.server.BaseHTTPRequestHandler):
    timeout = 120

    def do_GET(self):
        url = urlsplit(self.path)
        if url.path == "/who":
            self._answer(f"{self.server.name}\n".encode())
        elif url.path == "/health":
            self._answer(b"ok\n")
        elif url.path == "/bytes":
            self._bytes(parse_qs(url.query))
        else:
            self.send_error(404)

    def do_POST(self):
        left = length = int(self.headers.get("Content-Length", 0))
        digest = hashlib.sha256()
        while left:
            data = self.rfile.read(min(left, 65536))
            if not data:
                return
            digest.update(data)
            left -= len(data)
        self._answer(f"{length} {digest.hexdigest()}\n".encode())

    def _bytes(self, query):
        try:
            size = int(query["size"][0])
            seconds = float(query.get("seconds", ["0"])[0])
        except (KeyError, ValueError):
            return self.send_error(400, "size=N&seconds=S")
        if not (0 <= size <= LARGEST and 0 <= seconds <= 600):
            return self.send_error(400, "out of range")
        self._head(size)
        writes = max(1, int(seconds / STEP), -(-size // (1 << 20)))
        start = time.monotonic()
        for i in range(writes):
            first, last = size * i // writes, size * (i + 1) // writes
            self.wfile.write(chunk(first, last - first))
            time.sleep(max(0.0, start + seconds * (i + 1) / writes - time.monotonic()))

    def _answer(self, body):
        self._head(len(body))
        self.wfile.write(body)

    def _head(self, length):
        self.send_response(200)
        self.send_header("Content-Length", str(length))
        self.send_header("Connection", "close")
        self.send_header("X-Real", self.server.name)
        self.send_header("X-Segment", str(self.connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG)))
        self.end_headers()

    def handle(self):
        try:
            super().handle()
        except (ConnectionError, TimeoutError):
            pass  # the client went away

    def log_message(self, *_):
        pass


class Server(socketserver.ThreadingMixIn, socketserver.TCPServer):
    address_family = socket.AF_INET6
    allow_reuse_address = True
    daemon_threads = True
    request_queue_size = 1024

    def __init__(self, name, port):
        self.name = name
        super().__init__(("::", port), Handler)

    def server_bind(self):
        self.socket.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        super().server_bind()


if __name__ == "__main__":
    for port in sys.argv[2:]:
        threading.Thread(target=Server(sys.argv[1], int(port)).serve_forever, name=f"port {port}").start()
