// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.control;

import java.time.Duration;

/**
 * What one client can cost the agent at most.
 *
 * @param connections open at a time
 * @param body of a request, in bytes
 * @param transfer from connecting to the end of the request, and from the start of the answer to its end; however
 *     steadily the bytes drip
 * @param answer that a request may take to be worked on
 */
public record Limits(int connections, int body, Duration transfer, Duration answer) {
    /** For an agent in production; a frame of 64 KiB in hexadecimal digits is the longest request. */
    public static final Limits DEFAULT = new Limits(32, 160 * 1024, Duration.ofSeconds(5), Duration.ofSeconds(60));
}
