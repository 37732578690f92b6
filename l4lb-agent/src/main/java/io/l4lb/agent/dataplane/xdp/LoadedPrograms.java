// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.bpf.BpfProgram;
import io.l4lb.xdp.BpfMap;
import io.l4lb.xdp.BpfObject;
import io.l4lb.xdp.ProgramHandle;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/** The balancer and the probe program, in the kernel; the balancer once more for each program that is chained to it. */
final class LoadedPrograms implements AutoCloseable {
    /** {@code .chain} in {@code struct constants} of {@code l4lb.h}. */
    static final int CHAIN = 3;

    private static final String CONSTANTS = ".rodata.constants";

    private final AttachmentPlan plan;
    private final PinnedMaps maps;
    private final BpfObject balancer;
    private final BpfObject probe;

    private LoadedPrograms(AttachmentPlan plan, PinnedMaps maps) {
        this.plan = plan;
        this.maps = maps;
        this.balancer = open(false);
        this.probe = BpfObject.open("probe", BpfProgram.PROBE.object());
    }

    /** Loads both with the maps that are pinned and with new ones. Nothing is attached. */
    static LoadedPrograms load(AttachmentPlan plan, PinnedMaps maps) {
        LoadedPrograms programs = new LoadedPrograms(plan, maps);
        try {
            load(programs.balancer, maps, MapRole.ofBalancer());
            load(programs.probe, maps, List.of(MapRole.PROBES));
            return programs;
        } catch (RuntimeException e) {
            programs.close();
            throw e;
        }
    }

    private static void load(BpfObject object, PinnedMaps maps, List<MapRole> roles) {
        maps.offer(object, roles);
        object.load();
        maps.take(object, roles);
    }

    private BpfObject open(boolean chain) {
        byte[] constants = new byte[plan.constants().remaining()];
        plan.constants().duplicate().get(constants);
        constants[CHAIN] = (byte) (chain ? 1 : 0);
        return BpfObject.open("balancer", BpfProgram.BALANCER.object())
                .maxEntries(MapRole.FLOWS.map(), plan.flows().size())
                .mapFlags(MapRole.FLOWS.map(), plan.flows().flags())
                .constants(CONSTANTS, constants);
    }

    /** A new handle. */
    ProgramHandle balancer() {
        return balancer.program("balancer");
    }

    /** A new handle. */
    ProgramHandle probe() {
        return probe.program("probe");
    }

    /**
     * The balancer once more on the same maps, that hands passed packets on.
     *
     * @param chain the array of the program that gets them; empty: a new, empty one
     */
    BpfObject chaining(Optional<BpfMap> chain) {
        BpfObject object = open(true);
        try {
            maps.share(object);
            chain.ifPresent(existing -> object.reuse("chain", existing));
            return object.load();
        } catch (RuntimeException e) {
            object.close();
            throw e;
        }
    }

    @Override
    public void close() {
        probe.close();
        balancer.close();
    }

    /** The constants that the program has if nobody sets them. */
    static ByteBuffer defaults() {
        try (BpfObject object = BpfObject.open("balancer", BpfProgram.BALANCER.object())) {
            return ByteBuffer.wrap(object.constants(CONSTANTS));
        }
    }
}
