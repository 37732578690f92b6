// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.internal.jnr;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import jnr.ffi.Runtime;

/** Opens sockets for ICMP echo requests. Any thread may call it. */
public final class EchoSockets {
    // include/uapi: linux/socket.h, asm-generic/socket.h, linux/in.h, linux/in6.h, linux/icmp.h, linux/icmpv6.h
    private static final int AF_INET = 2;
    private static final int AF_INET6 = 10;
    private static final int SOCK_RAW_NONBLOCK_CLOEXEC = 3 | 0x800 | 0x80000;
    private static final int IPPROTO_ICMP = 1;
    private static final int IPPROTO_ICMPV6 = 58;
    private static final int SOL_SOCKET = 1;
    private static final int SO_MARK = 36;
    private static final int IPPROTO_IP = 0;
    private static final int IP_MTU_DISCOVER = 10;
    private static final int IP_RECVERR = 11;
    private static final int IPPROTO_IPV6 = 41;
    private static final int IPV6_MTU_DISCOVER = 23;
    private static final int IPV6_RECVERR = 25;
    private static final int PMTUDISC_PROBE = 3;
    private static final int SOL_RAW = 255;
    private static final int FILTER = 1; // ICMP_FILTER and ICMPV6_FILTER
    private static final int ECHO_REPLY = 0;
    private static final int ECHO_REPLY_6 = 129;
    private static final int TYPES_OF_ICMPV6 = 256;

    private static final int SOCKADDR_IN = 16;
    private static final int SOCKADDR_IN6 = 28;

    private final LibC libc = LibC.load();
    private final Runtime runtime = Runtime.getRuntime(libc);

    /**
     * A non-blocking raw socket, connected, that gets nothing but echo replies of that address. Its packets have DF set and are never
     * fragmented, whatever path MTU the kernel remembers. Needs CAP_NET_RAW.
     *
     * @param mark SO_MARK; 0: none
     * @return its descriptor, which the caller closes
     * @throws EchoSocketException if the kernel refuses
     */
    public int open(InetAddress destination, int mark) {
        boolean v4 = destination instanceof Inet4Address;
        int descriptor =
                libc.socket(v4 ? AF_INET : AF_INET6, SOCK_RAW_NONBLOCK_CLOEXEC, v4 ? IPPROTO_ICMP : IPPROTO_ICMPV6);
        if (descriptor < 0) {
            throw new EchoSocketException("open an ICMP socket", runtime.getLastError());
        }
        try {
            configure(descriptor, v4, mark);
            connect(descriptor, destination);
            return descriptor;
        } catch (EchoSocketException refused) {
            close(descriptor);
            throw refused;
        }
    }

    /** For a descriptor that nobody else closes. */
    public void close(int descriptor) {
        var unused = libc.close(descriptor); // Linux frees it whatever it says
    }

    private void configure(int descriptor, boolean v4, int mark) {
        if (mark != 0) {
            set(descriptor, SOL_SOCKET, SO_MARK, number(mark), "mark the ICMP socket");
        }
        set(
                descriptor,
                v4 ? IPPROTO_IP : IPPROTO_IPV6,
                v4 ? IP_RECVERR : IPV6_RECVERR,
                number(1),
                "ask for ICMP errors");
        set(
                descriptor,
                v4 ? IPPROTO_IP : IPPROTO_IPV6,
                v4 ? IP_MTU_DISCOVER : IPV6_MTU_DISCOVER,
                number(PMTUDISC_PROBE),
                "set DF");
        set(descriptor, v4 ? SOL_RAW : IPPROTO_ICMPV6, FILTER, filter(v4), "filter ICMP");
    }

    private void set(int descriptor, int level, int option, byte[] value, String operation) {
        if (libc.setsockopt(descriptor, level, option, value, value.length) < 0) {
            throw new EchoSocketException(operation, runtime.getLastError());
        }
    }

    private void connect(int descriptor, InetAddress destination) {
        byte[] octets = destination.getAddress();
        boolean v4 = octets.length == 4;
        ByteBuffer address =
                ByteBuffer.allocate(v4 ? SOCKADDR_IN : SOCKADDR_IN6).order(ByteOrder.nativeOrder());
        address.putShort((short) (v4 ? AF_INET : AF_INET6));
        address.putShort((short) 0); // no port
        if (!v4) {
            address.putInt(0); // no flow label
        }
        address.put(octets);
        if (libc.connect(descriptor, address.array(), address.capacity()) < 0) {
            throw new EchoSocketException("connect", runtime.getLastError());
        }
    }

    /** A set bit blocks a type. */
    private static byte[] filter(boolean v4) {
        ByteBuffer bits =
                ByteBuffer.allocate(v4 ? 4 : TYPES_OF_ICMPV6 / Byte.SIZE).order(ByteOrder.nativeOrder());
        int type = v4 ? ECHO_REPLY : ECHO_REPLY_6;
        for (int word = 0; word < bits.capacity() / Integer.BYTES; word++) {
            bits.putInt(word == type / Integer.SIZE ? ~(1 << (type % Integer.SIZE)) : ~0);
        }
        return bits.array();
    }

    private static byte[] number(int value) {
        return ByteBuffer.allocate(4)
                .order(ByteOrder.nativeOrder())
                .putInt(value)
                .array();
    }
}
