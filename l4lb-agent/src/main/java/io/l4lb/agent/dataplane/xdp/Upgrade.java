// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.xdp.BpfMap;
import io.l4lb.xdp.MapLayout;
import io.l4lb.xdp.UpdateMode;
import java.util.ArrayList;
import java.util.List;

/** What new maps take over from those that are pinned with another layout, and whose place they will take. */
final class Upgrade {
    private final AttachmentPlan.FlowTable table;
    private final PinnedMaps maps;
    private final List<String> notes = new ArrayList<>();

    private Upgrade(AttachmentPlan.FlowTable table, PinnedMaps maps) {
        this.table = table;
        this.maps = maps;
    }

    /** Fills new maps; returns what an operator should know. */
    static List<String> carryOver(AttachmentPlan.FlowTable table, PinnedMaps maps) {
        Upgrade upgrade = new Upgrade(table, maps);
        upgrade.settings();
        maps.replaced(MapRole.FLOWS).ifPresent(upgrade::flows);
        upgrade.counters();
        return List.copyOf(upgrade.notes);
    }

    private void settings() {
        maps.replaced(MapRole.SETTINGS)
                .flatMap(earlier -> earlier.lookup(Word.encode(0)))
                .flatMap(EarlierSettings::carriedOver)
                .ifPresent(value -> maps.map(MapRole.SETTINGS).update(Word.encode(0), value, UpdateMode.ANY));
    }

    private void flows(BpfMap earlier) {
        BpfMap flows = maps.map(MapRole.FLOWS);
        String change = change(earlier.layout(), flows.layout());
        if (!table.migrate()) {
            notes.add(change + "its flows are forgotten, as flow-table-on-upgrade says");
        } else if (FlowMigration.isPossible(earlier, flows)) {
            FlowMigration migration = new FlowMigration(
                    maps.map(MapRole.SERVICES), maps.map(MapRole.REALS), table.seed(), Ticks.at(System.nanoTime()));
            FlowMigration.Result result = migration.copy(earlier, flows);
            notes.add(change + result.taken() + " of " + result.found() + " flows were taken over");
        } else {
            notes.add(change + "its flows are forgotten, since this version cannot read them");
        }
    }

    private static String change(MapLayout before, MapLayout now) {
        MapLayout resized =
                new MapLayout(before.type(), before.keySize(), before.valueSize(), now.maxEntries(), before.flags());
        return resized.equals(now)
                ? "the flow table has another size now, " + before.maxEntries() + " -> " + now.maxEntries()
                        + " entries: "
                : "the flow table that was there has another layout (" + before + "; now " + now + "): ";
    }

    private void counters() {
        for (MapRole role : MapRole.values()) {
            if (role.otherwise() == MapRole.Otherwise.COUNTED_FROM_ZERO
                    && maps.replaced(role).isPresent()) {
                notes.add("the counters in " + role.map()
                        + " start from zero: those of the version before have another layout");
            }
        }
    }
}
