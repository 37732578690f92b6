// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.mark;

import static io.l4lb.test.Address.ip;

import io.l4lb.agent.dataplane.PacketKey;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.dataplane.ServiceProgram;
import io.l4lb.agent.model.Forwarding;
import io.l4lb.agent.model.Protocol;
import io.l4lb.agent.model.Real;
import io.l4lb.hashing.HashSeed;
import io.l4lb.hashing.LookupTable;
import io.l4lb.hashing.Scheduler;
import io.l4lb.hashing.WeightedReal;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Services, reals and marks of these tests. */
final class Marked {
    static final HashSeed SEED = new HashSeed(0x0706050403020100L, 0x0f0e0d0c0b0a0908L);
    static final ServiceKey DNS = new ServiceKey(ip("192.0.2.10"), Protocol.UDP, 53);
    static final ServiceKey WEB = new ServiceKey(ip("192.0.2.10"), Protocol.TCP, 80);
    static final InetAddress ONE = ip("10.3.0.1");
    static final InetAddress TWO = ip("10.3.0.2");
    static final int MARK_ONE = 0x4c340001;
    static final int MARK_TWO = 0x4c340002;
    private static final int SLOTS = 1021;

    private Marked() {}

    static int mark(InetAddress real) {
        return real.equals(ONE) ? MARK_ONE : MARK_TWO;
    }

    /** All flows go to these reals, evenly. */
    static ServiceProgram program(ServiceKey key, Forwarding forwarding, InetAddress... reals) {
        List<WeightedReal> weighted = new ArrayList<>();
        for (InetAddress real : reals) {
            weighted.add(new WeightedReal(Real.identity(real), 1));
        }
        LookupTable table = Scheduler.KETAMA.build(weighted, SLOTS, SEED);
        return new ServiceProgram(key, PacketKey.FIVE_TUPLE, forwarding, table, Set.of(reals));
    }

    static Map<InetAddress, Integer> marks() {
        return Map.of(ONE, MARK_ONE, TWO, MARK_TWO);
    }
}
