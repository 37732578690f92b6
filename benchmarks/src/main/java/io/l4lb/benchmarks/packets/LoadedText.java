// SPDX-License-Identifier: Apache-2.0
package io.l4lb.benchmarks.packets;

import io.l4lb.benchmarks.packets.PacketCase.Balancer;
import java.io.PrintWriter;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/** Says what is loaded and how it is filled, so that another harness can time the same program. */
final class LoadedText {
    private final PacketLab lab;
    private final List<PacketCase> cases;

    LoadedText(PacketLab lab, List<PacketCase> cases) {
        this.lab = lab;
        this.cases = cases;
    }

    void print(PrintWriter out, boolean kept) {
        out.println("Loaded by the agent's own classes, as if all reals were up; flow hash seed " + Configuration.SEED
                + ". The balancer, with maps of its own each time:");
        for (Balancer balancer : Balancer.values()) {
            Configuration configuration = lab.director(balancer).configuration();
            out.printf(
                    "  %s: program %s, maps %s/, flow-table-size %d, new-flow-limit %d%n",
                    nameOf(balancer),
                    lab.programOf(balancer),
                    lab.mapsOf(balancer),
                    configuration.flowTableSize(),
                    configuration.newFlowLimit());
        }
        out.println("and the floors:");
        for (Stub stub : Stub.values()) {
            out.printf("  %s: program %s%n", nameOf(stub), lab.programOf(stub));
        }
        out.println("Configuration of the first; the others differ as is said above:");
        lab.director(Balancer.REMEMBERING).configuration().toml().lines().forEach(line -> out.println("  " + line));
        out.println("Packets, as hexadecimal digits. Of flow i the source address is the one shown plus i / 16384, the"
                + " source port " + Traffic.port(0) + " plus i % 16384.");
        out.println("A flow is remembered once its packet, or the one named first, has been through the balancer.");
        for (PacketCase subject : cases) {
            out.printf(
                    "  %s (%s, flows: %d)%s %s%n",
                    subject.name(),
                    nameOf(subject.balancer()),
                    subject.traffic().flows(),
                    subject.traffic()
                            .opening()
                            .map(opening -> " first " + hex(opening) + ", then")
                            .orElse(""),
                    hex(subject.traffic().frame()));
        }
        out.println(
                kept
                        ? "It stays, for it is asked to; remove it by: umount " + lab.root() + " && rmdir " + lab.root()
                        : "It is removed at the end; --keep leaves it.");
    }

    private static String nameOf(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private static String hex(byte[] frame) {
        return HexFormat.of().formatHex(frame);
    }
}
