// SPDX-License-Identifier: Apache-2.0
package io.l4lb.benchmarks.ipvs;

import io.l4lb.agent.dataplane.PacketKey;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.dataplane.ServiceProgram;
import io.l4lb.agent.dataplane.ServiceProgram.Member;
import io.l4lb.agent.model.Forwarding;
import io.l4lb.agent.model.KernelScheduler;
import io.l4lb.agent.model.Protocol;
import io.l4lb.agent.model.Scheduling;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Services as the agent takes them, and as ipvsadm does.
 *
 * @param services how many, a hundred at an address
 * @param reals of each
 */
record Rules(KernelScheduler scheduler, int services, int reals) {
    private static final int PORTS = 100;

    private static InetAddress address(int second, int number) {
        try {
            return InetAddress.getByAddress(
                    new byte[] {10, (byte) second, (byte) (number >> 8), (byte) (number & 255)});
        } catch (UnknownHostException e) {
            throw new IllegalStateException("four bytes are an address", e);
        }
    }

    private static ServiceKey key(int service) {
        return new ServiceKey(address(200, 1 + service / PORTS), Protocol.TCP, 1000 + service % PORTS);
    }

    private ServiceProgram program(int service, int down) {
        List<Member> members = new ArrayList<>();
        for (int real = 0; real < reals; real++) {
            members.add(new Member(address(1, 1 + real), 1, real != down));
        }
        return new ServiceProgram(
                key(service),
                PacketKey.FIVE_TUPLE,
                Forwarding.IPIP,
                Optional.of(new Scheduling.ByKernel(scheduler)),
                Optional.empty(),
                members);
    }

    List<ServiceProgram> programs() {
        List<ServiceProgram> programs = new ArrayList<>();
        for (int service = 0; service < services; service++) {
            programs.add(program(service, -1));
        }
        return programs;
    }

    /** One service, one of whose reals is down. */
    ServiceProgram changed() {
        return program(services / 2, reals / 2);
    }

    /** For {@code ipvsadm -R}. */
    String restore() {
        String flags = scheduler == KernelScheduler.MH ? " -b mh-port,mh-fallback" : "";
        StringBuilder text = new StringBuilder();
        for (int service = 0; service < services; service++) {
            text.append("-A -t ").append(name(service)).append(" -s ").append(scheduler.key());
            text.append(flags).append('\n');
            for (int real = 0; real < reals; real++) {
                text.append("-a -t ").append(name(service)).append(" -r ").append(real(service, real));
                text.append(" -i -w 1\n");
            }
        }
        return text.toString();
    }

    /** The arguments of ipvsadm for {@link #changed}. */
    List<String> edit() {
        int service = services / 2;
        return List.of("-e", "-t", name(service), "-r", real(service, reals / 2), "-i", "-w", "0");
    }

    private static String name(int service) {
        return key(service).vip().getHostAddress() + ":" + key(service).port();
    }

    private static String real(int service, int real) {
        return address(1, 1 + real).getHostAddress() + ":" + key(service).port();
    }
}
