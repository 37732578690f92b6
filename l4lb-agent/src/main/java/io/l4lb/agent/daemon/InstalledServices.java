// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import io.l4lb.agent.dataplane.Dataplane;
import io.l4lb.agent.dataplane.ModelServices;
import io.l4lb.agent.dataplane.ObservedService;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.dataplane.ServiceProgram;
import io.l4lb.agent.model.Real;
import io.l4lb.agent.reconcile.DesiredService;
import io.l4lb.agent.reconcile.Outcome;
import io.l4lb.hashing.decision.Memory;
import io.l4lb.hashing.decision.PacketDecision;
import io.l4lb.hashing.decision.PacketModel;
import io.l4lb.hashing.decision.Remembered;
import io.l4lb.hashing.decision.Service;
import io.l4lb.hashing.decision.ServiceFlow;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What the dataplane does for one VIP, or for all, for the packet model.
 *
 * @param programs by the name of their key
 */
record InstalledServices(Map<String, ServiceProgram> programs) {
    InstalledServices {
        programs = Map.copyOf(programs);
    }

    /**
     * Those that matter for a packet to that address: of a VIP its own; of another address all, since a router may speak
     * to a director's about a packet to any VIP. What is not as it should be is read from the kernel.
     */
    static InstalledServices at(InetAddress address, Outcome outcome, Dataplane dataplane) {
        boolean isVip =
                outcome.observed().keySet().stream().anyMatch(key -> key.vip().equals(address));
        Map<ServiceKey, ServiceProgram> desired = new HashMap<>();
        outcome.desired().stream().map(DesiredService::program).forEach(program -> desired.put(program.key(), program));
        Map<String, ServiceProgram> programs = new LinkedHashMap<>();
        for (ObservedService observed : outcome.observed().values()) {
            ServiceKey key = observed.key();
            if (!isVip || key.vip().equals(address)) {
                Optional.ofNullable(desired.get(key))
                        .filter(observed::does)
                        .or(() -> dataplane.installed(key))
                        .ifPresent(program -> programs.put(key.toString(), program));
            }
        }
        return new InstalledServices(programs);
    }

    /** The same with another program for one of them. */
    InstalledServices with(ServiceProgram program) {
        Map<String, ServiceProgram> changed = new HashMap<>(programs);
        changed.put(program.key().toString(), program);
        return new InstalledServices(changed);
    }

    /** The program of a service of the model. */
    Optional<ServiceProgram> program(Service service) {
        return Optional.ofNullable(programs.get(service.name()));
    }

    /** Decides, and changes nothing. The dataplane's flow table is asked; it keeps no memory of fragments that shows. */
    PacketDecision decide(byte[] frame, Dataplane dataplane) {
        PacketModel model = new PacketModel(
                ModelServices.of(programs.values()), dataplane.settings(), flows(dataplane), Memory.none());
        return model.decide(frame);
    }

    private Memory<ServiceFlow> flows(Dataplane dataplane) {
        return new Memory<>() {
            @Override
            public Optional<Remembered> recall(ServiceFlow flow) {
                return Optional.ofNullable(programs.get(flow.service()))
                        .flatMap(program -> dataplane.remembered(program.key(), flow.key()))
                        .map(real -> new Remembered(flow.service(), Real.identity(real)));
            }

            @Override
            public void remember(ServiceFlow flow, Remembered real) {}
        };
    }
}
