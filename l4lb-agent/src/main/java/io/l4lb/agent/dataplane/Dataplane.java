// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane;

import io.l4lb.hashing.FlowKey;
import io.l4lb.hashing.decision.Settings;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A kernel dataplane. All methods are for the reconcile thread alone, and throw {@link DataplaneException} when the
 * kernel refuses. Closing leaves the kernel forwarding as it does.
 */
public interface Dataplane extends AutoCloseable {
    /** What it is and how it is attached. */
    Info info();

    /**
     * Sees to it that the programs are where packets pass, and puts them back if somebody took them away.
     *
     * @throws DataplaneException if they cannot be put back: no packet is forwarded
     */
    void keepAttached();

    /** Everything that it does now, read from the kernel. Empty: nothing. */
    Map<ServiceKey, ObservedService> observe();

    /**
     * Takes for its own what the kernel does for these services already, whichever of their reals are up: one that lost its
     * state has left it. For before the first of them is installed; {@link #observe} has it from then on.
     *
     * @param wanted services with all their reals, without tables
     * @return those that it did not know for its own before
     */
    default Set<ServiceKey> adopt(List<ServiceProgram> wanted) {
        return Set.of();
    }

    /**
     * Makes a service forward as said, and reads it back. The table changes at once: a packet sees the old one or the
     * new one.
     *
     * @return what the kernel has afterwards
     */
    ObservedService install(ServiceProgram program);

    /** Stops forwarding for these keys; those that are not there are ignored. */
    void remove(Set<ServiceKey> keys);

    /**
     * Sets which mark (SO_MARK) of a probe leads to which real, and how.
     *
     * @param paths by mark, all of them
     */
    void probes(Map<Integer, ProbePath> paths);

    /** The marks that a predecessor has left, which shall go on to mean what they do; empty: they may be given anew. */
    default Map<Integer, ProbePath> marks() {
        return Map.of();
    }

    /**
     * The marks that probes must not have, since somebody else uses them in the kernel; asked anew each time. A way that has
     * one of them gets another.
     */
    default Set<Integer> foreignMarks() {
        return Set.of();
    }

    /**
     * Whether somebody has taken away what is ours, or what we were about to use. Cheap: it looks at a little of it each
     * time, in turn. If so, everything should be observed, and marks be assigned again.
     */
    default boolean disturbed() {
        return false;
    }

    /**
     * Follows the kernel's routes and neighbours to the reals, and the routes by which probes to the VIPs leave.
     *
     * @return by real or VIP, why packets cannot be sent to it, in words; empty: all can be reached
     */
    Map<InetAddress, String> follow(Set<InetAddress> reals, Set<InetAddress> vips);

    /**
     * What this machine has to be told before packets can get to these reals, which does not come by itself: a sysctl.
     *
     * @return in words; empty: nothing
     */
    Optional<String> obstacle(Set<InetAddress> reals);

    /** Counters of the reals of the service that a key leads to; empty: no such service. */
    Map<InetAddress, Counter> counters(ServiceKey key);

    /**
     * All that is ours in IPVS as the kernel has it now, as the lines that {@code ipvsadm -R} restores it from.
     *
     * @return empty: it is not IPVS
     */
    default Optional<List<String>> ipvsadm() {
        return Optional.empty();
    }

    /** Packets by verdict, its name in lower case with dashes. */
    Map<String, Long> verdicts();

    /** What was counted. Of a service that comes after another one has gone, nothing that is the other's. */
    Statistics statistics();

    /** A way to read the flow table; the caller closes it, on any thread. */
    FlowTable flowTable();

    /** Why no packets can be copied, in words; empty: they can. May be called on any thread. */
    default Optional<String> captureObstacle() {
        return Optional.empty();
    }

    /** A way to the copies that {@link #sample} leads to, of which there is one at a time; old ones are thrown away. */
    Captures captures();

    /**
     * Copies packets from now on.
     *
     * @param every one of so many; 0: none
     */
    void sample(int every);

    /**
     * What it does for a service, all of it, read from the kernel; empty: nothing. The weights of the reals in the table
     * are not known here.
     */
    Optional<ServiceProgram> installed(ServiceKey key);

    /** By which the packet model decides as the dataplane does, as far as tables of ours decide. */
    Settings settings();

    /**
     * The real that the flow table remembers for a flow of the service, if it would still be used.
     *
     * @param flow its 5-tuple, or what the service's hash key makes of it
     */
    Optional<InetAddress> remembered(ServiceKey service, FlowKey flow);

    /** The same, for the service at which the flow ends. */
    default Optional<InetAddress> remembered(FlowKey flow) {
        return ServiceKey.candidates(flow).stream()
                .filter(key -> installed(key).isPresent())
                .findFirst()
                .flatMap(key -> remembered(key, flow));
    }

    @Override
    void close();

    /**
     * What it is.
     *
     * @param mode how it is attached, in the word of the configuration
     * @param adopted whether it was found running
     * @param notes what an operator should know
     */
    record Info(String type, String interfaceName, String mode, boolean adopted, List<String> notes) {}

    /**
     * Traffic.
     *
     * @param bytes of the packets as they came in, link-layer header included
     */
    record Counter(long packets, long bytes) {
        /** The sum. */
        public Counter plus(Counter other) {
            return new Counter(packets + other.packets, bytes + other.bytes);
        }
    }
}
