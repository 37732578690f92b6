#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The load generator: GET /who over a new connection each time, on every VIP in turn; bounded in number, time and rate.

Prints one JSON object when done, or when told to end (SIGTERM): {"requests": [[start, seconds, vip, real, error], ...]};
`start` is of the monotonic clock, `real` is null where `error` says why there was no answer.
"""
import argparse
import http.client
import json
import signal
import sys
import threading
import time

MOST = 200_000
LONGEST = 600


class Load:
    def __init__(self, options):
        self._options = options
        self._lock = threading.Lock()
        self._tickets = 0
        self._ended = threading.Event()
        self._start = time.monotonic()
        self.requests = []

    def end(self, *_):
        self._ended.set()

    def run(self):
        workers = [threading.Thread(target=self._work, name=f"load-{i}") for i in range(self._options.workers)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()

    def _work(self):
        while (ticket := self._take()) is not None:
            if self._options.rate:
                due = self._start + ticket / self._options.rate
                if self._ended.wait(max(0.0, due - time.monotonic())):
                    return
            row = self._request(self._options.vips[ticket % len(self._options.vips)])
            with self._lock:
                self.requests.append(row)

    def _take(self):
        with self._lock:
            over = time.monotonic() - self._start > self._options.seconds
            if over or self._ended.is_set() or self._tickets >= self._options.count:
                return None
            self._tickets += 1
            return self._tickets - 1

    def _request(self, vip):
        start = time.monotonic()
        real = error = None
        try:
            real = get_name(vip, self._options.port, self._options.timeout)
        except (OSError, http.client.HTTPException, ValueError) as e:
            error = f"{type(e).__name__}: {e}"
        return [start, time.monotonic() - start, vip, real, error]


def get_name(vip, port, timeout):
    connection = http.client.HTTPConnection(vip, port, timeout=timeout)
    try:
        connection.request("GET", "/who", headers={"Connection": "close"})
        response = connection.getresponse()
        body = response.read()
        if response.status != 200:
            raise ValueError(f"status {response.status}")
        return body.decode("ascii").strip()
    finally:
        connection.close()


def parse(arguments):
    parser = argparse.ArgumentParser()
    parser.add_argument("vips", nargs="+")
    parser.add_argument("--port", type=int, default=80)
    parser.add_argument("--count", type=int, default=MOST)
    parser.add_argument("--seconds", type=float, default=LONGEST)
    parser.add_argument("--rate", type=float, default=0, help="requests a second; 0: as fast as it goes")
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--timeout", type=float, default=5)
    options = parser.parse_args(arguments)
    options.count = min(options.count, MOST)
    options.seconds = min(options.seconds, LONGEST)
    return options


if __name__ == "__main__":
    load = Load(parse(sys.argv[1:]))
    signal.signal(signal.SIGTERM, load.end)
    load.run()
    json.dump({"requests": sorted(load.requests)}, sys.stdout)
