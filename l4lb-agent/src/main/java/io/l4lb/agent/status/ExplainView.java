// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.status;

/**
 * Where a packet goes, and why.
 *
 * @param verdict {@code forward}, {@code pass}, {@code drop}
 * @param service its name; empty: none
 * @param real its address; empty: none
 * @param slot in the lookup table; -1: the table was not asked
 * @param hash of the flow key, 16 hexadecimal digits
 * @param reason in words
 */
public record ExplainView(String verdict, String service, String real, int slot, String hash, String reason) {}
