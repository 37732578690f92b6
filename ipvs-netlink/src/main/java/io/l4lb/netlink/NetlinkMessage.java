// SPDX-License-Identifier: Apache-2.0
package io.l4lb.netlink;

import java.util.ArrayList;
import java.util.List;

/**
 * One message (struct nlmsghdr and its payload, include/uapi/linux/netlink.h), all in host byte order.
 *
 * @param type a control type (NOOP, ERROR, DONE, OVERRUN) or one of the protocol's own
 * @param port the port ID of the socket that it belongs to; 0 lets the kernel fill it in
 */
public record NetlinkMessage(int type, int flags, int sequence, int port, Octets payload) {
    public static final int NOOP = 1;
    public static final int ERROR = 2;
    public static final int DONE = 3;
    public static final int OVERRUN = 4;

    public static final int FLAG_REQUEST = 0x1;
    public static final int FLAG_MULTI = 0x2;
    public static final int FLAG_ACK = 0x4;
    public static final int FLAG_DUMP_INTERRUPTED = 0x10;
    /** Of a GET request: everything (NLM_F_ROOT | NLM_F_MATCH). */
    public static final int FLAG_DUMP = 0x300;
    /** Of a NEW request. */
    public static final int FLAG_REPLACE = 0x100;
    /** Of a NEW request. */
    public static final int FLAG_EXCLUSIVE = 0x200;
    /** Of a NEW request. */
    public static final int FLAG_CREATE = 0x400;
    /** Of an ERROR: the request that it quotes is cut down to its header. */
    public static final int FLAG_CAPPED = 0x100;
    /** Of an ERROR or DONE: extended ack attributes follow. */
    public static final int FLAG_ACK_ATTRIBUTES = 0x200;

    static final int HEADER = 16;

    /** The message with its header and without padding. */
    public Octets encode() {
        return new OctetsWriter()
                .u32Host(HEADER + payload.length())
                .u16Host(type)
                .u16Host(flags)
                .u32Host(sequence)
                .u32Host(port)
                .octets(payload)
                .toOctets();
    }

    /**
     * The messages of one datagram; only the last may lack its padding to 4 octets.
     *
     * @throws NetlinkException (EBADMSG) if a length does not fit
     */
    public static List<NetlinkMessage> decodeAll(Octets datagram) {
        List<NetlinkMessage> messages = new ArrayList<>();
        int offset = 0;
        while (offset < datagram.length()) {
            int length = datagram.i32Host(offset);
            if (length < HEADER || length > datagram.length() - offset) {
                throw NetlinkException.malformed("message claims a length of " + Integer.toUnsignedString(length) + ", "
                        + (datagram.length() - offset) + " octets are there");
            }
            messages.add(new NetlinkMessage(
                    datagram.u16Host(offset + 4),
                    datagram.u16Host(offset + 6),
                    datagram.i32Host(offset + 8),
                    datagram.i32Host(offset + 12),
                    datagram.slice(offset + HEADER, length - HEADER)));
            offset += Attribute.aligned(length);
        }
        return messages;
    }

    public boolean has(int flag) {
        return (flags & flag) != 0;
    }
}
