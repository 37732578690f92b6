// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.status;

import org.jspecify.annotations.Nullable;

/**
 * Where a packet goes, and why.
 *
 * @param verdict {@code forward}, {@code answer}, {@code pass}, {@code drop}
 * @param service its name; empty: none
 * @param real its address; empty: none. Of a packet that does not get there, where it would have gone
 * @param slot in the lookup table; -1: the table was not asked
 * @param hash of the flow key, 16 hexadecimal digits; empty: it has no flow
 * @param nextHop of a packet that goes to its real, the MAC address that it is sent to, or that only the kernel knows;
 *     empty: it goes to none
 * @param reason in words
 * @param countedAs the verdict in all detail, under which the status counts such packets
 * @param hashKey which header fields decide, in the word of the configuration; empty: it has no flow
 * @param key these fields: {@code tcp 10.1.0.2:1234 > 192.0.2.10:80}
 * @param ifDown what would change without that real; null: it has none
 */
public record ExplainView(
        String verdict,
        String service,
        String real,
        int slot,
        String hash,
        String nextHop,
        String reason,
        String countedAs,
        String hashKey,
        String key,
        @Nullable IfDownView ifDown) {}
