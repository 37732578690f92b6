// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

/**
 * To whom a flow or a fragmented packet went. It counts only while that service has that real and the real is active.
 *
 * @param service name
 * @param real identity
 */
public record Remembered(String service, String real) {}
