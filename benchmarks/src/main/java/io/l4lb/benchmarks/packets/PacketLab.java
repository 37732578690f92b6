// SPDX-License-Identifier: Apache-2.0
package io.l4lb.benchmarks.packets;

import io.l4lb.benchmarks.packets.PacketCase.Balancer;
import io.l4lb.test.TemporaryBpfFs;
import io.l4lb.xdp.BpfObject;
import io.l4lb.xdp.ProgramHandle;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * Everything that is loaded: the balancers and the stubs, each in a wrapper, all pinned in a bpffs of their own. One
 * thread at a time.
 */
final class PacketLab implements AutoCloseable {
    private static final String PROGRAMS = "programs";

    private final TemporaryBpfFs pins = new TemporaryBpfFs();
    private final Map<Balancer, Director> directors = new EnumMap<>(Balancer.class);
    private final Map<Balancer, PacketWrapper> balancers = new EnumMap<>(Balancer.class);
    private final Map<Stub, PacketWrapper> stubs = new EnumMap<>(Stub.class);
    private boolean kept;
    private boolean removed;

    /** @param flowTableSize of any balancer, at most */
    PacketLab(int flowTableSize) {
        /* After an interrupt; else it finds nothing to do. */
        Runtime.getRuntime().addShutdownHook(new Thread(this::close, "clean-up"));
        try {
            Files.createDirectory(pins.path(PROGRAMS));
            Path noServices = Files.createTempDirectory("l4lb-bench");
            try {
                for (Balancer balancer : Balancer.values()) {
                    direct(balancer, flowTableSize, noServices);
                }
            } finally {
                Files.delete(noServices);
            }
            loadStubs();
        } catch (IOException e) {
            close();
            throw new UncheckedIOException(e);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private void direct(Balancer balancer, int flowTableSize, Path noServices) {
        Director director = new Director(new Configuration(
                Director.INTERFACE,
                mapsOf(balancer).toString(),
                noServices.toString(),
                Math.min(balancer.flowTableSize(), flowTableSize),
                balancer.newFlowLimit()));
        directors.put(balancer, director);
        director.program().pin(programOf(balancer));
        balancers.put(balancer, new PacketWrapper(director.program()));
    }

    private void loadStubs() {
        try (BpfObject object = BenchObject.STUBS.load()) {
            for (Stub stub : Stub.values()) {
                try (ProgramHandle program = object.program(stub.program())) {
                    program.pin(programOf(stub));
                    stubs.put(stub, new PacketWrapper(program));
                }
            }
        }
    }

    /** The bpffs. */
    Path root() {
        return Objects.requireNonNull(pins.path(PROGRAMS).getParent());
    }

    /** Where the program is pinned. */
    Path programOf(Enum<?> balancerOrStub) {
        return pins.path(PROGRAMS).resolve(nameOf(balancerOrStub));
    }

    /** Where the agent pins its maps. */
    Path mapsOf(Balancer balancer) {
        return pins.path(nameOf(balancer));
    }

    private static String nameOf(Enum<?> program) {
        return program.name().toLowerCase(Locale.ROOT);
    }

    Director director(Balancer balancer) {
        return Objects.requireNonNull(directors.get(balancer));
    }

    PacketWrapper wrapper(Balancer balancer) {
        return Objects.requireNonNull(balancers.get(balancer));
    }

    PacketWrapper wrapper(Stub stub) {
        return Objects.requireNonNull(stubs.get(stub));
    }

    /** Closing leaves everything pinned. */
    void keep() {
        kept = true;
    }

    @Override
    public synchronized void close() {
        if (removed) {
            return;
        }
        removed = true;
        stubs.values().forEach(PacketWrapper::close);
        balancers.values().forEach(PacketWrapper::close);
        directors.values().forEach(Director::close);
        if (!kept) {
            pins.close();
        }
    }
}
