// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.realserver;

import java.util.Map;

/**
 * The server that is to be a real. One thread, which is in the network namespace that counts. All methods throw
 * {@link RealServerException}.
 */
interface Host extends AutoCloseable {
    /** Why this process may not do what is needed; empty if it may. */
    String missingPrivilege();

    Facts look(SetupRequest request);

    /** The value that a thing has, empty if it is not there. */
    String read(Item item);

    /** Why a thing cannot get that value, as far as that can be told before it is tried; empty: no reason is known. */
    String refusal(Item item, String value);

    /** Gives a thing another value; the empty one takes it away. */
    void write(Item item, String value);

    /** What our program has counted, by what it is called; empty where there is none. */
    Map<String, Long> counters();

    @Override
    void close();
}
