// SPDX-License-Identifier: Apache-2.0
package io.l4lb.ipvs.fake;

import io.l4lb.netlink.AddressFamily;
import io.l4lb.netlink.AttributeWriter;
import io.l4lb.netlink.Errno;
import io.l4lb.netlink.Octets;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The state of the fake kernel, and its commands (IPVS_CMD_ of include/uapi/linux/ip_vs.h). */
final class FakeTable {
    private static final Set<String> ENGINES = Set.of("sip");

    private final Set<String> schedulers;
    private final Map<FakeService.Key, FakeService> services = new LinkedHashMap<>();
    private final FakeDaemons daemons = new FakeDaemons();
    private final int[] timeouts = {900, 120, 300};

    /** @param schedulers looked at again for each command */
    FakeTable(Set<String> schedulers) {
        this.schedulers = schedulers;
    }

    FakeService find(FakeService.Key key) {
        FakeService service = services.get(key);
        if (service == null) {
            throw new Refusal(Errno.ESRCH);
        }
        return service;
    }

    /** Those by address first, then those by mark, as the kernel has two tables for them. */
    List<Octets> services() {
        List<Octets> entries = new ArrayList<>();
        services.values().stream().filter(s -> s.key.mark() == 0).forEach(s -> entries.add(s.toAttributes()));
        services.values().stream().filter(s -> s.key.mark() != 0).forEach(s -> entries.add(s.toAttributes()));
        return entries;
    }

    /** None, not an error, without the service. */
    List<Octets> destinations(Request attributes) {
        try {
            return find(FakeService.Key.of(attributes.nest(1))).destinations.stream()
                    .map(FakeDestination::toAttributes)
                    .toList();
        } catch (Refusal refusal) {
            return List.of();
        }
    }

    List<Octets> daemons() {
        return daemons.all();
    }

    Octets timeouts() {
        AttributeWriter out = new AttributeWriter();
        for (int i = 0; i < timeouts.length; i++) {
            out.u32Host(4 + i, timeouts[i]);
        }
        return out.toOctets();
    }

    static Octets info() {
        return new AttributeWriter().u32Host(1, 0x010201).u32Host(2, 4096).toOctets();
    }

    void change(int command, Request attributes) {
        switch (command) {
            case 1 -> addService(attributes.nest(1));
            case 2 -> {
                Request nest = attributes.nest(1);
                find(FakeService.Key.of(nest)).set(nest, schedulers, ENGINES);
            }
            case 3 -> services.remove(find(FakeService.Key.of(attributes.nest(1))).key);
            case 5, 6, 7 ->
                changeDestination(command, find(FakeService.Key.of(attributes.nest(1))), attributes.nest(2));
            case 9 -> {
                Refusal.when(services.values().stream().anyMatch(FakeService::mixesFamilies), Errno.EINVAL);
                daemons.start(attributes.nest(3));
            }
            case 10 -> daemons.stop(attributes.nest(3));
            case 12 -> setTimeouts(attributes);
            case 16 -> {
                if (attributes.has(1)) {
                    find(FakeService.Key.of(attributes.nest(1))).zero();
                } else {
                    services.values().forEach(FakeService::zero);
                }
            }
            case 17 -> services.clear();
            default -> throw new Refusal(Errno.EOPNOTSUPP);
        }
    }

    private void addService(Request nest) {
        FakeService service = new FakeService(FakeService.Key.of(nest));
        Refusal.when(services.containsKey(service.key), Errno.EEXIST);
        service.set(nest, schedulers, ENGINES);
        services.put(service.key, service);
    }

    private void changeDestination(int command, FakeService service, Request nest) {
        FakeDestination.Key key = FakeDestination.Key.of(nest, service.key.family());
        if (command == 7) {
            service.destinations.remove(service.find(key));
            return;
        }
        boolean mixed = key.family() != service.key.family();
        Refusal.when(mixed && (daemons.areRunning() || !FakeDestination.tunnels(nest)), Errno.EINVAL);
        // The kernel checks the numbers before it looks for the destination.
        FakeDestination wanted = new FakeDestination(key);
        wanted.set(nest);
        if (command == 6) {
            service.find(key).set(nest);
            return;
        }
        Refusal.when(service.has(key), Errno.EEXIST);
        Refusal.when(!reachable(key), Errno.EINVAL);
        service.destinations.add(0, wanted);
    }

    /** Neither multicast nor broadcast; there is no link to have link-local addresses on. */
    private static boolean reachable(FakeDestination.Key key) {
        InetAddress address = key.address();
        boolean linkLocal = key.family() == AddressFamily.INET6 && address.isLinkLocalAddress();
        boolean broadcast = Octets.of(address).toHex().equals("ffffffff");
        return !address.isMulticastAddress() && !address.isAnyLocalAddress() && !linkLocal && !broadcast;
    }

    private void setTimeouts(Request attributes) {
        int[] wanted = timeouts.clone();
        for (int i = 0; i < wanted.length; i++) {
            int seconds = attributes.has(4 + i) ? attributes.u32Host(4 + i) : 0;
            // The limit of a kernel with 250 ticks a second.
            Refusal.when(seconds < 0 || seconds > Integer.MAX_VALUE / 250, Errno.EINVAL);
            wanted[i] = seconds == 0 ? wanted[i] : seconds;
        }
        System.arraycopy(wanted, 0, timeouts, 0, wanted.length);
    }
}
