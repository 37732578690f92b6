// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Who may know whom in the agent: the directions of ARCHITECTURE.md. */
@AnalyzeClasses(packages = "io.l4lb.agent", importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {
    private static final String AGENT = "io.l4lb.agent";
    private static final String HASHING = "io.l4lb.hashing";
    private static final String QUIC = HASHING + ".quic";
    private static final String DECISION = HASHING + ".decision";
    private static final String HEALTHCHECK = "io.l4lb.healthcheck";
    private static final String CHECK = HEALTHCHECK + ".check";
    private static final String LOAD = HEALTHCHECK + ".load";
    private static final String NETLINK = "io.l4lb.netlink";

    /** By package, the other packages of ours that it may know. */
    private static final Map<String, List<String>> KNOWS = Map.ofEntries(
            Map.entry(room("model"), List.of(HASHING, QUIC, HEALTHCHECK, CHECK)),
            Map.entry(room("status"), List.of()),
            Map.entry(room("file"), List.of()),
            Map.entry(room("config"), List.of(room("file"), room("model"), HASHING, QUIC, HEALTHCHECK, CHECK)),
            Map.entry(room("dataplane"), List.of(room("model"), HASHING, QUIC, DECISION)),
            Map.entry(
                    room("dataplane.xdp"),
                    List.of(
                            room("dataplane"),
                            room("file"),
                            room("model"),
                            HASHING,
                            QUIC,
                            DECISION,
                            HASHING + ".packet",
                            "io.l4lb.bpf",
                            "io.l4lb.xdp",
                            NETLINK,
                            NETLINK + ".generic",
                            NETLINK + ".route")),
            Map.entry(
                    room("dataplane.mark"),
                    List.of(
                            room("dataplane"),
                            room("dataplane.xdp"),
                            room("file"),
                            room("model"),
                            HASHING,
                            "io.l4lb.bpf",
                            "io.l4lb.xdp")),
            Map.entry(
                    room("dataplane.ipvs.host"),
                    List.of(
                            room("control"),
                            room("dataplane"),
                            room("file"),
                            room("model"),
                            NETLINK,
                            NETLINK + ".generic",
                            NETLINK + ".route")),
            Map.entry(
                    room("dataplane.ipvs"),
                    List.of(
                            room("dataplane"),
                            room("dataplane.ipvs.host"),
                            room("dataplane.mark"),
                            room("file"),
                            room("model"),
                            HASHING,
                            DECISION,
                            HASHING + ".packet",
                            HASHING + ".mh",
                            "io.l4lb.ipvs",
                            NETLINK,
                            NETLINK + ".route")),
            Map.entry(room("health"), List.of(room("dataplane"), room("model"), HEALTHCHECK, CHECK, LOAD)),
            Map.entry(
                    room("reconcile"),
                    List.of(room("dataplane"), room("health"), room("model"), HASHING, QUIC, HEALTHCHECK, LOAD)),
            Map.entry(room("announce"), List.of(room("reconcile"), "io.l4lb.bgp")),
            Map.entry(room("control"), List.of(room("file"), room("status"))),
            Map.entry(
                    room("cli"),
                    List.of(
                            room("control"),
                            room("status"),
                            room("config"),
                            room("file"),
                            room("model"),
                            room("realserver"),
                            HASHING,
                            HASHING + ".packet",
                            HASHING + ".simulation")),
            Map.entry(
                    room("realserver"),
                    List.of(
                            room("control"),
                            room("file"),
                            room("model"),
                            "io.l4lb.bpf",
                            "io.l4lb.xdp",
                            NETLINK,
                            NETLINK + ".route")),
            Map.entry(
                    room("daemon"),
                    List.of(
                            room("model"),
                            room("config"),
                            room("file"),
                            room("status"),
                            room("control"),
                            room("dataplane"),
                            room("dataplane.ipvs"),
                            room("dataplane.xdp"),
                            room("health"),
                            room("reconcile"),
                            room("announce"),
                            HASHING,
                            QUIC,
                            DECISION,
                            HASHING + ".packet",
                            HEALTHCHECK,
                            LOAD,
                            HEALTHCHECK + ".epoll",
                            NETLINK,
                            NETLINK + ".route",
                            "io.l4lb.bgp",
                            "io.l4lb.bgp.exabgp")),
            Map.entry(AGENT, List.of(room("cli"), room("config"), room("daemon"))));

    private static String room(String name) {
        return AGENT + "." + name;
    }

    private static ArchRule onlyKnows(String room, List<String> others) {
        Set<String> allowed = new HashSet<>(others);
        allowed.add(room);
        return noClasses()
                .that()
                .resideInAPackage(room)
                .should()
                .dependOnClassesThat(DescribedPredicate.describe(
                        "are ours but none of " + new TreeSet<>(others),
                        known -> known.getPackageName().startsWith("io.l4lb.")
                                && !allowed.contains(known.getPackageName())));
    }

    @ArchTest
    static void everyRoomKnowsOnlyWhatItMay(JavaClasses agent) {
        KNOWS.forEach((room, others) -> onlyKnows(room, others).check(agent));
    }

    @ArchTest
    static void everyRoomIsListed(JavaClasses agent) {
        Set<String> rooms = new TreeSet<>();
        for (JavaClass each : agent) {
            rooms.add(each.getPackageName());
        }
        assertEquals(new TreeSet<>(KNOWS.keySet()), rooms);
    }

    @ArchTest
    static final ArchRule NOBODY_CALLS_NATIVE_CODE =
            noClasses().should().dependOnClassesThat().resideInAPackage("jnr..");

    /** The model only writes addresses with Netty's formatter. */
    @ArchTest
    static final ArchRule ONLY_CONTROL_KNOWS_NETTY = noClasses()
            .that()
            .resideOutsideOfPackages(room("control"), room("model"))
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.netty..");

    @Test
    void violationsAreSeen() throws ClassNotFoundException {
        JavaClasses misplaced = new ClassFileImporter().importClasses(Class.forName(AGENT + ".model.KnowsTooMuch"));
        assertTrue(onlyKnows(room("model"), List.of()).evaluate(misplaced).hasViolation());
        assertTrue(NOBODY_CALLS_NATIVE_CODE.evaluate(misplaced).hasViolation());
    }
}
