// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.control;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HexFormat;
import java.util.List;

/**
 * The frame that {@code explain} is asked about; the JSON body of {@code POST /v1/explain/frame}.
 *
 * @param frame hexadecimal digits from the Ethernet header on; spaces, line ends and colons do not count,
 *     nor 0x before them
 */
public record ExplainFrameRequest(String frame) {
    private static final List<String> KEYS = List.of("frame");
    /** More than any interface's MTU. */
    private static final int MAX_BYTES = 64 * 1024;

    public ExplainFrameRequest {
        frame = frame.strip().replaceFirst("^0[xX]", "").replaceAll("[\\s:]", "");
        if (frame.isEmpty() || frame.length() % 2 != 0 || !frame.chars().allMatch(HexFormat::isHexDigit)) {
            throw new IllegalArgumentException(
                    "a frame is written as pairs of hexadecimal digits, with or without 0x, spaces and colons");
        }
        if (frame.length() > 2 * MAX_BYTES) {
            throw new IllegalArgumentException("the frame has more than " + MAX_BYTES + " bytes");
        }
    }

    /**
     * Reads the body of a request.
     *
     * @throws IllegalArgumentException it is not JSON, or not of this shape
     */
    static ExplainFrameRequest parse(String body) {
        JsonNode tree = ExplainRequest.tree(body);
        ExplainRequest.refuseKeysBut(KEYS, tree);
        return new ExplainFrameRequest(ExplainRequest.text(tree, "frame"));
    }

    byte[] bytes() {
        return HexFormat.of().parseHex(frame);
    }
}
