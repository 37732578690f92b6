// SPDX-License-Identifier: Apache-2.0
package io.l4lb.bgp.exabgp;

import io.l4lb.bgp.NeighborStatus;
import io.l4lb.bgp.RouteSpeaker;
import io.l4lb.bgp.RouteSpeakerContract;
import java.io.IOException;
import java.time.Clock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;

@Tag("kernel")
class ExaBgpContractKernelTest extends RouteSpeakerContract {
    private BgpLab lab;
    private RouteSpeaker speaker;

    @BeforeEach
    void setUp() throws IOException {
        lab = new BgpLab();
        speaker = ExaBgpSpeaker.start(lab.settings(9), () -> {}, Clock.systemUTC());
    }

    @AfterEach
    void tearDown() throws IOException {
        if (speaker != null) {
            speaker.close();
        }
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
        BgpLab.await("sessions", () -> speaker.status().neighbors().stream()
                .allMatch(neighbor -> neighbor.state() == NeighborStatus.State.UP));
    }
}
