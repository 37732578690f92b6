// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.mark;

import io.l4lb.agent.dataplane.ObservedService;
import io.l4lb.agent.dataplane.PacketKey;
import io.l4lb.agent.dataplane.ProbePath;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.dataplane.ServiceProgram;
import io.l4lb.agent.dataplane.TableService;
import java.net.InetAddress;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the kernel does for a service whose packets are marked, read back.
 *
 * @param table of the service; how packets travel is no matter of it
 * @param marks of the active reals; 0: none, which is a mistake
 * @param ways that marks stand for; empty: not known, and any mark will do
 */
public record MarkedService(TableService table, Map<InetAddress, Integer> marks, Optional<Map<Integer, ProbePath>> ways)
        implements ObservedService {
    public MarkedService {
        marks = Map.copyOf(marks);
        ways = ways.map(Map::copyOf);
    }

    @Override
    public ServiceKey key() {
        return table.key();
    }

    @Override
    public int tableSize() {
        return table.tableSize();
    }

    @Override
    public long digest() {
        return table.digest();
    }

    @Override
    public Map<InetAddress, Integer> slots() {
        return table.slots();
    }

    @Override
    public Set<InetAddress> active() {
        return table.active();
    }

    @Override
    public PacketKey packetKey() {
        return table.packetKey();
    }

    @Override
    public boolean forwards() {
        return table.forwards();
    }

    @Override
    public boolean does(ServiceProgram program) {
        return program.lookup().isPresent()
                && table.does(program)
                && program.active().stream().allMatch(real -> leads(real, new ProbePath(real, program.forwarding())));
    }

    private boolean leads(InetAddress real, ProbePath way) {
        int mark = marks.getOrDefault(real, 0);
        return mark != 0 && ways.map(known -> way.equals(known.get(mark))).orElse(true);
    }
}
