// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.realserver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BpfFileSystemPartTest {
    @Test
    void nothingIsMountedOverWhatIsThere(@TempDir Path directory) throws IOException {
        Files.createFile(directory.resolve("precious"));
        Part part = new BpfFileSystem();
        RealServerException refusal =
                assertThrows(RealServerException.class, () -> part.write(directory.toString(), BpfFileSystem.MOUNTED));
        assertTrue(String.valueOf(refusal.getMessage()).contains("would hide what is in it"), refusal::getMessage);
        assertEquals(part.refusal(directory.toString(), BpfFileSystem.MOUNTED), refusal.getMessage());
        assertEquals("", part.read(directory.toString()));
        assertTrue(Files.exists(directory.resolve("precious")));
    }

    @Test
    void nothingIsRefusedWhereOneCanBeMounted(@TempDir Path directory) {
        Part part = new BpfFileSystem();
        assertEquals("", part.refusal(directory.toString(), BpfFileSystem.MOUNTED));
        assertEquals("", part.refusal(directory.resolve("a/b").toString(), BpfFileSystem.MOUNTED));
    }

    @Test
    void aFileIsNoPlaceForOne(@TempDir Path directory) throws IOException {
        Path file = Files.createFile(directory.resolve("file"));
        assertEquals(
                "no bpffs at " + file + ", and none can be mounted there: it is not a directory",
                new BpfFileSystem().refusal(file.toString(), BpfFileSystem.MOUNTED));
    }

    @Test
    void aProgramIsRefusedWhereItsPinsCannotBe() {
        assertEquals(
                "/sys/fs/bpf/a.b cannot be made: names on a bpffs have no dots",
                new TunnelProgram(Path.of("/sys/fs/bpf/a.b")).refusal("eth0", "build 1"));
    }
}
