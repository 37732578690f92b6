// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.hashing.FlowKey;
import io.l4lb.hashing.HashSeed;
import io.l4lb.xdp.BpfMap;
import io.l4lb.xdp.MapReader;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Optional;

/**
 * Takes remembered flows over into a flow table of another size, or from the layout of versions before 0.2: {@code struct
 * flow_key} (40 bytes) to the number of a real (4). That key names the VIP; the name that takes its place has the id of
 * the service instead, which the number of the real leads to.
 */
final class FlowMigration {
    private static final int BATCH = 4096;
    private static final int EARLIER_VALUE = 4;

    private final HashSeed seed;
    private final int now;
    private final BpfMap reals;
    private final Map<Integer, Integer> serviceOf = new HashMap<>();
    private final Map<Integer, List<ServiceKey>> keysOf = new HashMap<>();

    /** What came of it. */
    record Result(int found, int taken) {}

    /**
     * A migration.
     *
     * @param now tick that the flows were last seen in, for want of something better
     */
    FlowMigration(BpfMap services, BpfMap reals, HashSeed seed, int now) {
        this.seed = seed;
        this.now = now;
        this.reals = reals;
        for (byte[] bytes : services.keys()) {
            Optional<ByteBuffer> value = services.lookup(ByteBuffer.wrap(bytes));
            KeyLayout.decode(bytes).ifPresent(key -> value.map(Word::decode)
                    .ifPresent(service -> keysOf.computeIfAbsent(service, unused -> new ArrayList<>())
                            .add(key)));
        }
    }

    /** Whether this version knows how. */
    static boolean isPossible(BpfMap from, BpfMap to) {
        return isSame(from, to) || (from.keySize() == FlowKey.BYTES && from.valueSize() == EARLIER_VALUE);
    }

    private static boolean isSame(BpfMap from, BpfMap to) {
        return from.keySize() == to.keySize() && from.valueSize() == to.valueSize();
    }

    /** Copies what can be; flows that the new table has no room for are forgotten. */
    Result copy(BpfMap from, BpfMap to) {
        boolean same = isSame(from, to);
        List<Entry<ByteBuffer, ByteBuffer>> batch = new ArrayList<>();
        int[] counts = new int[2];
        try (MapReader reader = MapReader.of(from)) {
            reader.read((key, value) -> {
                counts[0]++;
                (same ? Optional.of(Map.entry(copy(key), copy(value))) : translated(key, value)).ifPresent(batch::add);
                if (batch.size() == BATCH) {
                    counts[1] += write(to, batch);
                }
                return true;
            });
        }
        counts[1] += write(to, batch);
        return new Result(counts[0], counts[1]);
    }

    /** The kernel ends a batch at an entry that finds no room, which may be for a moment only: on behind it. */
    private static int write(BpfMap to, List<Entry<ByteBuffer, ByteBuffer>> batch) {
        int written = 0;
        int next = 0;
        while (next < batch.size()) {
            int count = to.updateAll(batch.subList(next, batch.size()));
            written += count;
            next += count + 1;
        }
        batch.clear();
        return written;
    }

    private static ByteBuffer copy(ByteBuffer buffer) {
        return ByteBuffer.allocate(buffer.remaining()).put(buffer.duplicate()).flip();
    }

    private Optional<Entry<ByteBuffer, ByteBuffer>> translated(ByteBuffer key, ByteBuffer value) {
        byte[] bytes = new byte[FlowKey.BYTES];
        key.duplicate().get(bytes);
        FlowKey flow;
        try {
            flow = FlowKey.decode(bytes);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
        int real = Word.decode(value);
        int service = serviceOf.computeIfAbsent(real, this::service);
        if (keysOf.getOrDefault(service, List.of()).stream().noneMatch(found -> isOf(found, flow))) {
            return Optional.empty();
        }
        FlowValue.State state = flow.protocol() == 6 ? FlowValue.State.ESTABLISHED : FlowValue.State.OTHER;
        FlowValue fresh = new FlowValue(real, now, (int) flow.hash(seed) & 0xffff, state);
        return Optional.of(Map.entry(FlowName.of(service, flow).encode(), fresh.encode()));
    }

    private int service(int real) {
        return reals.lookup(Word.encode(real))
                .map(value -> RealValue.decode(value).service())
                .orElse(-1);
    }

    /** Whether the flow is one of the service with that key: the VIP's, the protocol's and the port's, if it has one. */
    private static boolean isOf(ServiceKey key, FlowKey flow) {
        return key.vip().equals(flow.vip())
                && key.protocol().number() == flow.protocol()
                && (flow.vipPort() == 0 || key.port() == flow.vipPort());
    }
}
