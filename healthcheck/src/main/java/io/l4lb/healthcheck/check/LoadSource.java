// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.check;

/** Where in an HTTP response a real says how loaded it is. */
public sealed interface LoadSource {
    /** The header {@code endpoint-load-metrics}: an ORCA report as TEXT, JSON or BIN (gRFC A51, xDS' OrcaLoadReport). */
    record Orca() implements LoadSource {}

    /** A header that has one number from 0.0 to 1.0. */
    record Header(String name) implements LoadSource {
        public Header {
            name = new HttpCheck.Header(name, "").name();
        }
    }

    /** One number from 0.0 to 1.0 in a body of JSON, named by a pointer (RFC 6901) such as {@code /load/cpu}. */
    record JsonField(String pointer) implements LoadSource {
        public JsonField {
            if (!pointer.startsWith("/")) {
                throw new IllegalArgumentException("a JSON pointer starts with a slash: " + pointer);
            }
        }
    }
}
