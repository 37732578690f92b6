// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.control;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.util.Map;

/**
 * An answer of the server.
 *
 * @param status of HTTP
 * @param body what {@link Json} can write; or {@link Rows}, of which {@link #http} is not asked
 * @param allow methods that would have been right, for a 405; empty otherwise
 */
record Reply(int status, Object body, String allow) {
    static Reply ok(Object body) {
        return new Reply(200, body, "");
    }

    static Reply error(int status, String message) {
        return new Reply(status, Map.of("error", message), "");
    }

    static Reply wrongMethod(String allow) {
        return new Reply(405, Map.of("error", "only " + allow + " is possible here"), allow);
    }

    /** The last message of its connection. */
    FullHttpResponse http() {
        FullHttpResponse response = new DefaultFullHttpResponse(
                HttpVersion.HTTP_1_1, HttpResponseStatus.valueOf(status), Unpooled.wrappedBuffer(Json.bytes(body)));
        response.headers()
                .set(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.APPLICATION_JSON)
                .setInt(HttpHeaderNames.CONTENT_LENGTH, response.content().readableBytes())
                .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
        if (!allow.isEmpty()) {
            response.headers().set(HttpHeaderNames.ALLOW, allow);
        }
        return response;
    }
}
