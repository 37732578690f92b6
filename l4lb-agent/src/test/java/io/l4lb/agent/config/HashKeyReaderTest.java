// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.l4lb.agent.model.Balancing;
import io.l4lb.agent.model.Real;
import io.l4lb.agent.model.Scheduling;
import io.l4lb.agent.model.Service;
import io.l4lb.hashing.HashKey;
import io.l4lb.hashing.Scheduler;
import io.l4lb.hashing.quic.ConnectionIdLayout;
import io.l4lb.hashing.quic.ServerId;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Hash keys, and what belongs to QUIC alone. */
class HashKeyReaderTest {
    private static final String GOOD = """
            [[services]]
            name = "http3"
            vips = ["192.0.2.1"]
            protocol = "udp"
            port = 443
            hash-key = "quic-cid"
            [services.quic]
            cid-length = 8
            server-id-length = 2
            rotation = 6
            [[services.reals]]
            address = "10.0.0.1"
            server-id = "0A0b"
            [[services.reals]]
            address = "10.0.0.2"
            server-id = "0a0c"
            [[services.reals]]
            address = "10.0.0.3"
            """;

    private static final String ONLY_QUIC = "is only for hash-key \"quic-cid\"";

    @TempDir
    private Path directory = Path.of("");

    private LoadResult load(String services) {
        return new ConfigFiles(directory)
                .writeMain(ConfigFiles.SMALL)
                .writeServices("s.toml", services)
                .load();
    }

    private Service service(String text) {
        LoadResult result = load(text);
        assertEquals(List.of(), result.problems());
        return result.config().orElseThrow().services().get(0);
    }

    @Test
    void readsServerIds() {
        Service service = service(GOOD);
        assertEquals(HashKey.QUIC_CID, service.balancing().hashKey());
        assertEquals(
                Optional.of(new ConnectionIdLayout(8, 6, 2)),
                service.balancing().connectionIds());
        assertEquals(
                List.of(Optional.of(ServerId.ofHex("0a0b")), Optional.of(ServerId.ofHex("0a0c")), Optional.empty()),
                service.reals().stream().map(Real::serverId).toList());
    }

    @Test
    void warnsOfConnectionIdsThatNameNobody() {
        assertEquals(List.of(), load(GOOD).warnings());
        LoadResult result = load(GOOD.replaceAll("server-id = .*\n", ""));
        assertEquals(List.of(), result.problems());
        assertEquals(1, result.config().orElseThrow().services().size());
        assertEquals(
                List.of("6: services[0].hash-key: no real has a server-id, so no connection ID names a real: the"
                        + " 5-tuple decides, and a client whose address changes may get another real"),
                result.warnings().stream()
                        .map(warning -> warning.line() + ": " + warning.key() + ": " + warning.message())
                        .toList());
    }

    @Test
    void readsTheOtherKeys() {
        String web = ConfigFiles.service("web", "192.0.2.1", 80);
        assertEquals(HashKey.FIVE_TUPLE, service(web).balancing().hashKey());
        for (HashKey key : List.of(HashKey.FIVE_TUPLE, HashKey.THREE_TUPLE)) {
            Balancing balancing =
                    service(web + "hash-key = \"" + key.key() + "\"\n").balancing();
            assertEquals(key, balancing.hashKey());
            assertEquals(Optional.empty(), balancing.connectionIds());
        }
    }

    @Test
    void readsEveryScheduler() {
        String web = ConfigFiles.service("web", "192.0.2.1", 80);
        for (Scheduler scheduler : Scheduler.values()) {
            String line = "scheduler = \"" + scheduler.key() + "\"\n";
            assertEquals(
                    new Scheduling.ByTable(scheduler, 65537),
                    service(web + line).balancing().scheduling());
        }
    }

