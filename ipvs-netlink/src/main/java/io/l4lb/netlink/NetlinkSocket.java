// SPDX-License-Identifier: Apache-2.0
package io.l4lb.netlink;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Requests and dumps, one after the other, over a transport. Used by one thread at a time; any thread may close it. What
 * is left over from an answer that was given up is recognised by its sequence number and dropped.
 */
public final class NetlinkSocket implements AutoCloseable {
    private static final Duration SILENCE = Duration.ofSeconds(5);
    private static final int DUMP_ATTEMPTS = 10;
    /** All may fail, and each answer takes 768 octets of the receive buffer (208 KiB by default), whatever it says. */
    private static final int PIPELINE_REQUESTS = 64;
    /** A datagram has to fit into the send buffer with the kernel's own overhead. */
    private static final int PIPELINE_OCTETS = 64 * 1024;

    private final NetlinkTransport transport;
    private volatile boolean closed;
    private int sequence;

    private NetlinkSocket(NetlinkTransport transport) {
        this.transport = transport;
    }

    /** A socket in the network namespace of the calling thread. */
    public static NetlinkSocket open(NetlinkProtocol protocol) {
        return over(NetlinkTransport.toKernel(protocol, List.of()));
    }

    /** Takes the transport over: closing this closes it. */
    public static NetlinkSocket over(NetlinkTransport transport) {
        return new NetlinkSocket(transport);
    }

    /**
     * Sends one request and returns what the kernel answers before its ack.
     *
     * @param operation what is being done, for the exception
     * @param flags of the request, besides REQUEST and ACK
     * @throws NetlinkException with the kernel's error; ETIMEDOUT after 5 s of silence
     */
    public List<NetlinkMessage> request(String operation, int type, int flags, Octets payload) {
        return exchange(operation, type, flags | NetlinkMessage.FLAG_ACK, payload)
                .messages();
    }

    /**
     * All of a multi-part dump, asked for again while the kernel says that it changed underneath. No entries: empty list.
     *
     * @throws NetlinkException with the kernel's error; EINTR if the dump was interrupted 10 times in a row
     */
    public List<NetlinkMessage> dump(String operation, int type, Octets payload) {
        for (int attempt = 0; attempt < DUMP_ATTEMPTS; attempt++) {
            Answer answer = exchange(operation, type, NetlinkMessage.FLAG_DUMP, payload);
            if (!answer.interrupted()) {
                return answer.messages();
            }
        }
        throw new NetlinkException(operation, Errno.EINTR, "dump interrupted " + DUMP_ATTEMPTS + " times in a row");
    }

    /**
     * Sends many requests, up to 64 in a datagram. The kernel carries a datagram's out in order and before it returns from
     * the send; it answers for each that fails and, as asked, for the last (netlink_rcv_skb of net/netlink/af_netlink.c). One
     * that fails does not stop those after it. Messages that are no acks are dropped.
     *
     * @return for each request its failure, or empty; as many as requests
     * @throws NetlinkException if answers were lost or never came (ENOBUFS, ETIMEDOUT): what has been carried out is unknown
     *     then
     */
    public List<Optional<NetlinkException>> pipeline(List<NetlinkRequest> requests) {
        List<Optional<NetlinkException>> outcomes = new ArrayList<>();
        while (outcomes.size() < requests.size()) {
            outcomes.addAll(sendSome(requests.subList(outcomes.size(), requests.size())));
        }
        return List.copyOf(outcomes);
    }

    /** As many as fit into one datagram. */
    private List<Optional<NetlinkException>> sendSome(List<NetlinkRequest> requests) {
        if (sequence > Integer.MAX_VALUE - PIPELINE_REQUESTS) {
            sequence = 0;
        }
        List<NetlinkRequest> sent = requests.subList(0, fitting(requests));
        OctetsWriter datagram = new OctetsWriter();
        for (int i = 0; i < sent.size(); i++) {
            boolean last = i == sent.size() - 1;
            datagram.zeros(-datagram.length() & 3).octets(sent.get(i).encode(sequence + 1 + i, last));
        }
        int first = sequence + 1;
        sequence += sent.size();
        transport.send(datagram.toOctets());
        return awaitAnswers(sent, first);
    }

    /** How many of the first go into one datagram; one at least. */
    private static int fitting(List<NetlinkRequest> requests) {
        int octets = 0;
        int most = Math.min(requests.size(), PIPELINE_REQUESTS);
        for (int i = 0; i < most; i++) {
            octets += NetlinkMessage.HEADER
                    + Attribute.aligned(requests.get(i).payload().length());
            if (i > 0 && octets > PIPELINE_OCTETS) {
                return i;
            }
        }
        return most;
    }

    private List<Optional<NetlinkException>> awaitAnswers(List<NetlinkRequest> sent, int first) {
        List<Optional<NetlinkException>> outcomes = new ArrayList<>(Collections.nCopies(sent.size(), Optional.empty()));
        int last = sent.size() - 1;
        boolean complete = false;
        while (!complete) {
            for (NetlinkMessage message :
                    NetlinkMessage.decodeAll(receive(sent.get(last).operation()))) {
                // A sequence number of before gives a huge or negative index.
                int index = message.sequence() - first;
                if (message.type() == NetlinkMessage.ERROR && index >= 0 && index <= last) {
                    outcomes.set(
                            index,
                            Acknowledgement.decode(message)
                                    .failure(sent.get(index).operation()));
                    complete |= index == last;
                }
            }
        }
        return outcomes;
    }

    @Override
    public void close() {
        closed = true;
        transport.close();
    }

    private Answer exchange(String operation, int type, int flags, Octets payload) {
        sequence = sequence == Integer.MAX_VALUE ? 1 : sequence + 1;
        transport.send(new NetlinkMessage(type, flags | NetlinkMessage.FLAG_REQUEST, sequence, 0, payload).encode());
        List<NetlinkMessage> answers = new ArrayList<>();
        boolean interrupted = false;
        while (true) {
            for (NetlinkMessage message : NetlinkMessage.decodeAll(receive(operation))) {
                if (message.sequence() != sequence) {
                    continue;
                }
                interrupted |= message.has(NetlinkMessage.FLAG_DUMP_INTERRUPTED) && isDump(flags);
                switch (message.type()) {
                    case NetlinkMessage.NOOP -> {}
                    case NetlinkMessage.ERROR, NetlinkMessage.DONE -> {
                        Acknowledgement.decode(message).check(operation);
                        return new Answer(List.copyOf(answers), interrupted);
                    }
                    case NetlinkMessage.OVERRUN -> throw new NetlinkException(operation, Errno.ENOBUFS, "overrun");
                    default -> answers.add(message);
                }
            }
        }
    }

    private Octets receive(String operation) {
        Optional<Octets> datagram = transport.receive(SILENCE);
        return datagram.orElseThrow(() -> closed
                ? new NetlinkException(operation, Errno.EBADF, "socket closed")
                : new NetlinkException(operation, Errno.ETIMEDOUT, "no answer for " + SILENCE.toSeconds() + " s"));
    }

    private static boolean isDump(int flags) {
        return (flags & NetlinkMessage.FLAG_DUMP) == NetlinkMessage.FLAG_DUMP;
    }

    private record Answer(List<NetlinkMessage> messages, boolean interrupted) {}
}
