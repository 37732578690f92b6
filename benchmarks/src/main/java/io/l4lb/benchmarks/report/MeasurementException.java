// SPDX-License-Identifier: Apache-2.0
package io.l4lb.benchmarks.report;

/** Something could not be measured: another measurement is under way, or a benchmark failed. */
public final class MeasurementException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public MeasurementException(String what, Throwable cause) {
        super("cannot measure " + what + ": " + cause.getMessage(), cause);
    }
}
