// SPDX-License-Identifier: Apache-2.0
package io.l4lb.bgp.exabgp;

import io.l4lb.bgp.NeighborStatus;
import io.l4lb.bgp.RouteSpeaker;
import io.l4lb.bgp.RouteSpeakerContract;
import io.l4lb.test.Await;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

@Tag("kernel")
class ExaBgpContractKernelTest extends RouteSpeakerContract {
    @TempDir
    Path directory;

    private BgpLab lab;
    private RouteSpeaker speaker;

    @BeforeEach
    void setUp() throws IOException {
        lab = new BgpLab(directory);
        speaker = lab.speak(lab.settings(9));
    }

    @AfterEach
    void tearDown() {
        if (lab != null) {
            lab.close();
        }
    }

    @Override
    protected RouteSpeaker speaker() {
        return speaker;
    }

    @Override
    protected void awaitSessions() {
        Await.await("sessions", () -> speaker.status().neighbors().stream()
                .allMatch(neighbor -> neighbor.state() == NeighborStatus.State.UP));
    }
}
