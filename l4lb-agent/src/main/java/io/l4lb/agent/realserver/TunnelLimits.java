// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.realserver;

import io.l4lb.xdp.BpfMap;
import io.l4lb.xdp.UpdateMode;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;

/** The entries of one of our program's maps that say which tunnel packets it opens. */
final class TunnelLimits implements Part {
    private static final int ADDRESS = 16;
    private static final int MAPPED = 96;

    private final Path pin;
    private final Function<String, ByteBuffer> key;

    private TunnelLimits(Path pin, Function<String, ByteBuffer> key) {
        this.pin = pin;
        this.key = key;
    }

    /** By address: see {@link Kind#TUNNEL_END} and {@link Kind#OPENED_VIP}. */
    static TunnelLimits ofAddresses(Path pin) {
        return new TunnelLimits(pin, name -> ByteBuffer.allocate(ADDRESS).put(0, mapped(Prefix.address(name))));
    }

    /** By prefix: see {@link Kind#TUNNEL_SOURCE}. */
    static TunnelLimits ofPrefixes(Path pin) {
        return new TunnelLimits(pin, name -> {
            Prefix prefix = Prefix.parse(name);
            return ByteBuffer.allocate(Integer.BYTES + ADDRESS)
                    .order(ByteOrder.nativeOrder())
                    .putInt(0, prefix.length() + (prefix.isIpv4() ? MAPPED : 0))
                    .put(Integer.BYTES, mapped(prefix.address()));
        });
    }

    private static byte[] mapped(InetAddress address) {
        byte[] bytes = address.getAddress();
        if (bytes.length == ADDRESS) {
            return bytes;
        }
        byte[] mapped = new byte[ADDRESS];
        mapped[10] = (byte) 0xff;
        mapped[11] = (byte) 0xff;
        System.arraycopy(bytes, 0, mapped, MAPPED / Byte.SIZE, bytes.length);
        return mapped;
    }

    /** Looks through the keys, since a look-up finds a longer prefix's shorter ones too. */
    @Override
    public String read(String name) {
        Optional<BpfMap> pinned = BpfMap.openPinned(pin);
        if (pinned.isEmpty()) {
            return "";
        }
        byte[] wanted = key.apply(name).array();
        try (BpfMap map = pinned.get()) {
            return map.keys().stream().anyMatch(each -> Arrays.equals(each, wanted)) ? Item.PRESENT : "";
        }
    }

    @Override
    public void write(String name, String value) {
        Optional<BpfMap> pinned = BpfMap.openPinned(pin);
        if (pinned.isEmpty()) {
            throw new RealServerException("there is no map at " + pin);
        }
        try (BpfMap map = pinned.get()) {
            if (value.isEmpty()) {
                map.delete(key.apply(name));
            } else {
                map.update(key.apply(name), TunnelProgram.word(0), UpdateMode.ANY);
            }
        }
    }
}
