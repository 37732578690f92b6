// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.realserver;

import static io.l4lb.test.Address.ip;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.l4lb.agent.realserver.Step.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Setup, teardown and status on a server of paper. */
class SetupTest {
    private static final Item ARP_IGNORE = Item.setting("net/ipv4/conf/eth0/arp_ignore");
    private static final Item ARP_ANNOUNCE = Item.setting("net/ipv4/conf/eth0/arp_announce");
    private static final Item VIP = Item.address(ip("192.0.2.10"), "lo");
    private static final Item OPENED = Item.openedVip(ip("192.0.2.10"));
    private static final Item PROGRAM = new Item(Kind.PROGRAM, "eth0");
    private static final Item BPFFS = new Item(Kind.BPF_FILE_SYSTEM, "/sys/fs/bpf");

    private final FakeHost host = new FakeHost();
    private final Map<Item, String> fresh = new HashMap<>(host.values);
    private final List<Step> steps = new ArrayList<>();
    private Path file = Path.of("");
    private RealServer server = host.server(file);

    @BeforeEach
    void start(@TempDir Path directory) {
        file = directory.resolve("state/real.json");
        server = host.server(file);
    }

    private static SetupRequest request(Method method, String... vips) {
        return new SetupRequest(
                Stream.of(vips).map(Prefix::address).toList(),
                Optional.of("eth0"),
                method,
                List.of(),
                Path.of("/sys/fs/bpf/l4lb-real"));
    }

    private RealServer.Result setup(String... vips) {
        steps.clear();
        return server.setup(request(Method.AUTO, vips), false, steps::add);
    }

    private boolean teardown() {
        steps.clear();
        return server.teardown(false, steps::add);
    }

    private List<Item> items(Outcome outcome) {
        return steps.stream()
                .filter(step -> step.outcome() == outcome)
                .map(Step::item)
                .toList();
    }

    private boolean isWhole() {
        return server.status().orElseThrow().isWhole();
    }

    @Test
    void setupMakesItWholeAndTeardownUndoesIt() {
        RealServer.Result result = setup("192.0.2.10");
        assertEquals(Method.BPF, result.method());
        assertEquals(
                List.of(ARP_IGNORE, ARP_ANNOUNCE, VIP, BPFFS, PROGRAM),
                items(Outcome.CHANGED).subList(0, 5));
        assertEquals("net.ipv4.conf.eth0.arp_ignore: 0 -> 1", items(steps, ARP_IGNORE));
        assertEquals("address 192.0.2.10/32 on lo: absent -> present", items(steps, VIP));
        assertTrue(isWhole());
        assertTrue(teardown());
        assertEquals(List.of(BPFFS), items(Outcome.KEPT));
        fresh.put(BPFFS, BpfFileSystem.MOUNTED);
        assertEquals(fresh, host.values);
        assertFalse(Files.exists(file));
        assertEquals(Optional.empty(), server.status());
        assertFalse(teardown());
    }

    private static String items(List<Step> steps, Item item) {
        return steps.stream()
                .filter(step -> step.item().equals(item))
                .map(Step::toString)
                .findFirst()
                .orElse("");
    }

    @Test
    void secondSetupChangesNothing() {
        setup("192.0.2.10");
        host.written.clear();
        setup("192.0.2.10");
        assertEquals(List.of(), host.written);
        assertEquals(List.of(), items(Outcome.CHANGED));
        teardown();
        assertEquals("0", host.values.get(ARP_IGNORE));
    }

    @Test
    void dryRunTouchesNothing() {
        server.setup(request(Method.AUTO, "192.0.2.10"), true, steps::add);
        assertTrue(items(Outcome.CHANGED).contains(VIP));
        assertEquals(fresh, host.values);
        assertFalse(Files.exists(file));
        setup("192.0.2.10");
        Map<Item, String> before = new HashMap<>(host.values);
        steps.clear();
        server.setup(request(Method.AUTO, "192.0.2.11"), true, steps::add);
        assertTrue(items(Outcome.RESTORED).contains(VIP));
        server.teardown(true, steps::add);
        assertEquals(before, host.values);
    }

    @Test
    void anotherVipReplacesTheOneBefore() {
        setup("192.0.2.10");
        setup("192.0.2.11");
        assertTrue(items(Outcome.RESTORED).containsAll(List.of(VIP, OPENED)));
        assertFalse(host.values.containsKey(VIP));
        assertTrue(host.values.containsKey(Item.address(ip("192.0.2.11"), "lo")));
        assertTrue(isWhole());
        teardown();
        fresh.put(BPFFS, BpfFileSystem.MOUNTED);
        assertEquals(fresh, host.values);
    }

