// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.hashing.decision.Action;
import io.l4lb.hashing.decision.PacketDecision;
import io.l4lb.hashing.decision.Verdict;
import io.l4lb.hashing.packet.Ethernet;
import io.l4lb.hashing.packet.NetworkOrder;
import java.util.Arrays;

/** What could be wrong in a frame that leaves, to see that this is noticed. */
enum Mistake {
    NONE {
        @Override
        byte[] in(byte[] frame, PacketDecision decision) {
            return frame;
        }
    },
    /** The echo reply's checksum is mended by a plain addition, whose carry is lost. */
    CARRY_LOST {
        @Override
        byte[] in(byte[] frame, PacketDecision decision) {
            int ip = ip(frame);
            if (decision.verdict() == Verdict.ANSWER_ECHO && frame[ip] >>> 4 == 4) {
                int checksum = ip + 4 * (frame[ip] & 0x0f) + 2;
                int right = NetworkOrder.u16(frame, checksum);
                NetworkOrder.put16(frame, checksum, right < 0x0800 ? right - 1 : right);
            }
            return frame;
        }
    },
    INNER_TTL_KEPT {
        @Override
        byte[] in(byte[] frame, PacketDecision decision) {
            int inner = ip(frame) + 20;
            if (isForwarded(decision) && NetworkOrder.u8(frame, inner - 11) == 4) {
                frame[inner + 8]++;
            }
            return frame;
        }
    },
    OUTER_TTL {
        @Override
        byte[] in(byte[] frame, PacketDecision decision) {
            if (isForwarded(decision) && frame[ip(frame)] >>> 4 == 6) {
                frame[ip(frame) + 7]++;
            }
            return frame;
        }
    },
    TAG_LOST {
        @Override
        byte[] in(byte[] frame, PacketDecision decision) {
            int tags = ip(frame) - RawPacket.ETHERNET;
            byte[] without = Arrays.copyOf(frame, frame.length - tags);
            System.arraycopy(frame, 12 + tags, without, 12, frame.length - 12 - tags);
            return without;
        }
    },
    GUE_SOURCE_PORT {
        @Override
        byte[] in(byte[] frame, PacketDecision decision) {
            int ip = ip(frame);
            if (isForwarded(decision) && NetworkOrder.u8(frame, ip + 9) == 17 && frame[ip] >>> 4 == 4) {
                frame[ip + 21] ^= 1;
            }
            return frame;
        }
    },
    SHORTER_QUOTE {
        @Override
        byte[] in(byte[] frame, PacketDecision decision) {
            boolean quotes = decision.verdict() == Verdict.ANSWER_TOO_BIG;
            return quotes ? Arrays.copyOf(frame, frame.length - 1) : frame;
        }
    },
    SHORTER_QUOTE_OF_QUOTE {
        @Override
        byte[] in(byte[] frame, PacketDecision decision) {
            boolean quotes = decision.verdict() == Verdict.ANSWER_PATH_MTU;
            return quotes ? Arrays.copyOf(frame, frame.length - 1) : frame;
        }
    },
    /** The family of the router's message, not that of the packet inside. */
    OTHER_FAMILY_OF_ANSWER {
        @Override
        byte[] in(byte[] frame, PacketDecision decision) {
            if (decision.verdict() == Verdict.ANSWER_PATH_MTU && frame[ip(frame)] >>> 4 == 6) {
                NetworkOrder.put16(frame, ip(frame) - 2, Ethernet.IPV4);
            }
            return frame;
        }
    },
    /** As the router told it, without the room that the tunnel takes. */
    PATH_MTU_WITH_TUNNEL {
        @Override
        byte[] in(byte[] frame, PacketDecision decision) {
            int mtu = ip(frame) + 20 + 6;
            if (decision.verdict() == Verdict.ANSWER_PATH_MTU && frame[ip(frame)] >>> 4 == 4) {
                NetworkOrder.put16(frame, mtu, NetworkOrder.u16(frame, mtu) + 20);
            }
            return frame;
        }
    },
    OTHER_TOLD_MTU {
        @Override
        byte[] in(byte[] frame, PacketDecision decision) {
            if (decision.verdict() == Verdict.ANSWER_TOO_BIG) {
                frame[ip(frame) + (frame[ip(frame)] >>> 4 == 4 ? 20 : 40) + 7]++;
            }
            return frame;
        }
    };

    /**
     * The frame with that mistake, if there is a place for it.
     *
     * @param frame that should leave; may be changed
     */
    abstract byte[] in(byte[] frame, PacketDecision decision);

    private static int ip(byte[] frame) {
        return Ethernet.read(frame).orElseThrow().length();
    }

    private static boolean isForwarded(PacketDecision decision) {
        return decision.verdict().action() == Action.TRANSMIT
                && decision.verdict().name().startsWith("FORWARD");
    }
}