    @TestFactory
    Stream<DynamicTest> refusesWhatDoesNotBelongTogether() {
        return tests(
                Edit.of("\"udp\"", "\"tcp\"", "6: services[0].hash-key: \"quic-cid\" is only for protocol \"udp\""),
                Edit.of(
                        "hash-key = \"quic-cid\"\n",
                        "",
                        "6: services[0].quic: " + ONLY_QUIC,
                        "12: services[0].reals[0].server-id: " + ONLY_QUIC,
                        "15: services[0].reals[1].server-id: " + ONLY_QUIC),
                Edit.of(
                        "quic-cid",
                        "3-tuple",
                        "7: services[0].quic: " + ONLY_QUIC,
                        "13: services[0].reals[0].server-id: " + ONLY_QUIC,
                        "16: services[0].reals[1].server-id: " + ONLY_QUIC),
                Edit.of(
                        "quic-cid",
                        "quic",
                        "6: services[0].hash-key: \"quic\" is not known; use \"5-tuple\" or \"3-tuple\" or \"quic-cid\""),
                Edit.of(
                        "quic-cid\"\n[services.quic]\ncid-length = 8",
                        "quic\"\n[services.quic]\ncid-length = 80",
                        "6: services[0].hash-key: \"quic\" is not known; use \"5-tuple\" or \"3-tuple\" or \"quic-cid\"",
                        "8: services[0].quic.cid-length: 80 is out of range; use 6 to 20"),
                Edit.of(
                        GOOD.substring(GOOD.indexOf("hash-key"), GOOD.indexOf("0A0b")),
                        GOOD.substring(GOOD.indexOf("hash-key"), GOOD.indexOf("0A0b"))
                                        .replace("quic-cid", "quic") + "0c",
                        "6: services[0].hash-key: \"quic\" is not known; use \"5-tuple\" or \"3-tuple\" or \"quic-cid\"",
                        "13: services[0].reals[0].server-id: \"0c0A0b\" has 3 bytes; server-id-length is 2"),
                Edit.of(
                        "[services.quic]\ncid-length = 8\nserver-id-length = 2\nrotation = 6\n",
                        "",
                        "1: services[0].quic: is missing: where connection IDs have the server ID"),
                Edit.of(
                        "[services.quic]\ncid-length = 8\nserver-id-length = 2\nrotation = 6\n",
                        "quic = 8\n",
                        "7: services[0].quic: expected a table, found the number 8"));
    }

    @TestFactory
    Stream<DynamicTest> refusesLayouts() {
        return tests(
                Edit.of("cid-length = 8\n", "", "7: services[0].quic.cid-length: is missing"),
                Edit.of("server-id-length = 2\n", "", "7: services[0].quic.server-id-length: is missing"),
                Edit.of("rotation = 6\n", "", "7: services[0].quic.rotation: is missing"),
                Edit.of("= 8", "= 21", "8: services[0].quic.cid-length: 21 is out of range; use 6 to 20"),
                Edit.of("= 8", "= 5", "8: services[0].quic.cid-length: 5 is out of range; use 6 to 20"),
                Edit.of(
                        "= 8",
                        "= 6",
                        "8: services[0].quic.cid-length: 6 is too short: one octet, a server ID of 2 and a nonce of 4"
                                + " make 7"),
                Edit.of("= 2", "= 0", "9: services[0].quic.server-id-length: 0 is out of range; use 1 to 15"),
                Edit.of("= 2", "= 16", "9: services[0].quic.server-id-length: 16 is out of range; use 1 to 15"),
                Edit.of("= 6", "= 7", "10: services[0].quic.rotation: 7 is out of range; use 0 to 6"),
                Edit.of("= 6", "= \"6\"", "10: services[0].quic.rotation: expected a number, found the string \"6\""),
                Edit.of(
                        "rotation",
                        "rotations",
                        "7: services[0].quic.rotation: is missing",
                        "10: services[0].quic.rotations: unknown key, did you mean 'rotation'?"));
    }

    @TestFactory
    Stream<DynamicTest> refusesServerIds() {
        String key = "13: services[0].reals[0].server-id: ";
        String form = " is not a server ID; write two hexadecimal digits for each of its 1 to 15 bytes";
        return tests(
                Edit.of("0A0b", "0A0", key + "\"0A0\"" + form),
                Edit.of("0A0b", "0x0A", key + "\"0x0A\"" + form),
                Edit.of("0A0b", "", key + "\"\"" + form),
                Edit.of("0A0b", "00".repeat(16), key + "\"" + "00".repeat(16) + "\"" + form),
                Edit.of("0A0b", "0A", key + "\"0A\" has 1 bytes; server-id-length is 2"),
                Edit.of("0A0b", "0A0b0c", key + "\"0A0b0c\" has 3 bytes; server-id-length is 2"),
                Edit.of("\"0A0b\"", "10", key + "expected hexadecimal digits, found the number 10"),
                Edit.of(
                        "0a0c",
                        "0a0B",
                        "16: services[0].reals[1].server-id: 0a0b is the server ID of another real (line 13) already"),
                Edit.of(
                        "server-id =",
                        "serverid =",
                        "13: services[0].reals[0].serverid: unknown key, did you mean 'server-id'?"));
    }

    private Stream<DynamicTest> tests(Edit... edits) {
        return Stream.of(edits)
                .map(edit -> dynamicTest(edit.problems().get(0), () -> {
                    LoadResult result = load(edit.apply(GOOD));
                    assertEquals(edit.problems(), Edit.problems(result));
                }));
    }
}
