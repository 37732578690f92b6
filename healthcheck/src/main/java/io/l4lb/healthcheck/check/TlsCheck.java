// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.check;

import java.util.Objects;

/** A TLS handshake comes to its end. */
public record TlsCheck(TlsSettings settings) implements Check {
    public TlsCheck {
        Objects.requireNonNull(settings, "settings");
    }

    @Override
    public String type() {
        return "tls";
    }

    @Override
    public <T> T accept(Visitor<T> visitor) {
        return visitor.tls(this);
    }
}
