// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import io.l4lb.agent.model.Frontend;
import io.l4lb.agent.status.RealView;
import io.l4lb.agent.status.ServiceView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The tables that more than one command prints. */
final class Tables {
    private static final List<String> REAL_TITLES =
            List.of("REAL", "HEALTH", ">WEIGHT", ">SLOTS", ">SHARE", ">PACKETS", ">BYTES", "SINCE", "REASON");

    private Tables() {}

    static Table services(List<ServiceView> services) {
        Table table = Table.of("SERVICE", "VIPS", "PROTOCOL", ">PORT", ">HEALTHY", "ANNOUNCED", "PROBLEM");
        for (ServiceView service : services) {
            table.row(
                    service.name(),
                    String.join(" ", service.vips()),
                    service.protocol(),
                    Frontend.portText(service.port()),
                    healthy(service),
                    announced(service),
                    service.problem());
        }
        return table;
    }

    /** The reals of any services. */
    static Table reals(List<RealView> reals, Since since) {
        Map<String, Long> tableSizes = new HashMap<>();
        reals.forEach(real -> tableSizes.merge(real.service(), (long) real.slots(), Long::sum));
        Table table = Table.of(concatenated("SERVICE", REAL_TITLES));
        for (RealView real : reals) {
            long tableSize = tableSizes.getOrDefault(real.service(), 0L);
            table.row(concatenated(real.service(), real(real, tableSize, since)));
        }
        return table;
    }

    /** The reals of one service. */
    static Table reals(ServiceView service, Since since) {
        long tableSize = tableSize(service);
        if (service.quic().isEmpty()) {
            Table table = Table.of(REAL_TITLES);
            service.reals().forEach(real -> table.row(real(real, tableSize, since)));
            return table;
        }
        Table table = Table.of(concatenated("SERVER-ID", REAL_TITLES));
        for (RealView real : service.reals()) {
            table.row(concatenated(real.serverId(), real(real, tableSize, since)));
        }
        return table;
    }

    /** Without a table, weights stand in the place of slots. */
    private static long tableSize(ServiceView service) {
        return service.tableSize() > 0
                ? service.tableSize()
                : service.reals().stream().mapToLong(RealView::slots).sum();
    }

    private static List<String> real(RealView real, long tableSize, Since since) {
        return List.of(
                real.address(),
                health(real),
                weight(real),
                Integer.toString(real.slots()),
                share(real.slots(), tableSize),
                Long.toString(real.packets()),
                Long.toString(real.bytes()),
                since.text(real.since()),
                real.reason());
    }

    private static List<String> concatenated(String first, List<String> rest) {
        List<String> all = new ArrayList<>(List.of(first));
        all.addAll(rest);
        return all;
    }

    /** Healthy reals of those that could be, which ones of weight 0 cannot. */
    static String healthy(ServiceView service) {
        long eligible =
                service.reals().stream().filter(real -> real.weight() > 0).count();
        return eligible == 0 ? "drained" : service.healthy() + "/" + eligible;
    }

    /** Whether routers have been told of the service's VIPs: of all, of some, of none. */
    static String announced(ServiceView service) {
        if (service.announced()) {
            return "yes";
        }
        return service.announcedVips().isEmpty() ? "no" : "partly";
    }

    private static String health(RealView real) {
        return real.health() + (real.verified() ? "" : " (not yet probed)");
    }

    /** The weight in effect, and the one that is configured where that is another. */
    private static String weight(RealView real) {
        return real.effectiveWeight() == real.weight()
                ? Integer.toString(real.weight())
                : real.effectiveWeight() + " of " + real.weight();
    }

    private static String share(int slots, long tableSize) {
        return tableSize == 0 ? "" : String.format(Locale.ROOT, "%.2f%%", 100.0 * slots / tableSize);
    }
}
