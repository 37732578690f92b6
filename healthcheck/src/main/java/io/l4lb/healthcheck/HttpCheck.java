// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck;

import java.util.Objects;
import java.util.Optional;

/**
 * One HTTP/1.1 GET on a connection of its own, whose response has an expected status and comes to its end in time.
 *
 * @param path the request target, starting with a slash, query included
 * @param host the Host header as it is sent; empty: the VIP, with the port unless it is 80
 */
public record HttpCheck(String path, Optional<String> host, StatusRange expected) implements Check {
    public HttpCheck {
        Objects.requireNonNull(expected, "expected");
        if (!path.startsWith("/")) {
            throw new IllegalArgumentException("an HTTP path starts with a slash: " + path);
        }
        requireVisible("HTTP path", path);
        host.ifPresent(name -> requireVisible("HTTP host", name));
    }

    public HttpCheck(String path) {
        this(path, Optional.empty(), StatusRange.SUCCESS_OR_REDIRECT);
    }

    @Override
    public <T> T accept(Visitor<T> visitor) {
        return visitor.http(this);
    }

    /** A space or a line end would let a configured value rewrite the request. */
    private static void requireVisible(String what, String value) {
        if (value.isEmpty() || !value.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
            throw new IllegalArgumentException(what + " must be visible ASCII without spaces: \"" + value + "\"");
        }
    }
}
