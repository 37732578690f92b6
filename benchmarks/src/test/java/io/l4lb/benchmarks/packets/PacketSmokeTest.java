// SPDX-License-Identifier: Apache-2.0
package io.l4lb.benchmarks.packets;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.l4lb.test.Machine;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every case goes the way that it is about, with few packets. Nothing is asserted of times. */
@Tag("kernel")
class PacketSmokeTest {
    private static final PacketEffort LITTLE = new PacketEffort(1, 2000, 2048, 8192);
    private static final List<String> CASES = List.of(
            "tcp4-hit",
            "tcp4-hit-4k",
            "tcp4-hit-512k",
            "tcp4-syn-insert",
            "tcp4-flood",
            "tcp4-hash-only",
            "udp4-hit",
            "tcp6-hit",
            "tcp4in6-hit",
            "icmp4-ptb",
            "icmp6-ptb",
            "quic-server-id",
            "quic-initial",
            "tcp4-gue-hit",
            "not-vip");

    private final StringWriter description = new StringWriter();

    @BeforeEach
    void need() {
        Machine.needBpf();
        Machine.needNetworkNamespaces();
    }

    private List<PacketRow> measure(boolean keep) {
        return PacketFigures.measure(
                LITTLE, keep, new PrintWriter(description, true), new PrintWriter(new StringWriter()));
    }

    @Test
    void everyCaseGoesItsWay() {
        List<PacketRow> rows = measure(false);
        assertEquals(CASES, rows.stream().map(PacketRow::name).toList());
        assertEquals(
                List.of(),
                rows.stream()
                        .filter(row -> row.problem() != null)
                        .map(row -> row.name() + ": " + row.problem())
                        .toList());
        JsonNode json = new ObjectMapper().valueToTree(rows);
        for (JsonNode row : json) {
            assertTrue(row.get("nanoseconds").isDouble(), row::toString);
            assertTrue(row.get("floorMultiple").isDouble(), row::toString);
            assertTrue(CASES.contains(row.get("case").asText()), row::toString);
        }
        assertTrue(Files.notExists(root()), "what was not to be kept is gone");
    }

    @Test
    void whatIsKeptCanBeTimedByOthers() {
        measure(true);
        try {
            Machine.run("bpftool", "prog", "show", "pinned", root() + "/programs/remembering");
            assertTrue(Files.exists(root().resolve("remembering/flows")));
        } finally {
            Machine.run("umount", root().toString());
            assertTrue(root().toFile().delete());
        }
    }

    /** Where it says that its pins are. */
    private Path root() {
        Matcher program =
                Pattern.compile("program (\\S+)/programs/remembering,").matcher(description.toString());
        assertTrue(program.find(), description::toString);
        return Path.of(program.group(1));
    }
}
