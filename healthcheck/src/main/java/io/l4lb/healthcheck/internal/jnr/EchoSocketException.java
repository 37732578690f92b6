// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.internal.jnr;

/** The kernel refused an ICMP socket. */
public final class EchoSocketException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int errno;

    EchoSocketException(String operation, int errno) {
        super(operation + " failed, errno " + errno);
        this.errno = errno;
    }

    /** As errno(3) numbers it on Linux. */
    public int errno() {
        return errno;
    }
}
