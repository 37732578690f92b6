// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.agent.dataplane.CapturedPacket;
import io.l4lb.agent.dataplane.CapturedPacket.Frame;
import io.l4lb.agent.dataplane.CapturedPacket.Stage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;

/** {@code struct capture} of {@code l4lb.h}, in the host's byte order: a header, and up to {@link #BYTES} of a frame. */
final class CaptureRecord {
    static final int PACKET = 8;
    static final int INTERFACE = 16;
    static final int LENGTH = 20;
    static final int CAPTURED = 24;
    static final int STAGE = 28;
    static final int VERDICT = 29;
    static final int HEADER = 32;
    /** {@code L4LB_CAPTURE_BYTES}. */
    static final int BYTES = 2048;

    /** {@code enum capture_stage}. */
    static final List<Stage> STAGES = List.of(Stage.BEFORE, Stage.AFTER);

    private CaptureRecord() {}

    /** Empty: a record of another version. */
    static Optional<CapturedPacket> decode(ByteBuffer bytes) {
        ByteBuffer buffer = bytes.slice().order(ByteOrder.nativeOrder());
        if (buffer.remaining() < HEADER) {
            return Optional.empty();
        }
        int captured = buffer.getInt(CAPTURED);
        int stage = buffer.get(STAGE);
        int verdict = buffer.get(VERDICT);
        boolean known = verdict >= 0 && verdict < Verdicts.NAMES.size();
        if (captured < 0 || captured > buffer.remaining() - HEADER || stage < 0 || stage >= STAGES.size()) {
            return Optional.empty();
        }
        byte[] frame = new byte[captured];
        buffer.get(HEADER, frame);
        boolean after = STAGES.get(stage) == Stage.AFTER;
        return Optional.of(new CapturedPacket(
                buffer.getLong(0),
                buffer.getLong(PACKET),
                STAGES.get(stage),
                after && known ? Verdicts.NAMES.get(verdict) : "",
                buffer.getInt(INTERFACE),
                new Frame(frame, buffer.getInt(LENGTH))));
    }
}
