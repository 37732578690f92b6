// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.hashing.FlowKey;
import io.l4lb.xdp.BpfMap;
import io.l4lb.xdp.MapLayout;
import io.l4lb.xdp.UpdateMode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.util.List;

/** Makes of what is pinned what an earlier version would have pinned; the program that is attached keeps its own maps. */
final class EarlierVersion {
    private static final int HASH = 1;
    private static final int ARRAY = 2;
    private static final int PERCPU_ARRAY = 6;
    private static final int LRU_HASH = 9;

    private final DirectorLab lab;

    EarlierVersion(DirectorLab lab) {
        this.lab = lab;
    }

    private BpfMap pin(String name, int type, int keySize, int valueSize, int entries) throws IOException {
        Files.deleteIfExists(lab.pin(name));
        BpfMap map = BpfMap.create(name, new MapLayout(type, keySize, valueSize, entries, 0));
        map.pin(lab.pin(name));
        return map;
    }

    private void remove(List<String> names) throws IOException {
        for (String name : names) {
            Files.delete(lab.pin(name));
        }
    }

    /** The version before: flows by their key, one gateway and source for each family, no filter of VIPs. */
    void before() throws IOException {
        ByteBuffer settings;
        try (BpfMap now = BpfMap.openPinned(lab.pin("settings")).orElseThrow()) {
            settings = now.lookup(Word.encode(0)).orElseThrow();
        }
        ByteBuffer earlier = ByteBuffer.allocate(64).order(ByteOrder.nativeOrder());
        earlier.put(0, settings, 32, 16).put(16, settings, 0, 16).put(32, settings, 64, 16);
        earlier.put(48, settings, 16, 6).put(54, settings, 80, 6).put(60, settings, 48, 4);
        try (BpfMap map = pin("settings", ARRAY, 4, 64, 1)) {
            map.update(Word.encode(0), earlier, UpdateMode.ANY);
        }
        pin("flows", LRU_HASH, 40, 4, 65536).close();
        pin("probes", HASH, 4, 48, 65536).close();
        remove(List.of(
                "service_generation",
                "vips",
                "vip_filter",
                "fragments",
                "new_flows",
                "captures",
                "service_verdicts",
                "events"));
    }

    /** The version before that, too: no server IDs, and counters for the verdicts that it had. */
    void withoutHashKeys() throws IOException {
        before();
        pin("verdicts", PERCPU_ARRAY, 4, 16, 11).close();
        remove(List.of("server_ids"));
    }

    /** Remembers a flow as it did. */
    void remember(FlowKey flow, int real) {
        try (BpfMap flows = BpfMap.openPinned(lab.pin("flows")).orElseThrow()) {
            flows.update(ByteBuffer.wrap(flow.encode()), Word.encode(real), UpdateMode.ANY);
        }
    }

    /** What its flow table has. */
    int flows() {
        try (BpfMap flows = BpfMap.openPinned(lab.pin("flows")).orElseThrow()) {
            return flows.keys().size();
        }
    }

    /** The number of a real of the service that flows of that key belong to. */
    int number(RealValue wanted) {
        try (BpfMap reals = BpfMap.openPinned(lab.pin("reals")).orElseThrow()) {
            for (int i = 0; i < reals.maxEntries(); i++) {
                if (RealValue.decode(reals.lookup(Word.encode(i)).orElseThrow()).equals(wanted)) {
                    return i;
                }
            }
        }
        throw new IllegalArgumentException("no real " + wanted);
    }
}
