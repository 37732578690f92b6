// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.load;

import org.jspecify.annotations.Nullable;

/** A report that is refused; within this package. */
final class OrcaException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OrcaException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
