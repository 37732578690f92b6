// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck;

/** Health checking as a whole cannot work here; what a single probe meets is its verdict, never an exception. */
public final class HealthCheckException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public HealthCheckException(String message, Throwable cause) {
        super(message, cause);
    }
}
