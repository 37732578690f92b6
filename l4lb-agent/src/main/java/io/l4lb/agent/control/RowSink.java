// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.control;

/** Takes the rows of an answer to a client: what {@link Json} can write, one line each. For one thread at a time. */
public interface RowSink {
    /**
     * Sends a row, soon; waits while the client is behind.
     *
     * @return false: the client is gone, or has been behind for too long, and takes no more
     */
    boolean put(Object row);

    /**
     * Sends a row, soon, or loses it if the client is behind.
     *
     * @return false: it is lost
     */
    boolean offer(Object row);

    /** Sends now what has been put. */
    void flush();

    /** Whether the client is there and takes rows. */
    boolean isOpen();

    /** There are no more rows. */
    void end();

    /** There are no more rows, since something went wrong: the client is told. */
    void fail(String message);
}
