// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.load;

import java.util.Optional;

/**
 * What came of reading a load report: the report, or why there is none.
 *
 * @param problem in words, such as {@code header x-load: "1.5" is not a number from 0.0 to 1.0}; empty exactly if there is a report
 */
public record LoadReading(Optional<LoadReport> report, String problem) {
    public LoadReading {
        if (report.isPresent() != problem.isEmpty()) {
            throw new IllegalArgumentException("a reading is a report or a problem");
        }
    }

    public static LoadReading of(LoadReport report) {
        return new LoadReading(Optional.of(report), "");
    }

    public static LoadReading failed(String problem) {
        return new LoadReading(Optional.empty(), problem);
    }
}
