// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import io.l4lb.agent.model.Real;
import io.l4lb.hashing.quic.ServerId;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads the {@code [[services.reals]]} tables of a service.
 *
 * @param reals those that are right
 * @param addresses every address, of wrong reals too
 */
record RealsReader(List<Real> reals, List<Located<InetAddress>> addresses) {
    static RealsReader read(Table service, HashKeyReader hashKey) {
        List<Real> reals = new ArrayList<>();
        List<Located<InetAddress>> addresses = new ArrayList<>();
        if (service.size("reals") == 0) {
            service.problem("reals", "names no real");
        }
        List<Table> entries = service.tables("reals");
        for (Table entry : entries) {
            entry.require("address");
            entry.located("address", "an IP address", AddressLiteral::routable).ifPresent(addresses::add);
            int weight = entry.number("weight", 0, Real.MAX_WEIGHT).orElse(100);
            Optional<ServerId> serverId = hashKey.serverId(entry);
            if (entry.finish()) {
                reals.add(new Real(addresses.get(addresses.size() - 1).value(), weight, serverId));
            }
        }
        hashKey.warnWithoutServerIds(service, entries);
        return new RealsReader(reals, addresses);
    }
}
