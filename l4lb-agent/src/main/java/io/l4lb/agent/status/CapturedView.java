// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.status;

import java.util.Base64;

/**
 * A copy of a packet.
 *
 * @param time microseconds since 1970
 * @param packet hexadecimal number that the copies before and after the dataplane's work share
 * @param stage {@code before}, {@code after}
 * @param verdict in lower case with dashes; empty before
 * @param reason of the verdict, in words
 * @param interfaceName where it came in
 * @param length of the frame in bytes
 * @param frame the beginning of it, in base64
 */
public record CapturedView(
        long time,
        String packet,
        String stage,
        String verdict,
        String reason,
        String interfaceName,
        int length,
        String frame) {
    /** Bytes as the text that JSON has of them. */
    public static String text(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    /** The beginning of the frame. */
    public byte[] bytes() {
        return Base64.getDecoder().decode(frame);
    }
}
