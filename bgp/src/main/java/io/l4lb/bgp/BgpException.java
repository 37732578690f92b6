// SPDX-License-Identifier: Apache-2.0
package io.l4lb.bgp;

/** What ExaBGP, its files or the socket to it refused; the message names the operation and the reason. */
public final class BgpException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public BgpException(String message) {
        super(message);
    }

    public BgpException(String message, Throwable cause) {
        super(message + ": " + cause, cause);
    }
}
