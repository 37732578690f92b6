// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.l4lb.agent.status.ConfigDiffView;
import io.l4lb.agent.status.ConfigDiffView.KeyChange;
import io.l4lb.agent.status.ConfigDiffView.ServiceChange;
import io.l4lb.agent.status.ConfigDiffView.TableChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;

/** {@code l4lb config diff}. */
@Command(
        name = "diff",
        description = {
            "Say what a reload would change, and change nothing: the running agent reads its own files again.",
            "",
            "MOVED: how many slots of a VIP's lookup table would name another real, with the reals as healthy as they are"
                    + " now; reals that are new count as up. \"all\": the tables cannot be compared, since their sizes or"
                    + " their hash keys differ. \"-\": the kernel's scheduler has no table. Known flows keep their reals"
                    + " as long as these are there. -o wide: the tables' digests, by which directors can be compared.",
            "",
            "The exit code is 0 whether there are differences or not; 1 if a file has a problem, or a change needs a"
                    + " restart of the agent."
        })
final class ConfigDiffCommand extends ClientCommand {
    ConfigDiffCommand(Program program) {
        super(program);
    }

    @Override
    public Integer call() {
        JsonNode answer = post("/v1/config/diff", Map.of(), LONG_DEADLINE);
        ConfigDiffView diff = read(answer, ConfigDiffView.class);
        if (!printedAsJson(answer)) {
            print(diff);
        }
        return (diff.problems().isEmpty() ? ExitCode.OK : ExitCode.REFUSED).code();
    }

    private void print(ConfigDiffView diff) {
        diff.problems().forEach(problem -> out().println(Table.printable("refused: " + problem)));
        if (!diff.services().isEmpty()) {
            services(diff.services()).print(out());
        }
        if (!diff.tables().isEmpty()) {
            out().println();
            tables(diff.tables(), OutputOption.format(spec()) == OutputOption.Format.WIDE)
                    .print(out());
        }
        if (!diff.applicable()) {
            out().println("a reload would apply nothing");
        } else if (diff.services().isEmpty()) {
            out().println("no differences");
        }
    }

    private static Table services(List<ServiceChange> services) {
        Table table = Table.of("SERVICE", "CHANGE", "KEY", "BEFORE", "AFTER");
        for (ServiceChange service : services) {
            if (service.keys().isEmpty()) {
                table.row(service.service(), service.change(), "", "", "");
            }
            for (KeyChange key : service.keys()) {
                table.row(service.service(), service.change(), key.key(), key.before(), key.after());
            }
        }
        return table;
    }

    private static Table tables(List<TableChange> changes, boolean wide) {
        List<String> titles = new ArrayList<>(List.of("SERVICE", "VIP", ">SLOTS", ">MOVED", ">SHARE"));
        if (wide) {
            titles.addAll(List.of("DIGEST BEFORE", "DIGEST AFTER"));
        }
        titles.add("NOTE");
        Table table = Table.of(titles);
        for (TableChange change : changes) {
            List<String> row = new ArrayList<>(
                    List.of(change.service(), change.key(), slots(change), moved(change), share(change)));
            if (wide) {
                row.addAll(List.of(change.digestBefore(), change.digestAfter()));
            }
            row.add(change.note());
            table.row(row);
        }
        return table;
    }

    private static String slots(TableChange change) {
        return change.slotsBefore() == change.slotsAfter()
                ? count(change.slotsAfter())
                : slot(change.slotsBefore()) + " -> " + slot(change.slotsAfter());
    }

    /** Empty: none. */
    private static String count(int slots) {
        return slots == 0 ? "" : Integer.toString(slots);
    }

    private static String slot(int slots) {
        return slots == 0 ? "none" : Integer.toString(slots);
    }

    private static String moved(TableChange change) {
        if (change.moved() < 0) {
            return "";
        }
        return change.comparable() ? Integer.toString(change.moved()) : "all";
    }

    private static String share(TableChange change) {
        return change.moved() < 0 || change.slotsAfter() == 0
                ? ""
                : String.format(Locale.ROOT, "%.2f%%", 100.0 * change.moved() / change.slotsAfter());
    }
}
