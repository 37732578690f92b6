// SPDX-License-Identifier: Apache-2.0
package io.l4lb.benchmarks.ipvs;

import io.l4lb.ipvs.IpvsClient;
import io.l4lb.netlink.NetlinkMessage;
import io.l4lb.netlink.NetlinkProtocol;
import io.l4lb.netlink.NetlinkSocket;
import io.l4lb.netlink.NetlinkTransport;
import io.l4lb.netlink.Octets;
import io.l4lb.netlink.generic.GenericNetlink;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** To the kernel; counts messages by their command. */
final class CountedTransport implements NetlinkTransport {
    /** IPVS_CMD_ of include/uapi/linux/ip_vs.h: those that change a service or a destination. */
    private static final Map<Integer, String> CHANGES = Map.of(
            1, "add service",
            2, "edit service",
            3, "delete service",
            5, "add destination",
            6, "edit destination",
            7, "delete destination");

    /** The family that finds others (GENL_ID_CTRL). */
    private static final int CONTROL = 0x10;

    private final NetlinkTransport kernel = NetlinkTransport.toKernel(NetlinkProtocol.GENERIC, List.of());
    private final Map<String, Integer> changes;

    private CountedTransport(Map<String, Integer> changes) {
        this.changes = changes;
    }

    /**
     * A client of the thread's network namespace.
     *
     * @param changes gets the messages that change something, by what they do
     */
    static IpvsClient client(Map<String, Integer> changes) {
        return IpvsClient.over(GenericNetlink.over(NetlinkSocket.over(new CountedTransport(changes))));
    }

    static Map<String, Integer> counter() {
        return new TreeMap<>();
    }

    @Override
    public void send(Octets datagram) {
        for (NetlinkMessage message : NetlinkMessage.decodeAll(datagram)) {
            Optional.ofNullable(CHANGES.get(message.payload().u8(0)))
                    .filter(change -> message.type() != CONTROL && !message.has(NetlinkMessage.FLAG_DUMP))
                    .ifPresent(change -> changes.merge(change, 1, Integer::sum));
        }
        kernel.send(datagram);
    }

    @Override
    public Optional<Octets> receive(Duration timeout) {
        return kernel.receive(timeout);
    }

    @Override
    public void close() {
        kernel.close();
    }
}
