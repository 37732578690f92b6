// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

/** A value that has the right type and is impossible all the same; the message says so to the operator. */
final class ImpossibleValueException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ImpossibleValueException(String message) {
        super(message);
    }
}
