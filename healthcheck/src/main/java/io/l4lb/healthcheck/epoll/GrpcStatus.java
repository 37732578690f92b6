// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import com.google.protobuf.CodedInputStream;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** What gRPC's numbers stand for. */
final class GrpcStatus {
    static final String SERVING = "SERVING";

    /** By number (gRPC's statuscodes.md). */
    private static final List<String> CODES = List.of(
            "OK",
            "CANCELLED",
            "UNKNOWN",
            "INVALID_ARGUMENT",
            "DEADLINE_EXCEEDED",
            "NOT_FOUND",
            "ALREADY_EXISTS",
            "PERMISSION_DENIED",
            "RESOURCE_EXHAUSTED",
            "FAILED_PRECONDITION",
            "ABORTED",
            "OUT_OF_RANGE",
            "UNIMPLEMENTED",
            "INTERNAL",
            "UNAVAILABLE",
            "DATA_LOSS",
            "UNAUTHENTICATED");

    /** By number (grpc/health/v1/health.proto). */
    private static final List<String> SERVING_STATUS = List.of("UNKNOWN", SERVING, "NOT_SERVING", "SERVICE_UNKNOWN");

    private static final Pattern SMALL_NUMBER = Pattern.compile("\\d{1,2}");
    private static final int PREFIX = 5;
    private static final int MOST_SHOWN = 200;
    private static final int TAG_OF_STATUS = 1 << 3; // field 1, a varint

    private GrpcStatus() {}

    /** {@code NOT_FOUND: unknown service}. */
    static String words(String code, String message) {
        boolean known = SMALL_NUMBER.matcher(code).matches() && Integer.parseInt(code) < CODES.size();
        String name = known ? CODES.get(Integer.parseInt(code)) : printable(code);
        return message.isEmpty() ? name : name + ": " + printable(decoded(message));
    }

    /** Messages are percent-encoded; one that is not well encoded is shown as it came. */
    private static String decoded(String message) {
        try {
            return QueryStringDecoder.decodeComponent(message.replace("+", "%2B"));
        } catch (IllegalArgumentException e) {
            return message;
        }
    }

    /** What a real sent, as part of a sentence. */
    static String printable(String text) {
        StringBuilder shown = new StringBuilder();
        text.codePoints()
                .limit(MOST_SHOWN)
                .forEach(c -> shown.appendCodePoint(Character.isISOControl(c) || c > 0xffff ? '?' : c));
        return shown.toString();
    }

    /** The status in a HealthCheckResponse, with the prefix of gRPC's messages; empty: it is not one. */
    static Optional<String> serving(ByteBuf answer) {
        if (answer.readableBytes() < PREFIX
                || answer.getByte(0) != 0
                || answer.getInt(1) != answer.readableBytes() - PREFIX) {
            return Optional.empty();
        }
        byte[] message = new byte[answer.readableBytes() - PREFIX];
        answer.getBytes(PREFIX, message);
        try {
            CodedInputStream in = CodedInputStream.newInstance(message);
            int status = 0;
            for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
                if (tag == TAG_OF_STATUS) {
                    status = in.readEnum();
                } else {
                    in.skipField(tag);
                }
            }
            boolean known = status >= 0 && status < SERVING_STATUS.size();
            return Optional.of(known ? SERVING_STATUS.get(status) : "status " + status);
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
