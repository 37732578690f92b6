// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.mh;

/**
 * Where {@code mh} sends a client.
 *
 * @param identity of the real
 * @param slot where it was found
 * @param fallback whether the client's own slot names another real, which is not available
 */
public record MhChoice(String identity, int slot, boolean fallback) {}
