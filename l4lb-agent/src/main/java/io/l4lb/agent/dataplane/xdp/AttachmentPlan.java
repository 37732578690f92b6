// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.hashing.HashSeed;
import io.l4lb.xdp.XdpMode;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/**
 * What is to be attached, and where.
 *
 * @param interfaces names; packets come in by them
 * @param pinDir in a bpffs
 * @param chain whether a program that somebody else has put on an interface is kept behind the balancer, else refused
 * @param constants {@code struct constants} of {@code l4lb.h}; {@code chain} in it is set where it is needed
 */
record AttachmentPlan(
        List<String> interfaces, XdpMode mode, Path pinDir, FlowTable flows, boolean chain, ByteBuffer constants) {
    AttachmentPlan {
        interfaces = List.copyOf(interfaces);
        constants = constants.asReadOnlyBuffer();
    }

    /**
     * The flow table.
     *
     * @param size entries
     * @param shared whether all CPUs share one list of what is to be forgotten first, else each has its own
     * @param migrate whether flows that are pinned with another layout are taken over, else forgotten
     * @param seed of the flow hash
     */
    record FlowTable(int size, boolean shared, boolean migrate, HashSeed seed) {
        private static final int NO_COMMON_LRU = 2;

        /** BPF_F_* of the map. */
        int flags() {
            return shared ? 0 : NO_COMMON_LRU;
        }
    }
}
