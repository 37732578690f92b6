// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane;

/** The kernel refused something; the message says what and why, in words for an operator. */
public final class DataplaneException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public DataplaneException(String message) {
        super(message);
    }

    public DataplaneException(String message, Throwable cause) {
        super(message, cause);
    }
}
