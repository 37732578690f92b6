// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.hashing.packet.Ports;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** What stands behind an IP header: the number that names it there, and its bytes. Immutable. */
final class Payload {
    private final int protocol;
    private final byte[] bytes;

    Payload(int protocol, byte[] bytes) {
        this.protocol = protocol;
        this.bytes = bytes.clone();
    }

    int protocol() {
        return protocol;
    }

    byte[] bytes() {
        return bytes.clone();
    }

    int length() {
        return bytes.length;
    }

    /** The same behind another header, whose first byte says what follows, as that of an IPv6 extension header does. */
    Payload behind(int number, byte[] header) {
        ByteBuffer all =
                ByteBuffer.allocate(header.length + bytes.length).put(header).put(bytes);
        return new Payload(number, all.put(0, (byte) protocol).array());
    }

    /** The same with more behind it; what it says of its own length stays. */
    Payload longer(byte[] more) {
        ByteBuffer all = ByteBuffer.allocate(bytes.length + more.length);
        return new Payload(protocol, all.put(bytes).put(more).array());
    }

    /** A piece of it. */
    Payload piece(int from, int to) {
        return new Payload(protocol, Arrays.copyOfRange(bytes, from, to));
    }

    /** What the other side sends: the ports, if there are any, have changed places. */
    Payload answered() {
        if (!Ports.areIn(protocol) || bytes.length < Ports.BYTES) {
            return this;
        }
        ByteBuffer swapped = ByteBuffer.wrap(bytes());
        short source = swapped.getShort(0);
        return new Payload(
                protocol,
                swapped.putShort(0, swapped.getShort(2)).putShort(2, source).array());
    }
}
