// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import io.l4lb.agent.status.StatsView;
import io.l4lb.agent.status.StatsView.EventView;
import io.l4lb.agent.status.StatsView.FlowTableView;
import io.l4lb.agent.status.StatsView.RealStatsView;
import io.l4lb.agent.status.StatsView.ServiceStatsView;
import io.l4lb.agent.status.StatsView.VerdictView;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What was counted, as tables; with what was counted since an earlier time, a second. */
final class StatsTables {
    private static final List<String> RATE_TITLES = List.of(">PACKETS/S", ">BITS/S");
    private static final int BITS = 8;

    private final StatsView now;
    private final boolean all;
    private final Map<String, long[]> earlier = new HashMap<>();
    private final double seconds;

    /**
     * Tables.
     *
     * @param before an earlier view; null: there is none
     * @param all whether zeroes are shown too
     */
    StatsTables(StatsView now, @Nullable StatsView before, boolean all) {
        this.now = now;
        this.all = all;
        this.seconds = before == null
                ? 0
                : Duration.between(Instant.parse(before.time()), Instant.parse(now.time()))
                                .toNanos()
                        / 1e9;
        if (before != null) {
            note(before);
        }
    }

    private void note(StatsView before) {
        before.verdicts().forEach(verdict -> note("", verdict));
        for (ServiceStatsView service : before.services()) {
            service.notForwarded().forEach(verdict -> note(service.service(), verdict));
            service.reals()
                    .forEach(real -> earlier.put(
                            service.service() + " " + real.real(), new long[] {real.packets(), real.bytes()}));
        }
    }

    private void note(String service, VerdictView verdict) {
        earlier.put(service + " " + verdict.verdict(), new long[] {verdict.packets(), verdict.bytes()});
    }

    /** Prints all of it. */
    void print(boolean rates, PrintWriter out) {
        if (rates) {
            out.println(now.time());
        }
        printVerdicts(rates, out);
        printReals(rates, out);
        printNotForwarded(rates, out);
        printEvents(out);
        FlowTableView flows = now.flowTable();
        if (flows != null) {
            out.println();
            out.println("flow table: " + flows.entries()
                    + (flows.capacity() == 0
                            ? " entries"
                            : " of " + flows.capacity() + " entries, " + flows.expired() + " of them expired"));
        }
    }

    private static Table table(List<String> first, boolean rates, List<String> last) {
        List<String> titles = new ArrayList<>(first);
        titles.addAll(List.of(">PACKETS", ">BYTES"));
        titles.addAll(rates ? RATE_TITLES : List.of());
        titles.addAll(last);
        return Table.of(titles);
    }

    private List<String> row(List<String> first, String key, long packets, long bytes, boolean rates) {
        List<String> row = new ArrayList<>(first);
        row.add(Long.toString(packets));
        row.add(Long.toString(bytes));
        if (rates) {
            boolean known = earlier.containsKey(key) && seconds > 0;
            long[] before = earlier.getOrDefault(key, new long[2]);
            row.add(known ? rate(packets - before[0]) : "");
            row.add(known ? rate((bytes - before[1]) * BITS) : "");
        }
        return row;
    }

    /** Counters that have started anew have counted nothing less than nothing. */
    private String rate(long more) {
        return String.format(Locale.ROOT, "%.0f", Math.max(0, more) / seconds);
    }

    private void printVerdicts(boolean rates, PrintWriter out) {
        Table table = table(List.of("VERDICT"), rates, List.of("REASON"));
        for (VerdictView verdict : now.verdicts()) {
            if (all || verdict.packets() > 0) {
                table.row(verdictRow("", List.of(verdict.verdict()), verdict, rates));
            }
        }
        table.print(out);
    }

    private List<String> verdictRow(String service, List<String> first, VerdictView verdict, boolean rates) {
        String key = service + " " + verdict.verdict();
        List<String> row = row(first, key, verdict.packets(), verdict.bytes(), rates);
        row.add(verdict.reason());
        return row;
    }

    private void printReals(boolean rates, PrintWriter out) {
        if (now.services().isEmpty()) {
            return;
        }
        Table table = table(List.of("SERVICE", "REAL"), rates, List.of());
        for (ServiceStatsView service : now.services()) {
            for (RealStatsView real : service.reals()) {
                String key = service.service() + " " + real.real();
                table.row(row(List.of(service.service(), real.real()), key, real.packets(), real.bytes(), rates));
            }
        }
        out.println();
        table.print(out);
    }

    private void printNotForwarded(boolean rates, PrintWriter out) {
        if (now.services().stream().allMatch(service -> service.notForwarded().isEmpty())) {
            return;
        }
        Table table = table(List.of("SERVICE", "NOT FORWARDED"), rates, List.of("REASON"));
        for (ServiceStatsView service : now.services()) {
            for (VerdictView verdict : service.notForwarded()) {
                table.row(verdictRow(service.service(), List.of(service.service(), verdict.verdict()), verdict, rates));
            }
        }
        out.println();
        table.print(out);
    }

    private void printEvents(PrintWriter out) {
        Table table = Table.of("EVENT", ">COUNT", "MEANING");
        boolean any = false;
        for (EventView event : now.events()) {
            if (all || event.count() > 0) {
                any = true;
                table.row(event.event(), event.count(), event.meaning());
            }
        }
        if (any) {
            out.println();
            table.print(out);
        }
    }
}
