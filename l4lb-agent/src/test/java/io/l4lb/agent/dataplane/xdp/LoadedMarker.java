// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.dataplane.ServiceProgram;
import io.l4lb.bpf.BpfProgram;
import io.l4lb.hashing.HashSeed;
import io.l4lb.xdp.BpfMap;
import io.l4lb.xdp.BpfObject;
import io.l4lb.xdp.ProgramHandle;
import io.l4lb.xdp.TestRun;
import io.l4lb.xdp.UpdateMode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** The marker with services in maps of its own; attached to nothing. */
final class LoadedMarker implements AutoCloseable {
    /** What a packet has that nobody has marked. */
    static final int UNMARKED = 0x77;

    private static final int BASE = 0x4c340000;

    /* struct __sk_buff { __u32 len, pkt_type, mark, ... } */
    private static final int CONTEXT_SIZE = 192;
    private static final int CONTEXT_MARK = 8;

    private final ProgramHandle program;
    private final Map<MapRole, BpfMap> maps;
    private final ServiceMaps services;

    LoadedMarker(HashSeed seed) {
        try (BpfObject object = BpfObject.open("marker", BpfProgram.MARKER.object())) {
            object.load();
            program = object.program("marker");
            maps = MapRole.ofMarker().stream().collect(Collectors.toMap(role -> role, role -> object.map(role.map())));
        }
        services = ServiceMaps.withoutFlows(name -> map(MapRole.of(name)));
        FlowSeed.write(map(MapRole.SETTINGS), seed);
    }

    private BpfMap map(MapRole role) {
        return Objects.requireNonNull(maps.get(role));
    }

    /** Each real of each service gets a mark of its own, which its number in these maps gives. */
    void install(ServiceProgram wanted) {
        services.install(wanted, (real, number) -> map(MapRole.REAL_MARKS)
                .update(Word.encode(number), Word.encode(BASE + number), UpdateMode.ANY));
    }

    void remove(ServiceKey key) {
        services.remove(Set.of(key));
    }

    /** The service and real that a mark stands for; or that it stands for nothing. */
    String meaning(int mark) {
        if (mark == UNMARKED) {
            return "unmarked";
        }
        RealValue real = RealValue.decode(
                map(MapRole.REALS).lookup(Word.encode(mark - BASE)).orElseThrow());
        return services.byId().get(real.service()) + " " + real.address().getHostAddress();
    }

    /** Runs the program on a frame that has the mark {@link #UNMARKED}. */
    TestRun run(byte[] frame) {
        byte[] context = new byte[CONTEXT_SIZE];
        ByteBuffer.wrap(context).order(ByteOrder.nativeOrder()).putInt(CONTEXT_MARK, UNMARKED);
        return program.testRun(frame, context);
    }

    static int mark(TestRun run) {
        return ByteBuffer.wrap(run.context()).order(ByteOrder.nativeOrder()).getInt(CONTEXT_MARK);
    }

    @Override
    public void close() {
        maps.values().forEach(BpfMap::close);
        program.close();
    }
}
