// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Sets of flows as a service sees them: all alike but for a few bits that count up. All keys of a set differ. */
enum Traffic {
    /** Thousands of users behind one address: its source ports from 1024 up. */
    PORTS_OF_ONE_NAT_ADDRESS(65536 - 1024) {
        @Override
        FlowKey flow(int i) {
            return tcp4(0xcb007107, 1024 + i);
        }
    },
    /** The same source port from each address of one /24. */
    ONE_SLASH24(256) {
        @Override
        FlowKey flow(int i) {
            return tcp4(0xc0000200 + i, 40000);
        }
    },
    /** The same source port from each address of 256 /24s, one behind the other. */
    MANY_SLASH24S(65536) {
        @Override
        FlowKey flow(int i) {
            return tcp4(0x0a200000 + i, 40000);
        }
    },
    /** 256 ports that count up, from each address of one /24. */
    PORTS_OF_A_SLASH24(65536) {
        @Override
        FlowKey flow(int i) {
            return tcp4(0xc0000200 + (i >> 8), 32768 + (i & 0xff));
        }
    },
    /** One port from hosts of one /64 that are numbered from 1. */
    HOSTS_OF_ONE_SLASH64(65536) {
        @Override
        FlowKey flow(int i) {
            return udp6(0x20010db800010002L, 1 + i);
        }
    },
    /** One port from the host ::1 of each /64 of one /48. */
    SLASH64S_OF_ONE_SLASH48(65536) {
        @Override
        FlowKey flow(int i) {
            return udp6(0x20010db800010000L + i, 1);
        }
    },
    /** The 3-tuples of each address of a /16: nothing but two bytes differ. */
    THREE_TUPLES_OF_A_SLASH16(65536) {
        @Override
        FlowKey flow(int i) {
            return tcp4(0xac100000 + i, i).threeTuple();
        }
    },
    /** One client that tries each port of an any-port service, from one source port. */
    ALL_PORTS_OF_A_VIP(65536) {
        @Override
        FlowKey flow(int i) {
            return new FlowKey(ipv4(0xc0000201), 40000, ipv4(0xc6336407), i, 6);
        }
    };

    private final int count;

    Traffic(int count) {
        this.count = count;
    }

    /** How many flows there are. */
    int count() {
        return count;
    }

    /** One of them, numbered from 0. */
    abstract FlowKey flow(int i);

    /** Their {@link FlowKey#encode encoded} keys. */
    Stream<byte[]> keys() {
        return IntStream.range(0, count).mapToObj(i -> flow(i).encode());
    }

    private static FlowKey tcp4(int client, int port) {
        return new FlowKey(ipv4(client), port, ipv4(0xc6336407), 443, 6);
    }

    private static FlowKey udp6(long prefix, long host) {
        byte[] vip = HexFormat.of().parseHex("20010db8ffff00000000000000000007");
        byte[] client = ByteBuffer.allocate(16).putLong(prefix).putLong(host).array();
        return new FlowKey(address(client), 40000, address(vip), 443, 17);
    }

    private static InetAddress ipv4(int address) {
        return address(ByteBuffer.allocate(4).putInt(address).array());
    }

    private static InetAddress address(byte[] bytes) {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }
}
