// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import static io.l4lb.test.Address.ip;

import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.dataplane.ServiceProgram;
import io.l4lb.agent.model.Protocol;
import io.l4lb.hashing.HashSeed;
import io.l4lb.hashing.decision.Switches;
import io.l4lb.hashing.packet.MacAddress;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** Services as a random operator would have them, and the settings of one director. */
final class Scenario {
    /** Of each family one with services at ports alone, one with such that take any port, one with such for all. */
    private static final List<List<InetAddress>> VIPS = List.of(
            List.of(ip("192.0.2.10"), ip("192.0.2.20"), ip("192.0.2.30")),
            List.of(ip("2001:db8::10"), ip("2001:db8::20"), ip("2001:db8::30")));

    /** The second has the bit of a VIP in the filter, the third is a VIP. */
    private static final List<List<String>> SOURCES = List.of(
            List.of("10.2.3.2", "10.2.117.35", "192.0.2.20"),
            List.of("fd00:2::2", "fd00:2::dd01:dba:0:10", "2001:db8::20"));

    private static final int[] MTUS = {1280, 1400, 1500, 2000};
    private static final int[] SEGMENT_SIZES = {0, 1400, 1220, 536, 1};
    private static final int[] SPREAD_BITS = {0, 0, 1, 4, 8, 9, 16};
    /** Ticks, or flows in a tick. */
    private static final int DISTANT = 1 << 20;

    /** The interface that a test run's frames come in by: the loopback device (net/bpf/test_run.c). */
    static final int INGRESS = 1;

    private static final MacAddress OWN_MAC = new MacAddress(0x020000005555L);
    private static final byte[] GATEWAY4 = {2, 0, 0, 0, 4, 4};
    private static final byte[] GATEWAY6 = {2, 0, 0, 0, 6, 6};

    /** A service that is there in another way, or that is gone. */
    record Change(ServiceKey key, Optional<ServiceProgram> program) {}

    private final Dice dice;
    private final Settings settings;
    private final Switches switches;
    private final int spreadBits4;
    private final int spreadBits6;
    private final boolean chain;
    private final boolean countJiffies;
    private final int timeout;
    private final int newFlows;
    private final int capture;
    private final RandomServices services;
    private final Map<ServiceKey, ServiceProgram> programs = new LinkedHashMap<>();

    Scenario(Random random) {
        dice = new Dice(random);
        settings = new Settings(
                new HashSeed(random.nextLong(), random.nextLong()),
                hop(SOURCES.get(0).get(dice.one(0, 0, 1, 1, 2)), GATEWAY4),
                hop(SOURCES.get(1).get(dice.one(0, 0, 1, 1, 2)), GATEWAY6),
                dice.one(MTUS));
        switches = new Switches(!dice.oneIn(4), !dice.oneIn(4), dice.one(SEGMENT_SIZES));
        spreadBits4 = dice.one(SPREAD_BITS);
        spreadBits6 = dice.one(SPREAD_BITS);
        chain = dice.oneIn(2);
        countJiffies = dice.oneIn(2);
        timeout = dice.one(0, DISTANT);
        newFlows = dice.one(0, DISTANT);
        capture = dice.one(0, 0, 1, 7);
        services = new RandomServices(dice, settings.seed());
        for (ServiceKey key : offers()) {
            if (programs.isEmpty() || !dice.oneIn(3)) {
                programs.put(key, services.program(key));
            }
        }
    }

    private static List<ServiceKey> offers() {
        List<ServiceKey> offers = new ArrayList<>();
        for (List<InetAddress> vips : VIPS) {
            for (Protocol protocol : List.of(Protocol.TCP, Protocol.UDP)) {
                offers.add(new ServiceKey(vips.get(0), protocol, 80));
                offers.add(new ServiceKey(vips.get(0), protocol, 443));
                offers.add(new ServiceKey(vips.get(1), protocol, ServiceKey.ANY_PORT));
                offers.add(new ServiceKey(vips.get(2), protocol, 443));
            }
            offers.add(new ServiceKey(vips.get(1), Protocol.TCP, 80));
            offers.add(new ServiceKey(vips.get(1), Protocol.UDP, 443));
            offers.add(new ServiceKey(vips.get(1), Protocol.SCTP, 80));
            offers.add(new ServiceKey(vips.get(1), Protocol.DCCP, ServiceKey.ANY_PORT));
            offers.add(new ServiceKey(vips.get(1), Protocol.UDPLITE, 443));
            offers.add(new ServiceKey(vips.get(1), Protocol.GRE, ServiceKey.ANY_PORT));
            offers.add(new ServiceKey(vips.get(1), Protocol.ESP, ServiceKey.ANY_PORT));
            offers.add(new ServiceKey(vips.get(2), Protocol.ANY, ServiceKey.ANY_PORT));
            offers.add(new ServiceKey(vips.get(2), Protocol.AH, ServiceKey.ANY_PORT));
        }
        return offers;
    }

    Settings settings() {
        return settings;
    }

    Switches switches() {
        return switches;
    }

    /** Low bits of the outer source that vary with the flow, towards reals of either family. */
    int spreadBits(boolean ipv4) {
        return ipv4 ? spreadBits4 : spreadBits6;
    }

    /**
     * What the program is loaded with: no limit, or such as no run comes near to.
     *
     * @param jiffies of this kernel; they may be used
     */
    Constants constants(Jiffies jiffies) {
        Constants.Features features = new Constants.Features(
                switches.echoReplies(), switches.tooBigAnswers(), false, chain, switches.mssClamp());
        Constants.Timeouts timeouts = new Constants.Timeouts(timeout, timeout, timeout, timeout, timeout);
        return new Constants(
                features, spreadBits4, spreadBits6, newFlows, timeouts, countJiffies ? jiffies : Jiffies.UNKNOWN);
    }

    /** One packet of so many is copied, which changes nothing for it; 0: none. */
    int capture() {
        return capture;
    }

    /** What is to be installed, in one order. */
    Map<ServiceKey, ServiceProgram> programs() {
        return programs;
    }

    /** Gives one service another table, other reals, another key, another tunnel; or takes it away, or adds one. */
    Change change() {
        ServiceKey key = dice.one(offers());
        if (programs.size() > 1 && dice.oneIn(4) && programs.remove(key) != null) {
            return new Change(key, Optional.empty());
        }
        ServiceProgram program = services.program(key);
        programs.put(key, program);
        return new Change(key, Optional.of(program));
    }

    private NextHop hop(String source, byte[] gateway) {
        return new NextHop(
                dice.oneIn(8) ? Optional.empty() : Optional.of(ip(source)),
                dice.oneIn(8) ? Optional.empty() : Optional.of(gateway),
                dice.oneIn(2) ? Optional.empty() : Optional.of(new Egress(dice.one(INGRESS, 77), OWN_MAC)));
    }

    @Override
    public String toString() {
        return "MTU " + settings.mtu() + ", IPv4 " + text(settings.ipv4()) + ", IPv6 " + text(settings.ipv6()) + ", "
                + switches + ", chain " + chain + ", capture " + capture + ", spread "
                + spreadBits4 + " and " + spreadBits6 + " bits";
    }

    private static String text(NextHop hop) {
        return "from " + hop.source() + " to " + hop.gateway().map(HexFormat.of()::formatHex) + " by " + hop.egress();
    }
}
