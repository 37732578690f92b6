// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The types of checks, and which keys are for which of them. */
enum CheckType {
    TCP,
    HTTP,
    HTTPS,
    GRPC,
    TLS,
    UDP,
    DNS,
    ICMP,
    EXEC;

    private static final Choice<CheckType> TYPES = Choice.of(values(), CheckType::key);
    private static final Map<String, Set<CheckType>> KEYS = keys();

    /** As written in the configuration. */
    String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** TCP if the table does not say. */
    static Optional<CheckType> read(Table table) {
        return table.has("type") ? table.value("type", "a string", TYPES::parse) : Optional.of(TCP);
    }

    void refuseKeysOfOthers(Table table) {
        KEYS.forEach((key, types) -> {
            if (!types.contains(this) && table.has(key)) {
                table.problem(key, "is only for a check of type " + anyOf(types));
            }
        });
    }

    /** {@code "http" or "https"}. */
    static String anyOf(Set<CheckType> types) {
        return EnumSet.copyOf(types).stream()
                .map(type -> Shown.quoted(type.key()))
                .collect(Collectors.joining(" or "));
    }

    private static Map<String, Set<CheckType>> keys() {
        Map<String, Set<CheckType>> keys = new LinkedHashMap<>();
        put(keys, EnumSet.of(TCP, UDP), "send", "send-hex", "expect", "expect-regex");
        put(keys, EnumSet.of(TCP), "agent-check");
        put(keys, EnumSet.of(HTTP, HTTPS), "method", "path", "host", "headers", "status", "body", "body-regex", "load");
        put(keys, EnumSet.of(GRPC), "tls", "grpc-service", "authority");
        put(
                keys,
                EnumSet.of(HTTPS, TLS, GRPC),
                "server-name",
                "verify",
                "ca-file",
                "client-cert-file",
                "client-key-file",
                "min-days");
        put(keys, EnumSet.of(DNS), "query-name", "query-type", "answer");
        put(keys, EnumSet.of(EXEC), "command");
        return keys;
    }

    private static void put(Map<String, Set<CheckType>> keys, Set<CheckType> types, String... names) {
        for (String name : names) {
            keys.put(name, types);
        }
    }
}
