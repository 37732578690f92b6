// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.agent.dataplane.PacketKey;
import io.l4lb.hashing.quic.ConnectionIdLayout;
import io.l4lb.hashing.quic.ServerId;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** QUIC packets by a layout of connection IDs, most of them with a server ID that somebody has, some with a mistake. */
final class QuicPayloads {
    private static final int[] VERSIONS = {1, 1, 1, 0x6b3343cf, 0x6b3343cf, 0, 2, 0x01000000, 0xff00001d};
    private static final ConnectionIdLayout OTHER = new ConnectionIdLayout(9, 1, 4);

    private final Random random;

    QuicPayloads(Random random) {
        this.random = random;
    }

    /** A payload for a service; one that knows no connection IDs gets some all the same. */
    byte[] next(PacketKey key) {
        byte[] cid = connectionId(key, key.layout().orElse(OTHER));
        int rest = random.nextInt(24);
        ByteBuffer out = ByteBuffer.allocate(64);
        if (random.nextBoolean()) {
            out.put((byte) random.nextInt(0x80)).put(cid);
        } else {
            int length = random.nextInt(10) == 0 ? random.nextInt(256) : cid.length;
            out.put((byte) (0x80 | random.nextInt(0x80))).putInt(VERSIONS[random.nextInt(VERSIONS.length)]);
            out.put((byte) length).put(cid);
        }
        byte[] noise = new byte[rest];
        random.nextBytes(noise);
        out.put(noise);
        int end = random.nextInt(8) == 0 ? random.nextInt(out.position() + 1) : out.position();
        return Arrays.copyOf(out.array(), end);
    }

    private byte[] connectionId(PacketKey key, ConnectionIdLayout layout) {
        byte[] nonce = new byte[layout.nonceLength()];
        random.nextBytes(nonce);
        byte[] cid = layout.connectionId(serverId(key, layout), nonce);
        cid[0] = (byte) (cid[0] ^ random.nextInt(32)); // the five bits that nobody looks at
        return switch (random.nextInt(12)) {
            case 0 -> flipped(cid);
            case 1 -> Arrays.copyOf(cid, cid.length - 1);
            case 2 -> Arrays.copyOf(cid, cid.length + 1);
            default -> cid;
        };
    }

    private ServerId serverId(PacketKey key, ConnectionIdLayout layout) {
        List<ServerId> known = key.servers().keySet().stream()
                .sorted((a, b) -> a.toString().compareTo(b.toString())) // the same choice in every run
                .toList();
        if (!known.isEmpty() && random.nextInt(5) > 0) {
            return known.get(random.nextInt(known.size()));
        }
        byte[] unknown = new byte[layout.serverIdLength()];
        random.nextBytes(unknown);
        return ServerId.ofBytes(unknown);
    }

    private byte[] flipped(byte[] cid) {
        int bit = random.nextInt(8 * cid.length);
        cid[bit / 8] ^= (byte) (1 << (bit % 8));
        return cid;
    }
}
