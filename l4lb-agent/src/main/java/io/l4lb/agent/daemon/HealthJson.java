// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.l4lb.agent.control.Json;
import io.l4lb.agent.file.FileBytes;
import io.l4lb.agent.reconcile.Freeze;
import io.l4lb.agent.reconcile.HealthRecord;
import io.l4lb.healthcheck.HealthState;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** A {@link HealthRecord} as JSON. */
final class HealthJson {
    private static final int VERSION = 1;
    /** Larger files are none of ours. */
    private static final int MAX_BYTES = 256 << 20;

    private HealthJson() {}

    private record Document(int version, Map<String, Row> reals, Map<String, Rule> frozen, Held held) {}

    private record Row(String state, String since, int flaps, String reason) {}

    private record Rule(List<String> good, String reason) {}

    private record Held(Set<String> accepted, Map<String, Boolean> reals) {}

    /** @throws IOException whose message says in a few words, without the path, why there is nothing to be had from it */
    static HealthRecord read(Path file) throws IOException {
        byte[] bytes = FileBytes.read(file, MAX_BYTES);
        try {
            Document document = Json.read(Json.parse(new String(bytes, StandardCharsets.UTF_8)), Document.class);
            if (document.version() != VERSION && document.version() > 0) {
                throw new IOException("is of version " + document.version() + ", this l4lb knows " + VERSION);
            }
            return record(document);
        } catch (JsonProcessingException | IllegalArgumentException | NullPointerException | DateTimeException e) {
            throw new IOException("is damaged", e);
        }
    }

    private static HealthRecord record(Document document) {
        if (document.version() != VERSION) {
            throw new IllegalArgumentException("no version");
        }
        Map<String, HealthRecord.Known> reals = new HashMap<>();
        document.reals()
                .forEach((probe, row) -> reals.put(
                        probe,
                        new HealthRecord.Known(
                                HealthState.valueOf(row.state().toUpperCase(Locale.ROOT)),
                                Instant.parse(row.since()),
                                row.flaps(),
                                row.reason())));
        Map<String, Freeze.Rule> rules = new HashMap<>();
        document.frozen().forEach((name, rule) -> rules.put(name, new Freeze.Rule(rule.good(), rule.reason())));
        return new HealthRecord(
                reals,
                new Freeze.Saved(
                        rules, document.held().accepted(), document.held().reals()));
    }

    static byte[] bytes(HealthRecord record) {
        Map<String, Row> reals = new TreeMap<>();
        record.reals()
                .forEach((probe, known) -> reals.put(
                        probe,
                        new Row(
                                known.state().name().toLowerCase(Locale.ROOT),
                                known.since().toString(),
                                known.flaps(),
                                known.reason())));
        Map<String, Rule> rules = new TreeMap<>();
        record.freeze().rules().forEach((name, rule) -> rules.put(name, new Rule(rule.good(), rule.reason())));
        return Json.bytes(new Document(
                VERSION,
                reals,
                rules,
                new Held(
                        new TreeSet<>(record.freeze().accepted()),
                        new TreeMap<>(record.freeze().held()))));
    }
}