    @Test
    void anotherMethodReplacesTheOneBefore() {
        setup("192.0.2.10");
        host.facts = FakeHost.facts(KernelTunnels.MODULES, 0);
        host.change("net/ipv4/conf/tunl0/rp_filter", "0");
        host.change("net/ipv4/conf/ip6tnl0/rp_filter", "0");
        host.values.put(new Item(Kind.TUNNEL_MODE, "ip6tnl0"), "ipv6/ipv6");
        host.values.put(new Item(Kind.DEVICE, "tunl0"), "down");
        RealServer.Result result = setup("192.0.2.10");
        assertEquals(Method.KERNEL, result.method());
        assertFalse(host.values.containsKey(PROGRAM));
        assertEquals("up", host.values.get(new Item(Kind.DEVICE, "tunl0")));
        teardown();
        assertEquals("down", host.values.get(new Item(Kind.DEVICE, "tunl0")));
        assertEquals("0", host.values.get(ARP_IGNORE));
        assertTrue(items(Outcome.KEPT).contains(new Item(Kind.MODULE, "ipip")));
    }

    @Test
    void whatWasThereBeforeStays() {
        host.values.put(VIP, Item.PRESENT);
        host.values.put(ARP_IGNORE, "1");
        setup("192.0.2.10");
        assertFalse(items(Outcome.CHANGED).contains(VIP));
        teardown();
        assertEquals(Item.PRESENT, host.values.get(VIP));
        assertEquals("1", host.values.get(ARP_IGNORE));
    }

    @Test
    void whatSomebodyHasChangedSinceIsLeftAlone() {
        setup("192.0.2.10");
        host.values.put(ARP_ANNOUNCE, "1");
        host.values.remove(VIP);
        RealServer.Status status = server.status().orElseThrow();
        assertFalse(status.isWhole());
        assertEquals(Check.Verdict.MISSING, verdict(status, VIP));
        assertEquals(Check.Verdict.DIFFERS, verdict(status, ARP_ANNOUNCE));
        assertEquals(Check.Verdict.OK, verdict(status, ARP_IGNORE));
        teardown();
        assertEquals(List.of(ARP_ANNOUNCE), items(Outcome.LEFT));
        assertEquals("1", host.values.get(ARP_ANNOUNCE));
        assertEquals("0", host.values.get(ARP_IGNORE));
    }

    private static Check.Verdict verdict(RealServer.Status status, Item item) {
        return status.checks().stream()
                .filter(check -> check.item().equals(item))
                .findFirst()
                .orElseThrow()
                .verdict();
    }

    @Test
    void setupMendsWhatSomebodyHasChangedAndRemembersIt() {
        setup("192.0.2.10");
        host.values.put(ARP_ANNOUNCE, "1");
        setup("192.0.2.10");
        assertEquals(List.of(ARP_ANNOUNCE), items(Outcome.CHANGED));
        assertTrue(isWhole());
        teardown();
        assertEquals("1", host.values.get(ARP_ANNOUNCE));
    }

    @Test
    void aNewAddressOfTheServerIsMissed() {
        setup("192.0.2.10");
        List<Facts.HostAddress> addresses = new ArrayList<>(host.facts.addresses());
        addresses.add(new Facts.HostAddress("eth0", ip("10.0.1.2")));
        host.facts = new Facts(host.facts.devices(), addresses, host.facts.modules(), host.facts.ways(), true);
        RealServer.Status status = server.status().orElseThrow();
        assertEquals(Check.Verdict.MISSING, verdict(status, Item.tunnelEnd(ip("10.0.1.2"))));
    }

    @Test
    void anInterfaceThatIsGoneIsAProblem() {
        setup("192.0.2.10");
        host.facts = new Facts(List.of(), List.of(), host.facts.modules(), host.facts.ways(), true);
        RealServer.Status status = server.status().orElseThrow();
        assertFalse(status.isWhole());
        assertEquals(List.of("there is no interface eth0; there are: "), status.problems());
    }

    @Test
    void aFailedSetupIsUndone() {
        host.broken.add(OPENED);
        RealServerException e = assertThrows(RealServerException.class, () -> setup("192.0.2.10"));
        assertEquals(
                List.of(
                        "tunnels for 192.0.2.10 cannot be made \"present\": broken",
                        "what had been changed is as it was before"),
                e.problems());
        fresh.put(BPFFS, BpfFileSystem.MOUNTED);
        assertEquals(fresh, host.values);
        assertFalse(Files.exists(file));
    }

    @Test
    void aFailedSecondSetupLeavesTheFirst() {
        setup("192.0.2.10");
        Map<Item, String> before = new HashMap<>(host.values);
        host.broken.add(Item.openedVip(ip("192.0.2.11")));
        assertThrows(RealServerException.class, () -> setup("192.0.2.11"));
        assertEquals(before, host.values);
        assertTrue(isWhole());
        teardown();
        fresh.put(BPFFS, BpfFileSystem.MOUNTED);
        assertEquals(fresh, host.values);
    }

    @Test
    void whatIsKnownToFailIsRefusedByDryRunsToo() {
        host.refusals.put(BPFFS, "no bpffs there, since it would hide what is in it");
        for (boolean dryRun : List.of(true, false)) {
            RealServerException e = assertThrows(
                    RealServerException.class,
                    () -> server.setup(request(Method.AUTO, "192.0.2.10"), dryRun, steps::add));
            assertEquals(List.of("no bpffs there, since it would hide what is in it"), e.problems());
            assertEquals(List.of(), steps);
            assertEquals(fresh, host.values);
        }
        host.values.put(BPFFS, BpfFileSystem.MOUNTED); // nothing is to be done there
        setup("192.0.2.10");
        assertTrue(isWhole());
    }

