// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.control;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * Which packets are to be copied; the JSON body of {@code POST /v1/capture}.
 *
 * @param verdicts only packets with one of these, as statistics name them; empty: with any
 * @param stage {@code before} they are worked on, {@code after} it, {@code both}
 * @param every one packet of so many
 * @param count after how many packets it ends; 0: never
 * @param seconds after how long it ends; 0: never
 */
public record CaptureRequest(
        Selection selection, List<String> verdicts, String stage, int every, long count, long seconds) {
    /** The stages that can be asked for. */
    public static final List<String> STAGES = List.of("before", "after", "both");

    private static final List<String> KEYS = List.of("selection", "verdicts", "stage", "every", "count", "seconds");
    private static final long MAX_SECONDS = 366L * 24 * 60 * 60;

    public CaptureRequest {
        verdicts = List.copyOf(verdicts);
        if (!STAGES.contains(stage)) {
            throw new IllegalArgumentException("stage: \"" + stage + "\" is none of " + String.join(", ", STAGES));
        }
        BodyFields.within("every", every, 1, Integer.MAX_VALUE);
        BodyFields.within("count", count, 0, Long.MAX_VALUE);
        BodyFields.within("seconds", seconds, 0, MAX_SECONDS);
    }

    /**
     * Reads the body of a request.
     *
     * @throws IllegalArgumentException it is not JSON, or not of this shape
     */
    static CaptureRequest parse(String body) {
        JsonNode tree = ExplainRequest.tree(body);
        ExplainRequest.refuseKeysBut(KEYS, tree);
        String stage = BodyFields.text(tree, "stage");
        long every = BodyFields.number(tree, "every", 1);
        BodyFields.within("every", every, 1, Integer.MAX_VALUE);
        return new CaptureRequest(
                Selection.read(tree.path("selection")),
                BodyFields.texts(tree, "verdicts"),
                stage.isEmpty() ? "both" : stage,
                (int) every,
                BodyFields.number(tree, "count", 0),
                BodyFields.number(tree, "seconds", 0));
    }

    /** Whether packets of that stage are wanted. */
    public boolean wants(String wanted) {
        return stage.equals("both") || stage.equals(wanted);
    }
}
