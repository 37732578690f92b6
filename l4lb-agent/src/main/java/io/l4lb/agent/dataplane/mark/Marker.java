// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.mark;

import io.l4lb.agent.dataplane.Dataplane.Counter;
import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.agent.dataplane.ObservedService;
import io.l4lb.agent.dataplane.ProbePath;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.dataplane.ServiceProgram;
import io.l4lb.agent.dataplane.TableService;
import io.l4lb.agent.dataplane.xdp.MapRole;
import io.l4lb.agent.dataplane.xdp.ServiceMaps;
import io.l4lb.agent.model.Forwarding;
import io.l4lb.hashing.HashSeed;
import io.l4lb.xdp.BpfException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;

/**
 * Gives the packets that come in to a service the mark of their real, for IPVS to forward them by. Nothing is remembered
 * here: an IPVS connection goes on to its real whatever the marks of its packets are, as long as the real's destination is
 * there. For the reconcile thread alone.
 */
public final class Marker implements AutoCloseable {
    /** How packets get to their reals is said by their marks. */
    private static final Forwarding ANY_WAY = Forwarding.IPIP;

    private final MarkerProgram program;
    private final ServiceMaps services;
    private final RealMarks marks;
    private final NoReal noReal;

    private Marker(MarkerProgram program) {
        this.program = program;
        this.services = ServiceMaps.withoutFlows(name -> program.map(MapRole.of(name)));
        this.marks = new RealMarks(program.map(MapRole.REAL_MARKS));
        this.noReal = new NoReal(program.map(MapRole.SERVICE_VERDICTS));
    }

    /**
     * Loads the program and attaches it to what comes in by the interfaces that are there, or takes over the one that is
     * there, which goes on marking all the while.
     *
     * @param pinDir in a bpffs; nobody else's
     * @param seed of the flow hash
     * @throws DataplaneException if none of the interfaces is there, or the kernel refuses
     */
    public static Marker open(List<String> interfaces, Path pinDir, HashSeed seed) {
        return guarded(() -> {
            MarkerProgram program = MarkerProgram.load(interfaces, pinDir, seed);
            try {
                Marker marker = new Marker(program);
                program.attach();
                return marker;
            } catch (DataplaneException | BpfException e) {
                program.close();
                throw e;
            }
        });
    }

    /** Whether one was found running. */
    public boolean adopted() {
        return program.adopted();
    }

    /** What an operator should know. */
    public List<String> notes() {
        return program.notes();
    }

    /**
     * Attaches again what somebody took off, and on interfaces that have come, or come back; pins again what lost its pin.
     *
     * @throws DataplaneException if packets come in that are not marked
     */
    public void keepAttached() {
        guarded(() -> {
            program.keepAttached();
            return program;
        });
    }

    /** What the kernel does, read from it: of every service that is marked. Whether a mark is the right one is not seen. */
    public Map<ServiceKey, ObservedService> observe() {
        return observe(Optional.empty());
    }

    /**
     * The same; a service that marks otherwise does not do what it should.
     *
     * @param ways by mark
     */
    public Map<ServiceKey, ObservedService> observe(Map<Integer, ProbePath> ways) {
        return observe(Optional.of(ways));
    }

    private Map<ServiceKey, ObservedService> observe(Optional<Map<Integer, ProbePath>> ways) {
        return guarded(() -> {
            marks.read();
            Map<ServiceKey, ObservedService> observed = new LinkedHashMap<>();
            services.observe().forEach((key, table) -> observed.put(key, marked(table, ways)));
            return observed;
        });
    }

    private MarkedService marked(TableService table, Optional<Map<Integer, ProbePath>> ways) {
        TableService alone = new TableService(
                table.key(),
                table.packetKey(),
                table.tableSize(),
                table.digest(),
                table.slots(),
                table.active(),
                Set.of());
        return new MarkedService(alone, marks(table.key()), ways);
    }

    /**
     * Marks the packets of a service as said, from one packet to the next; it is read back.
     *
     * @param mark of each active real, never 0
     * @param ways by mark
     */
    public ObservedService install(
            ServiceProgram wanted, ToIntFunction<InetAddress> mark, Map<Integer, ProbePath> ways) {
        return install(wanted, mark, Optional.of(ways));
    }

    /** The same, whatever the marks stand for. */
    public ObservedService install(ServiceProgram wanted, ToIntFunction<InetAddress> mark) {
        return install(wanted, mark, Optional.empty());
    }

    private ObservedService install(
            ServiceProgram wanted, ToIntFunction<InetAddress> mark, Optional<Map<Integer, ProbePath>> ways) {
        return guarded(() -> {
            ServiceProgram alone = new ServiceProgram(
                    wanted.key(), wanted.packetKey(), ANY_WAY, wanted.scheduling(), wanted.lookup(), wanted.members());
            TableService done =
                    services.install(alone, (real, number) -> marks.write(number, checked(mark.applyAsInt(real))));
            marks(wanted.key()).forEach((real, found) -> {
                if (found != mark.applyAsInt(real)) {
                    throw new DataplaneException(
                            "the mark of a real reads back otherwise than it was written: " + found);
                }
            });
            return marked(done, ways);
        });
    }

    private static int checked(int mark) {
        if (mark == 0) {
            throw new IllegalArgumentException("0 is no mark");
        }
        return mark;
    }

    /** The services that are marked, as they were last read or written. */
    public Set<ServiceKey> keys() {
        return Set.copyOf(services.byId().values());
    }

    /** The marks of a service's active reals as they were last read or written; empty: no such service. */
    public Map<InetAddress, Integer> marks(ServiceKey key) {
        Map<InetAddress, Integer> found = new HashMap<>();
        services.numbers(key).forEach((real, number) -> found.put(real, marks.of(number)));
        return found;
    }

    /** Marks the packets of these services no more. Keys that are not there are ignored. */
    public void remove(Set<ServiceKey> keys) {
        guarded(() -> {
            Set<Integer> ids = new HashSet<>(services.byId().keySet());
            services.remove(keys);
            ids.removeAll(services.byId().keySet());
            noReal.forget(ids);
            return keys;
        });
    }

    /**
     * What it does for a service, read from the kernel; empty: nothing. The weights of the reals are not known here, nor is
     * how packets get there, which the marks say.
     */
    public Optional<ServiceProgram> installed(ServiceKey key) {
        return guarded(() -> services.installed(key));
    }

    /** The packets that were marked, by real; empty: no such service. A flow that IPVS remembers may go elsewhere. */
    public Map<InetAddress, Counter> counters(ServiceKey key) {
        return guarded(() -> services.counters(key));
    }

    /** The packets that were left as they came, since there was no real for them; services without any are left out. */
    public Map<ServiceKey, Counter> noReal() {
        return guarded(() -> {
            Map<ServiceKey, Counter> counted = new HashMap<>();
            services.byId().forEach((id, key) -> {
                Counter counter = noReal.of(id);
                if (counter.packets() != 0) {
                    counted.put(key, counter);
                }
            });
            return counted;
        });
    }

    private static <T> T guarded(Supplier<T> call) {
        try {
            return call.get();
        } catch (BpfException e) {
            throw new DataplaneException(String.valueOf(e.getMessage()), e);
        }
    }

    /** Leaves the kernel marking. */
    @Override
    public void close() {
        program.close();
    }
}
