// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import static io.l4lb.test.Address.ip;

import io.l4lb.agent.dataplane.PacketKey;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.dataplane.ServiceProgram;
import io.l4lb.agent.dataplane.ServiceProgram.Member;
import io.l4lb.agent.model.Forwarding;
import io.l4lb.agent.model.KernelScheduler;
import io.l4lb.agent.model.Protocol;
import io.l4lb.agent.model.Scheduling;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;

/** Programs of services that the kernel schedules, for tests. */
final class Programs {
    static final ServiceKey WEB = new ServiceKey(ip("192.0.2.10"), Protocol.TCP, 80);
    static final ServiceKey DNS = new ServiceKey(ip("192.0.2.10"), Protocol.UDP, 53);

    private Programs() {}

    static Member up(InetAddress real, int weight) {
        return new Member(real, weight, true);
    }

    static Member down(InetAddress real, int weight) {
        return new Member(real, weight, false);
    }

    static ServiceProgram of(ServiceKey key, KernelScheduler scheduler, Member... members) {
        return of(key, scheduler, Forwarding.IPIP, List.of(members));
    }

    static ServiceProgram of(ServiceKey key, KernelScheduler scheduler, Forwarding forwarding, List<Member> members) {
        return new ServiceProgram(
                key,
                PacketKey.FIVE_TUPLE,
                forwarding,
                Optional.of(new Scheduling.ByKernel(scheduler)),
                Optional.empty(),
                members);
    }
}
