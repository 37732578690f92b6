// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs.host;

import io.l4lb.agent.control.Json;
import io.l4lb.agent.model.IpText;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One service as its file has it.
 *
 * @param address absent if the service is one of a mark
 * @param levels nominal level by real
 */
record ClaimFile(
        int version,
        String boot,
        String namespace,
        int protocol,
        @Nullable String address,
        int port,
        int mark,
        boolean ipv6,
        Map<String, Integer> levels) {
    private static final int VERSION = 1;

    static byte[] encode(Incarnation incarnation, OwnedKey key, Map<InetAddress, Integer> nominalLevels) {
        Map<String, Integer> levels = new LinkedHashMap<>();
        nominalLevels.forEach((real, level) -> levels.put(IpText.of(real), level));
        return Json.bytes(new ClaimFile(
                VERSION,
                incarnation.boot(),
                incarnation.namespace(),
                key.protocol(),
                key.address().map(IpText::of).orElse(null),
                key.port(),
                key.mark(),
                key.ipv6(),
                levels));
    }

    /** @throws IOException in a few words: it is no such file */
    static ClaimFile read(Path file) throws IOException {
        ClaimFile claim = WholeFile.read(file, ClaimFile.class);
        if (claim.version != VERSION) {
            throw new IOException("is of version " + claim.version + ", this agent knows " + VERSION);
        }
        try {
            claim.incarnation();
            claim.key();
            claim.nominalLevels();
        } catch (IllegalArgumentException | NullPointerException e) {
            throw new IOException("is not what the agent writes", e);
        }
        return claim;
    }

    Incarnation incarnation() {
        return new Incarnation(boot, namespace);
    }

    OwnedKey key() {
        return new OwnedKey(protocol, Optional.ofNullable(address).map(AddressText::parse), port, mark, ipv6);
    }

    Map<InetAddress, Integer> nominalLevels() {
        Map<InetAddress, Integer> byReal = new LinkedHashMap<>();
        levels.forEach((real, level) -> byReal.put(AddressText.parse(real), (int) level));
        return byReal;
    }
}
