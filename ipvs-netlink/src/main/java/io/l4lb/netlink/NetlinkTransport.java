// SPDX-License-Identifier: Apache-2.0
package io.l4lb.netlink;

import io.l4lb.netlink.internal.jnr.KernelTransport;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Carries datagrams to and from the kernel, or a fake of it. One thread at a time sends and receives; any thread may
 * close, which wakes the one that waits.
 */
public interface NetlinkTransport extends AutoCloseable {
    /**
     * A socket to the kernel, in the network namespace of the calling thread, with extended acks.
     *
     * @param groups multicast groups (RTNLGRP numbers or a generic family's) to listen to
     * @throws NetlinkUnsupportedException if the kernel is too old
     */
    static NetlinkTransport toKernel(NetlinkProtocol protocol, List<Integer> groups) {
        return KernelTransport.open(protocol, groups);
    }

    /**
     * Sends to the kernel.
     *
     * @throws NetlinkException EBADF once closed
     */
    void send(Octets datagram);

    /**
     * One whole datagram of whatever size, or empty when the time has passed or the transport was closed.
     *
     * @throws NetlinkException ENOBUFS if the kernel had to drop datagrams
     */
    Optional<Octets> receive(Duration timeout);

    /** Idempotent. */
    @Override
    void close();
}
