// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import io.l4lb.agent.dataplane.ipvs.host.Incarnation;
import io.l4lb.agent.dataplane.ipvs.host.KeptMarks;
import io.l4lb.agent.dataplane.ipvs.host.OwnedServices;
import io.l4lb.agent.model.IpvsSection.Maglev;
import io.l4lb.ipvs.DestinationEntry;
import io.l4lb.ipvs.IpvsClient;
import io.l4lb.ipvs.ServiceEntry;
import io.l4lb.ipvs.ServiceIdentity;
import io.l4lb.ipvs.fake.FakeIpvs;
import io.l4lb.netlink.AttributeReader;
import io.l4lb.netlink.Errno;
import io.l4lb.netlink.NetlinkMessage;
import io.l4lb.netlink.NetlinkSocket;
import io.l4lb.netlink.NetlinkTransport;
import io.l4lb.netlink.Octets;
import io.l4lb.netlink.OctetsWriter;
import io.l4lb.netlink.generic.GenericNetlink;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/** A fake kernel that counts what an agent writes, and can end the agent, or refuse it, at any message. */
final class PlayedKernel {
    static final Duration DRAIN = Duration.ofMinutes(5);

    private static final int NEW_SERVICE = 1;
    private static final int SET_DESTINATION = 6;
    private static final int DELETE_DESTINATION = 7;
    private static final int LISTS = 8;

    final FakeIpvs fake = new FakeIpvs();
    /** What somebody else sees and does. */
    final IpvsClient others = fake.client();

    private Path state;
    /** What mh keeps of a destination at a weight of 0, which nobody can ask the kernel for. */
    private final Map<String, Integer> lastWeights = new TreeMap<>();

    private final List<Integer> writes = new ArrayList<>();
    private Consumer<Integer> beforeWrite = number -> {};

    /** The agent ends here. */
    static final class Killed extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    PlayedKernel(Path state) {
        this.state = state;
    }

    /** Ends the agent instead of letting it send that many changes and one more. */
    void killAfter(int changes) {
        int end = writes.size() + changes;
        beforeWrite = number -> {
            if (number >= end) {
                throw new Killed();
            }
        };
    }

    /** Refuses one change, after so many. */
    void refuseAfter(int changes, Errno errno) {
        int refused = writes.size() + changes;
        beforeWrite = number -> {
            if (number == refused) {
                fake.failNext(errno);
            }
        };
    }

    /** The next agent knows nothing. */
    void loseState() {
        state = state.resolve("lost");
    }

    void behave() {
        beforeWrite = number -> {};
    }

    /** The commands (IPVS_CMD_) that changed something, of agents, refused ones too; they are forgotten. */
    List<Integer> writes() {
        List<Integer> since = List.copyOf(writes);
        writes.clear();
        return since;
    }

    /** The client of an agent. */
    IpvsClient client() {
        return IpvsClient.over(GenericNetlink.over(NetlinkSocket.over(new Watched(fake.transport()))));
    }

    KernelServices services() {
        Claims claims = new Claims(new OwnedServices(state, Incarnation.current()));
        return new KernelServices(new Kernel(client()), claims, Maglev.KERNEL, DRAIN, Runnable::run);
    }

    MarkServices marks() {
        return new MarkServices(new Kernel(client()), new KeptMarks(state, Incarnation.current()), DRAIN);
    }

    /** All that decides what becomes of packets, and what is known as ours. */
    String everything() {
        Map<String, Map<String, Integer>> claims = new TreeMap<>();
        new OwnedServices(state, Incarnation.current()).claims().forEach((key, nominal) -> {
            Map<String, Integer> sorted = new TreeMap<>();
            nominal.forEach((real, weight) -> sorted.put(real.getHostAddress(), weight));
            claims.put(key.toString(), sorted);
        });
        return dump() + "\nlast weights " + lastWeights + "\nclaims " + claims;
    }

    /** Services and destinations, in the kernel's order. */
    String dump() {
        StringBuilder text = new StringBuilder();
        for (ServiceEntry entry : others.services()) {
            text.append(entry.service()).append('\n');
            others.destinations(entry.service().identity())
                    .forEach(
                            each -> text.append("  ").append(each.destination()).append('\n'));
        }
        return text.toString();
    }

    /** Weight by real, in the kernel's order. */
    Map<InetAddress, Integer> weights(ServiceIdentity service) {
        Map<InetAddress, Integer> weights = new LinkedHashMap<>();
        for (DestinationEntry entry : others.destinations(service)) {
            weights.put(
                    entry.destination().identity().address(),
                    entry.destination().settings().weight());
        }
        return weights;
    }

    private void note(int command, Octets payload) {
        AttributeReader attributes = AttributeReader.of(payload.from(4));
        if (command < SET_DESTINATION - 1 || command > DELETE_DESTINATION) {
            return;
        }
        AttributeReader destination = AttributeReader.of(attributes.find(2).orElseThrow());
        String key = attributes.find(1).orElseThrow().toHex() + " "
                + destination.find(1).orElseThrow().toHex();
        if (command == DELETE_DESTINATION) {
            lastWeights.remove(key);
            return;
        }
        int weight = destination.find(4).orElseThrow().i32Host(0);
        if (weight != 0) {
            lastWeights.put(key, weight);
        }
    }

    private final class Watched implements NetlinkTransport {
        private final NetlinkTransport kernel;

        Watched(NetlinkTransport kernel) {
            this.kernel = kernel;
        }

        @Override
        public void send(Octets datagram) {
            for (NetlinkMessage message : NetlinkMessage.decodeAll(datagram)) {
                int command = message.payload().u8(0);
                boolean writes = message.type() > 0x10
                        && command >= NEW_SERVICE
                        && command != 4
                        && command != 11
                        && command != 13
                        && command != 15
                        && command != LISTS;
                if (writes) {
                    beforeWrite.accept(PlayedKernel.this.writes.size());
                    PlayedKernel.this.writes.add(command);
                    note(command, message.payload());
                }
                kernel.send(new OctetsWriter().octets(message.encode()).toOctets());
            }
        }

        @Override
        public Optional<Octets> receive(Duration timeout) {
            return kernel.receive(timeout);
        }

        @Override
        public void close() {
            kernel.close();
        }
    }
}
