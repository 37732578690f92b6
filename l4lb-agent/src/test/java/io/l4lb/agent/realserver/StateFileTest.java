// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.realserver;

import static io.l4lb.test.Address.ip;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StateFileTest {
    @TempDir
    Path directory;

    private Path file() {
        return directory.resolve("a/b/real.json");
    }

    @Test
    void whatIsSavedIsLoaded() {
        SetupRequest request = new SetupRequest(
                List.of(ip("192.0.2.10"), ip("2001:db8::10")),
                Optional.of("eth0.100"),
                Method.BPF,
                List.of(Prefix.parse("10.0.0.0/8")),
                Path.of("/sys/fs/bpf/x"));
        List<Entry> entries = List.of(
                new Entry(Item.setting("net/ipv4/conf/eth0.100/arp_ignore"), "0", "1"),
                new Entry(Item.address(ip("192.0.2.10"), "lo"), "", "present"));
        try (StateFile state = StateFile.open(file())) {
            assertEquals(Optional.empty(), state.load());
            state.save(new SetupRecord(request, entries));
        }
        SetupRecord loaded = StateFile.load(file()).orElseThrow();
        assertEquals(request, loaded.request());
        assertEquals(entries, loaded.entries());
    }

    @Test
    void onlyOneCommandAtATime() {
        try (StateFile state = StateFile.open(file())) {
            RealServerException e = assertThrows(RealServerException.class, () -> StateFile.open(file()));
            assertTrue(e.problems().get(0).startsWith("another l4lb real command is running"), e::getMessage);
            state.delete();
        }
        StateFile.open(file()).close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "{}",
                "[]",
                "{\"version\": 2}",
                "{\"version\": 1}",
                "{\"version\": 1, \"request\": {\"vips\": [\"x\"]}, \"pieces\": []}",
                "{\"version\": 1, \"request\": {\"vips\": []}, \"pieces\": [{\"kind\": \"MOON\"}]}",
            })
    void brokenFilesAreRefusedByName(String content) throws IOException {
        Path file = directory.resolve("real.json");
        Files.writeString(file, content);
        RealServerException e = assertThrows(RealServerException.class, () -> StateFile.load(file));
        assertEquals(1, e.problems().size());
        assertTrue(
                e.problems()
                        .get(0)
                        .matches(
                                "\\Q" + file
                                        + "\\E (is of version 2, this l4lb knows 1|is not what l4lb real setup writes(: no JSON in line \\d)?)"),
                e::getMessage);
    }

    @Test
    void whatIsNoStateFileIsNotReadWhole() throws IOException {
        Path huge = directory.resolve("huge");
        try (RandomAccessFile file = new RandomAccessFile(huge.toFile(), "rw")) {
            file.setLength(1L << 40);
        }
        assertEquals(List.of(huge + " is too large: more than 4 MiB"), problems(huge));
        assertEquals(List.of("/dev/full is not a regular file"), problems(Path.of("/dev/full")));
        assertEquals(List.of(directory + " is not a regular file"), problems(directory));
    }

    private static List<String> problems(Path file) {
        return assertThrows(RealServerException.class, () -> StateFile.load(file))
                .problems();
    }

    @Test
    void aDirectoryThatCannotBeMadeIsNamed() throws IOException {
        Path plain = Files.writeString(directory.resolve("plain"), "");
        RealServerException e =
                assertThrows(RealServerException.class, () -> StateFile.open(plain.resolve("real.json")));
        assertEquals(List.of("cannot use " + plain.resolve("real.json") + ": a file is in the way"), e.problems());
    }
}
