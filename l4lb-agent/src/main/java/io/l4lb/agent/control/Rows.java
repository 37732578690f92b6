// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.control;

/** An answer of many rows that are made while it is being sent. */
@FunctionalInterface
public interface Rows {
    /** Begins to put rows into the sink, on another thread than the caller's, and ends it when there are no more. */
    void start(RowSink sink);
}
