// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.check;

import java.util.Objects;
import java.util.Optional;

/**
 * {@code grpc.health.v1.Health/Check} over HTTP/2 (gRPC's health checking protocol), answered SERVING.
 *
 * @param service whose health is asked for; the empty text: that of the whole server
 * @param authority the {@code :authority}; empty: the probe's destination
 * @param tls empty: HTTP/2 with prior knowledge, in the clear
 */
public record GrpcCheck(String service, Optional<String> authority, Optional<TlsSettings> tls) implements Check {
    public GrpcCheck {
        Objects.requireNonNull(service, "service");
    }

    @Override
    public String type() {
        return "grpc";
    }

    @Override
    public <T> T accept(Visitor<T> visitor) {
        return visitor.grpc(this);
    }
}
