// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import static io.l4lb.agent.dataplane.xdp.Samples.DNS4;
import static io.l4lb.agent.dataplane.xdp.Samples.ONE;
import static io.l4lb.agent.dataplane.xdp.Samples.REALS;
import static io.l4lb.agent.dataplane.xdp.Samples.SIX;
import static io.l4lb.agent.dataplane.xdp.Samples.program;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.dataplane.PacketKey;
import io.l4lb.hashing.HashKey;
import io.l4lb.hashing.quic.ConnectionIdLayout;
import io.l4lb.hashing.quic.ServerId;
import io.l4lb.test.InNamespace;
import io.l4lb.xdp.BpfMap;
import io.l4lb.xdp.UpdateMode;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The map of server IDs is taken over, mended and cleared. */
@Tag("kernel")
final class ServerIdMapTest {
    @AutoClose
    private final DirectorLab lab = new DirectorLab();

    @RegisterExtension
    final InNamespace director = new InNamespace(lab::build);

    @Test
    void serverIdsThatSomebodyChangedAreWrittenAnew() {
        PacketKey quic = new PacketKey(
                HashKey.QUIC_CID,
                Optional.of(new ConnectionIdLayout(8, 0, 1)),
                Map.of(ServerId.ofHex("01"), ONE, ServerId.ofHex("02"), SIX));
        Programs program = program(Set.of(DNS4), Map.of(ONE, 1, SIX, 1)).with(quic);
        lab.openWith(program, REALS).close();
        try (XdpDataplane second = lab.open();
                BpfMap serverIds = BpfMap.openPinned(lab.pin("server_ids")).orElseThrow()) {
            assertTrue(program.doneBy(second.observe()));
            List<byte[]> keys = serverIds.keys();
            assertEquals(2, keys.size());
            serverIds.delete(ByteBuffer.wrap(keys.get(0)));
            assertFalse(program.doneBy(second.observe()));
            program.installOn(second);
            assertTrue(program.doneBy(second.observe()));
            ByteBuffer foreign = new ServerIdKey(0, ServerId.ofHex("03")).encode();
            serverIds.update(foreign, Word.encode(0), UpdateMode.ANY);
            assertFalse(program.doneBy(second.observe()));
            program.installOn(second);
            assertTrue(program.doneBy(second.observe()));
            serverIds.update(ByteBuffer.wrap(keys.get(1)), Word.encode(4711), UpdateMode.ANY);
            assertFalse(program.doneBy(second.observe()));
            program.installOn(second);
            assertEquals(2, serverIds.keys().size());
            second.remove(Set.of(DNS4));
            assertEquals(List.of(), serverIds.keys());
        }
    }
}
