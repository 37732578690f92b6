// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.epoll;

import io.l4lb.healthcheck.check.LoadSource;
import io.l4lb.healthcheck.load.JsonLoad;
import io.l4lb.healthcheck.load.LoadReading;
import io.l4lb.healthcheck.load.OrcaLoad;
import io.l4lb.healthcheck.load.PlainLoad;
import io.netty.handler.codec.http.HttpHeaders;
import java.util.List;
import java.util.function.Function;

/** Where in a response a load report stands. */
final class HttpLoad {
    private static final String ORCA = "endpoint-load-metrics";
    private static final String ORCA_BINARY = "endpoint-load-metrics-bin";

    private HttpLoad() {}

    /** Whether the body has to be read for it. */
    static boolean isInBody(LoadSource source) {
        return source instanceof LoadSource.JsonField;
    }

    /**
     * Reads it.
     *
     * @param body as far as it was read
     * @param complete whether that is all
     */
    static LoadReading read(LoadSource source, HttpHeaders headers, byte[] body, boolean complete) {
        if (source instanceof LoadSource.Header plain) {
            return field(headers, plain.name(), value -> PlainLoad.parse(plain.name(), value));
        }
        if (source instanceof LoadSource.JsonField field) {
            return complete
                    ? JsonLoad.parse(field.pointer(), body)
                    : LoadReading.failed("the body with " + field.pointer() + " did not come to its end");
        }
        return headers.contains(ORCA_BINARY) && !headers.contains(ORCA)
                ? field(headers, ORCA_BINARY, OrcaLoad::parseBinary)
                : field(headers, ORCA, OrcaLoad::parse);
    }

    private static LoadReading field(HttpHeaders headers, String name, Function<String, LoadReading> parser) {
        List<String> values = headers.getAll(name);
        if (values.isEmpty()) {
            return LoadReading.failed("no header " + name);
        }
        return values.size() == 1 ? parser.apply(values.get(0)) : LoadReading.failed("more than one header " + name);
    }
}
