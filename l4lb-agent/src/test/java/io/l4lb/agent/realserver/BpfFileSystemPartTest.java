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
        Part part = TunnelProgram.fileSystem();
        RealServerException refusal =
                assertThrows(RealServerException.class, () -> part.write(directory.toString(), TunnelProgram.MOUNTED));
        assertTrue(String.valueOf(refusal.getMessage()).contains("would hide what is in it"), refusal::getMessage);
        assertEquals("", part.read(directory.toString()));
        assertTrue(Files.exists(directory.resolve("precious")));
    }
}
