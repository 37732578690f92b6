// SPDX-License-Identifier: Apache-2.0
package io.l4lb.ipvs.fake;

import io.l4lb.netlink.Errno;

/** What the fake kernel answers a request with instead of success. */
final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Errno errno;

    Refusal(Errno errno) {
        super(errno.name());
        this.errno = errno;
    }

    static void when(boolean wrong, Errno errno) {
        if (wrong) {
            throw new Refusal(errno);
        }
    }

    Errno errno() {
        return errno;
    }
}
