// SPDX-License-Identifier: Apache-2.0
package io.l4lb.netlink.generic;

import io.l4lb.netlink.Errno;
import io.l4lb.netlink.NetlinkException;
import io.l4lb.netlink.NetlinkMessage;
import io.l4lb.netlink.NetlinkProtocol;
import io.l4lb.netlink.NetlinkRequest;
import io.l4lb.netlink.NetlinkSocket;
import io.l4lb.netlink.Octets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Commands to generic netlink families, in the network namespace of the opening thread. Used by one thread at a time. */
public final class GenericNetlink implements AutoCloseable {
    private final NetlinkSocket socket;

    private GenericNetlink(NetlinkSocket socket) {
        this.socket = socket;
    }

    public static GenericNetlink open() {
        return over(NetlinkSocket.open(NetlinkProtocol.GENERIC));
    }

    /** Takes the socket over: closing this closes it. */
    public static GenericNetlink over(NetlinkSocket socket) {
        return new GenericNetlink(socket);
    }

    /**
     * A family by its name, such as {@code "IPVS"}; empty if the kernel does not offer it. Asking makes the kernel load a
     * module that claims the name, where there is one (ip_vs does, by its alias net-pf-16-proto-16-family-IPVS).
     */
    public Optional<Family> family(String name) {
        String operation = "find generic netlink family " + name;
        try {
            return request(operation, Family.CONTROL, Family.GET, 0, Family.query(name)).stream()
                    .findFirst()
                    .map(answer -> Family.decode(answer.attributes()));
        } catch (NetlinkException failure) {
            if (failure.is(Errno.ENOENT)) {
                return Optional.empty();
            }
            throw failure;
        }
    }

    /**
     * One command and its answers.
     *
     * @param flags netlink flags of the request, besides REQUEST and ACK
     * @see NetlinkSocket#request
     */
    public List<GenericMessage> request(String operation, Family family, int command, int flags, Octets attributes) {
        return decode(
                family,
                socket.request(
                        operation, family.id(), flags, GenericMessage.encode(command, family.version(), attributes)));
    }

    /**
     * All entries of a dump.
     *
     * @see NetlinkSocket#dump
     */
    public List<GenericMessage> dump(String operation, Family family, int command, Octets attributes) {
        return decode(
                family,
                socket.dump(operation, family.id(), GenericMessage.encode(command, family.version(), attributes)));
    }

    /**
     * Many commands without answers, several in a datagram.
     *
     * @see NetlinkSocket#pipeline
     */
    public List<Optional<NetlinkException>> pipeline(Family family, List<GenericRequest> requests) {
        List<NetlinkRequest> encoded = new ArrayList<>();
        for (GenericRequest request : requests) {
            Octets payload = GenericMessage.encode(request.command(), family.version(), request.attributes());
            encoded.add(new NetlinkRequest(request.operation(), family.id(), 0, payload));
        }
        return socket.pipeline(encoded);
    }

    @Override
    public void close() {
        socket.close();
    }

    private static List<GenericMessage> decode(Family family, List<NetlinkMessage> answers) {
        List<GenericMessage> messages = new ArrayList<>();
        for (NetlinkMessage answer : answers) {
            if (answer.type() == family.id()) {
                messages.add(GenericMessage.decode(answer));
            }
        }
        return List.copyOf(messages);
    }
}
