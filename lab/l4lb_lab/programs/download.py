#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""One download: download.py VIP PORT SIZE SECONDS.

Prints {"port": LOCAL} once connected, so that others can follow its packets, and at its end
{"bytes", "sha256", "real", "segment", "seconds", "error"}; `segment` is the most that the real sends in one, `error` is null
when all bytes came.
"""
import hashlib
import http.client
import json
import sys
import time

TIMEOUT = 30  # without a single byte


def say(**fields):
    print(json.dumps(fields), flush=True)


def main(vip, port, size, seconds):
    digest = hashlib.sha256()
    got, real, segment, error = 0, None, None, None
    start = time.monotonic()
    connection = http.client.HTTPConnection(vip, port, timeout=TIMEOUT)
    try:
        connection.connect()
        say(port=connection.sock.getsockname()[1])
        connection.request("GET", f"/bytes?size={size}&seconds={seconds}")
        response = connection.getresponse()
        real, segment = response.getheader("X-Real"), int(response.getheader("X-Segment", 0))
        if response.status != 200:
            error = f"status {response.status}"
        while data := response.read1(65536):
            digest.update(data)
            got += len(data)
        if got < size and not error:
            error = f"ended after {got} of {size} bytes"
    except (OSError, http.client.HTTPException) as e:
        error = f"{type(e).__name__}: {e}"
    say(bytes=got, sha256=digest.hexdigest(), real=real, segment=segment, seconds=time.monotonic() - start, error=error)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4]))
