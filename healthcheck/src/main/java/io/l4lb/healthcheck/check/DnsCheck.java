// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.check;

import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/**
 * One DNS query over UDP (RFC 1035), answered NOERROR.
 *
 * @param name of the question, without the last dot; empty: the root
 * @param answer what a record of the answer section of that type must be, as text: an address, a name, a TXT's text; empty: an answer
 *     section that is not empty
 */
public record DnsCheck(String name, Type recordType, Optional<String> answer) implements Check {
    /** The types of records that can be asked for, with their numbers as {@code DnsRecordType.valueOf} knows them. */
    public enum Type {
        A,
        AAAA,
        CNAME,
        MX,
        NS,
        PTR,
        SOA,
        SRV,
        TXT;

        /** As the configuration writes it. */
        public String key() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    public DnsCheck {
        Objects.requireNonNull(recordType, "recordType");
        if (name.length() > 253) {
            throw new IllegalArgumentException("a name of DNS has at most 253 characters: " + name);
        }
    }

    @Override
    public String type() {
        return "dns";
    }

    @Override
    public <T> T accept(Visitor<T> visitor) {
        return visitor.dns(this);
    }
}
