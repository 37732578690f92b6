// SPDX-License-Identifier: Apache-2.0
package io.l4lb.xdp;

import io.l4lb.xdp.internal.jnr.MapCalls;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map.Entry;
import java.util.OptionalInt;

/** Entries written to a map in one call; one by one where the kernel has no batches for the map. */
final class MapBatch {
    private MapBatch() {}

    static int update(BpfMap map, List<Entry<ByteBuffer, ByteBuffer>> entries) {
        ByteBuffer keys = ByteBuffer.allocate(entries.size() * map.keySize());
        ByteBuffer values = ByteBuffer.allocate(entries.size() * map.valueSize());
        entries.forEach(entry -> {
            keys.put(map.bytes(entry.getKey(), map.keySize()));
            values.put(map.bytes(entry.getValue(), map.valueSize()));
        });
        OptionalInt written = MapCalls.updateBatch(
                map.name(), map.descriptor().number(), keys.array(), values.array(), entries.size());
        return written.isPresent() ? written.getAsInt() : oneByOne(map, entries);
    }

    private static int oneByOne(BpfMap map, List<Entry<ByteBuffer, ByteBuffer>> entries) {
        int written = 0;
        for (Entry<ByteBuffer, ByteBuffer> entry : entries) {
            try {
                map.update(entry.getKey(), entry.getValue(), UpdateMode.ANY);
            } catch (BpfException e) {
                if (e.is(Errno.E2BIG) || e.is(Errno.ENOMEM)) {
                    return written;
                }
                throw e;
            }
            written++;
        }
        return written;
    }
}