    @Test
    void anInterruptedSetupIsUndone() {
        RealServerException e = assertThrows(
                RealServerException.class,
                () -> server.setup(request(Method.AUTO, "192.0.2.10"), false, step -> {
                    steps.add(step);
                    host.interrupted = step.item().equals(VIP);
                }));
        assertEquals(List.of("interrupted", "what had been changed is as it was before"), e.problems());
        assertEquals(List.of(VIP, ARP_ANNOUNCE, ARP_IGNORE), items(Outcome.RESTORED));
        assertEquals(fresh, host.values);
        assertFalse(Files.exists(file));
    }

    @Test
    void aSecondSetupThatIsInterruptedLeavesTheFirst() {
        setup("192.0.2.10");
        Map<Item, String> before = new HashMap<>(host.values);
        assertThrows(
                RealServerException.class,
                () -> server.setup(request(Method.AUTO, "192.0.2.10", "192.0.2.11"), false, step -> {
                    host.interrupted = step.item().equals(Item.address(ip("192.0.2.11"), "lo"));
                }));
        host.interrupted = false;
        assertEquals(before, host.values);
        assertTrue(isWhole());
    }

    /** As by SIGKILL. */
    private void dieBehind(Item item) {
        assertThrows(
                ThreadDeath.class,
                () -> server.setup(request(Method.AUTO, "192.0.2.10"), false, step -> {
                    if (step.item().equals(item)) {
                        throw new ThreadDeath();
                    }
                }));
    }

    @Test
    void whatAKilledSetupHasMadeIsUndoneByTeardown() {
        dieBehind(VIP);
        assertEquals(Item.PRESENT, host.values.get(VIP));
        assertFalse(isWhole());
        assertTrue(teardown());
        assertEquals(List.of(VIP, ARP_ANNOUNCE, ARP_IGNORE), items(Outcome.RESTORED));
        assertEquals(fresh, host.values);
    }

    @Test
    void whatAKilledSetupHasBegunIsCompletedByTheNext() {
        dieBehind(PROGRAM);
        setup("192.0.2.10");
        assertTrue(isWhole());
        assertTrue(teardown());
        fresh.put(BPFFS, BpfFileSystem.MOUNTED);
        assertEquals(fresh, host.values);
    }

    @Test
    void anInterruptedTeardownCanBeRepeated() {
        setup("192.0.2.10");
        RealServerException e =
                assertThrows(RealServerException.class, () -> server.teardown(false, step -> host.interrupted = true));
        assertEquals(List.of("interrupted; the rest is still there: run this again"), e.problems());
        assertEquals("1", host.values.get(ARP_IGNORE));
        host.interrupted = false;
        assertTrue(teardown());
        assertEquals("0", host.values.get(ARP_IGNORE));
    }

    @Test
    void whatCannotBeUndoneIsReportedAndKeptInTheRecord() {
        host.deaf.add(OPENED);
        RealServerException e = assertThrows(
                RealServerException.class,
                () -> server.setup(request(Method.AUTO, "192.0.2.10"), false, step -> {
                    steps.add(step);
                    if (step.item().equals(ARP_ANNOUNCE)) {
                        host.broken.add(ARP_ANNOUNCE);
                    }
                }));
        assertTrue(e.problems().get(0).contains("it is \"\" after it was made \"present\""), e::getMessage);
        assertEquals(
                "not all of what had been changed could be undone: l4lb real teardown tries again",
                e.problems().get(1));
        assertEquals(List.of(ARP_ANNOUNCE), items(Outcome.FAILED));
        assertTrue(Files.exists(file));
        host.broken.clear();
        assertTrue(teardown());
        assertEquals("0", host.values.get(ARP_ANNOUNCE));
    }

    @Test
    void aTeardownThatFailsCanBeRepeated() {
        setup("192.0.2.10");
        host.broken.add(ARP_IGNORE);
        RealServerException e = assertThrows(RealServerException.class, this::teardown);
        assertEquals(List.of("net.ipv4.conf.eth0.arp_ignore cannot be made \"0\" again: broken"), e.problems());
        assertFalse(host.values.containsKey(VIP));
        host.broken.clear();
        assertTrue(teardown());
        assertEquals("0", host.values.get(ARP_IGNORE));
    }

    @Test
    void nothingWithoutPrivilege() {
        host.missPrivilege("must be root");
        assertEquals(
                List.of("must be root"),
                assertThrows(RealServerException.class, () -> setup("192.0.2.10"))
                        .problems());
    }

    @Test
    void anotherPinDirectoryIsRefused() {
        setup("192.0.2.10");
        SetupRequest request = new SetupRequest(
                List.of(ip("192.0.2.10")), Optional.of("eth0"), Method.BPF, List.of(), Path.of("/elsewhere/x"));
        assertThrows(RealServerException.class, () -> server.setup(request, false, steps::add));
    }
}
