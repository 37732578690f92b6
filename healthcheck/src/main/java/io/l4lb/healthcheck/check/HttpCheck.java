// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.check;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * One HTTP/1.1 request on a connection of its own, whose response has an expected status, holds what is looked for, and comes to its
 * end in time.
 *
 * @param tls empty: plain HTTP
 * @param load where the response says how loaded the real is; empty: it does not
 */
public record HttpCheck(Request request, Expectation expectation, Optional<TlsSettings> tls, Optional<LoadSource> load)
        implements Check {
    public HttpCheck {
        Objects.requireNonNull(request, "request");
        Objects.requireNonNull(expectation, "expectation");
    }

    /** A GET that wants a status from 200 to 399. */
    public HttpCheck(String path) {
        this(Request.get(path), Expectation.SUCCESS_OR_REDIRECT, Optional.empty(), Optional.empty());
    }

    /**
     * What is sent.
     *
     * @param method a token, such as {@code GET} or {@code HEAD}
     * @param path the request target, starting with a slash, query included
     * @param host the Host header as it is sent; empty: the probe's destination, with its port unless it is the scheme's
     * @param headers further ones, in this order
     */
    public record Request(String method, String path, Optional<String> host, List<Header> headers) {
        public Request {
            headers = List.copyOf(headers);
            requireVisible("HTTP method", method);
            if (!path.startsWith("/")) {
                throw new IllegalArgumentException("an HTTP path starts with a slash: " + path);
            }
            requireVisible("HTTP path", path);
            host.ifPresent(name -> requireVisible("HTTP host", name));
        }

        public static Request get(String path) {
            return new Request("GET", path, Optional.empty(), List.of());
        }

        /** A space or a line end would let a configured value rewrite the request. */
        private static void requireVisible(String what, String value) {
            if (value.isEmpty() || !value.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
                throw new IllegalArgumentException(what + " must be visible ASCII without spaces: \"" + value + "\"");
            }
        }
    }

    /** One field of a request's header (RFC 9110, section 5): the name a token, the value without control characters. */
    public record Header(String name, String value) {
        private static final String TOKEN_SIGNS = "!#$%&'*+-.^_`|~";

        public Header {
            if (name.isEmpty() || !name.chars().allMatch(Header::isTokenCharacter)) {
                throw new IllegalArgumentException("not the name of an HTTP header: \"" + name + "\"");
            }
            if (!value.equals(value.strip()) || !value.chars().allMatch(c -> (c >= ' ' && c < 0x7f) || c == '\t')) {
                throw new IllegalArgumentException("not the value of an HTTP header: \"" + value + "\"");
            }
        }

        private static boolean isTokenCharacter(int c) {
            return c < 0x7f && (Character.isLetterOrDigit(c) || TOKEN_SIGNS.indexOf(c) >= 0);
        }
    }

    /**
     * What the response must be.
     *
     * @param statuses the status is in one of these; not empty
     * @param body what the body's first 64 KiB must match, as ISO-8859-1; empty: anything will do
     */
    public record Expectation(List<StatusRange> statuses, Optional<Match> body) {
        public static final Expectation SUCCESS_OR_REDIRECT =
                new Expectation(List.of(StatusRange.SUCCESS_OR_REDIRECT), Optional.empty());

        public Expectation {
            statuses = List.copyOf(statuses);
            if (statuses.isEmpty()) {
                throw new IllegalArgumentException("some status has to be expected");
            }
        }

        public boolean accepts(int status) {
            return statuses.stream().anyMatch(range -> range.contains(status));
        }
    }

    @Override
    public String type() {
        return tls.isPresent() ? "https" : "http";
    }

    @Override
    public <T> T accept(Visitor<T> visitor) {
        return visitor.http(this);
    }
}
