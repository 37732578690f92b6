// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import io.l4lb.agent.model.HealthCheck;
import io.l4lb.agent.model.Real;
import io.l4lb.hashing.quic.ServerId;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Reads the {@code [[services.reals]]} tables of a service.
 *
 * @param reals those that are right
 * @param addresses every address, of wrong reals too
 */
record RealsReader(List<Real> reals, List<Located<InetAddress>> addresses) {
    /** @param check of the service; absent if it is wrong */
    static RealsReader read(Table service, HashKeyReader hashKey, Optional<HealthCheck> check) {
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
            boolean maintenance = entry.flag("maintenance").orElse(false);
            Real.CheckAt checkAt = checkAt(entry, check);
            if (entry.finish()) {
                InetAddress address = addresses.get(addresses.size() - 1).value();
                reals.add(new Real(address, weight, serverId, maintenance, checkAt));
            }
        }
        hashKey.warnWithoutServerIds(service, entries);
        return new RealsReader(reals, addresses);
    }

    private static Real.CheckAt checkAt(Table entry, Optional<HealthCheck> check) {
        for (String key : List.of("check-address", "check-port")) {
            if (entry.has(key)
                    && check.filter(known -> known.way().via() == HealthCheck.Via.TUNNEL)
                            .isPresent()) {
                entry.problem(key, "is only for a check with via = \"direct\"");
            }
        }
        Optional<Integer> port = entry.number("check-port", 1, 65535);
        return new Real.CheckAt(
                entry.value("check-address", "an IP address", AddressLiteral::routable),
                port.isPresent() ? OptionalInt.of(port.get()) : OptionalInt.empty());
    }
}
