// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import io.l4lb.agent.model.BgpSection;
import io.l4lb.agent.model.IpText;
import io.l4lb.agent.status.StatusView.BgpView;
import io.l4lb.agent.status.StatusView.NeighborView;
import io.l4lb.bgp.NeighborStatus;
import io.l4lb.bgp.ProcessStatus;
import io.l4lb.bgp.RouteSpeaker;
import io.l4lb.bgp.SpeakerStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Turns the route speaker's status into rows. */
final class Sessions {
    private final Optional<BgpSection> section;
    private final Optional<RouteSpeaker> speaker;

    Sessions(Optional<BgpSection> section, Optional<RouteSpeaker> speaker) {
        this.section = section;
        this.speaker = speaker;
    }

    BgpView view() {
        return speaker.map(RouteSpeaker::status)
                .map(this::view)
                .orElseGet(() -> new BgpView("no [bgp] in the configuration: nothing is announced", List.of()));
    }

    private BgpView view(SpeakerStatus status) {
        List<NeighborView> neighbors = new ArrayList<>();
        for (NeighborStatus neighbor : status.neighbors()) {
            neighbors.add(new NeighborView(
                    IpText.of(neighbor.address()),
                    peerAs(neighbor),
                    neighbor.state().name().toLowerCase(Locale.ROOT),
                    neighbor.since().toString(),
                    error(neighbor),
                    neighbor.announced().stream().map(Object::toString).sorted().toList()));
        }
        return new BgpView(text(status.process()), neighbors);
    }

    /** Of a session that is up, what once ended it is no error any more. */
    private static String error(NeighborStatus neighbor) {
        return neighbor.state() == NeighborStatus.State.UP
                ? ""
                : Optional.ofNullable(neighbor.lastError()).orElse("");
    }

    private static String text(ProcessStatus process) {
        String state =
                switch (process.state()) {
                    case CONNECTED -> "exabgp runs, pid " + process.pid();
                    case STARTING -> "exabgp does not answer yet, pid " + process.pid();
                    case STOPPED -> "exabgp does not run";
                };
        return state
                + (process.starts() > 1 ? ", started " + process.starts() + " times" : "")
                + (process.problem() == null ? "" : "; last problem: " + process.problem());
    }

    private long peerAs(NeighborStatus status) {
        return section.stream()
                .flatMap(bgp -> bgp.neighbors().stream())
                .filter(neighbor -> neighbor.address().equals(status.address()))
                .mapToLong(BgpSection.Neighbor::peerAs)
                .findFirst()
                .orElse(0);
    }
}
