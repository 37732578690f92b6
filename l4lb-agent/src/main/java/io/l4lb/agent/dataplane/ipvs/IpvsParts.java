// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.agent.dataplane.mark.Marker;
import io.l4lb.agent.model.IpvsSection;
import io.l4lb.ipvs.Timeouts;
import java.util.Optional;
import java.util.function.Supplier;

/** What the IPVS dataplane is made of. The program that marks packets is there once a service needs it. */
final class IpvsParts implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(IpvsParts.class.getName());

    private final IpvsSection section;
    private final Kernel kernel;
    private final Host host;
    private final KernelServices services;
    private final MarkServices marks;
    private final Supplier<Marker> opener;
    private Optional<Marker> marker = Optional.empty();
    private Optional<String> notTakenOver = Optional.empty();

    IpvsParts(
            IpvsSection section,
            Kernel kernel,
            Host host,
            KernelServices services,
            MarkServices marks,
            Supplier<Marker> opener) {
        this.section = section;
        this.kernel = kernel;
        this.host = host;
        this.services = services;
        this.marks = marks;
        this.opener = opener;
    }

    IpvsSection section() {
        return section;
    }

    Kernel kernel() {
        return kernel;
    }

    Host host() {
        return host;
    }

    KernelServices services() {
        return services;
    }

    MarkServices marks() {
        return marks;
    }

    Optional<Marker> marker() {
        return marker;
    }

    /** The timeouts of connections that are configured; the kernel has one of each for all services. */
    void setTimeouts() {
        IpvsSection.Timeouts wanted = section.timeouts();
        if (wanted.equals(IpvsSection.Timeouts.OF_THE_KERNEL)) {
            return;
        }
        Timeouts present = kernel.asked(kernel.ipvs()::timeouts);
        Timeouts next = new Timeouts(
                wanted.tcp().orElse(present.tcp()),
                wanted.tcpClosing().orElse(present.tcpFin()),
                wanted.udp().orElse(present.udp()));
        if (!next.equals(present)) {
            kernel.asked(() -> {
                kernel.ipvs().setTimeouts(next);
                return next;
            });
            LOG.log(System.Logger.Level.INFO, "timeouts of IPVS {0} -> {1}", words(present), words(next));
        }
    }

    private static String words(Timeouts timeouts) {
        return timeouts.tcp().toSeconds() + " " + timeouts.tcpFin().toSeconds() + " "
                + timeouts.udp().toSeconds();
    }

    /** Loads the program, or takes over the one that is there. */
    Marker openMarker() {
        Marker open = marker.orElseGet(opener);
        marker = Optional.of(open);
        notTakenOver = Optional.empty();
        return open;
    }

    /** Takes over what a predecessor has left of its program; services that need none do not suffer if that fails. */
    void takeOverMarker() {
        try {
            openMarker();
        } catch (DataplaneException e) {
            notTakenOver = Optional.of(
                    "the program that a predecessor marks packets with cannot be taken over: " + e.getMessage());
        }
    }

    /** Why what a predecessor has left of its program, which may go on marking, is not ours yet; empty: it is, or there is none. */
    Optional<String> notTakenOver() {
        return notTakenOver;
    }

    @Override
    public void close() {
        marker.ifPresent(Marker::close);
        host.close();
        kernel.ipvs().close();
    }
}
