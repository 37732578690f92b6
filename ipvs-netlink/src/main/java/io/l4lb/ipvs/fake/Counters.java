// SPDX-License-Identifier: Apache-2.0
package io.l4lb.ipvs.fake;

import io.l4lb.ipvs.Statistics;
import io.l4lb.netlink.AttributeWriter;
import java.util.List;
import java.util.function.BiConsumer;

/** Both nests of statistics: connections, packets and rates cut to 32 bits in the one, all of 64 bits in the other. */
final class Counters {
    private Counters() {}

    static void write(AttributeWriter out, int stats, int stats64, Statistics statistics) {
        Statistics.Rates rates = statistics.rates();
        List<Long> values = List.of(
                statistics.connections(),
                statistics.incomingPackets(),
                statistics.outgoingPackets(),
                statistics.incomingBytes(),
                statistics.outgoingBytes(),
                rates.connections(),
                rates.incomingPackets(),
                rates.outgoingPackets(),
                rates.incomingBytes(),
                rates.outgoingBytes());
        out.nested(
                stats,
                nest -> numbered(values, (type, value) -> {
                    boolean bytes = type == 4 || type == 5;
                    if (bytes) {
                        nest.u64Host(type, value);
                    } else {
                        nest.u32Host(type, value.intValue());
                    }
                }));
        out.nested(stats64, nest -> numbered(values, nest::u64Host));
    }

    private static void numbered(List<Long> values, BiConsumer<Integer, Long> write) {
        for (int i = 0; i < values.size(); i++) {
            write.accept(i + 1, values.get(i));
        }
    }
}
