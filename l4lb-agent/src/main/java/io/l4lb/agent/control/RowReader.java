// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.control;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;

/** Takes the rows of an answer, as they come. */
@FunctionalInterface
public interface RowReader {
    /**
     * One row.
     *
     * @return whether more are wanted
     * @throws IOException no more are wanted, since what becomes of them cannot be written
     */
    boolean row(JsonNode row) throws IOException;
}
