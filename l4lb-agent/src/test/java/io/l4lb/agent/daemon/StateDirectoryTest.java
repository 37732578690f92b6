// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.dataplane.DataplaneException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class StateDirectoryTest {
    @TempDir
    private Path directory;

    @Test
    void isMadeAndHeldUntilClosed() throws IOException {
        Path state = directory.resolve("a/b");
        try (StateDirectory held = StateDirectory.lock(state)) {
            assertEquals(state, held.directory());
            DataplaneException refused = assertThrows(DataplaneException.class, () -> StateDirectory.lock(state));
            assertTrue(refused.toString().contains("another agent is running"), refused.toString());
        }
        StateDirectory.lock(state).close();
    }

    @Test
    void saysWhatIsWrongWithIt() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "");
        DataplaneException refused =
                assertThrows(DataplaneException.class, () -> StateDirectory.lock(file.resolve("state")));
        assertTrue(refused.toString().contains("cannot use state-dir"), refused.toString());
    }
}
