// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import static io.l4lb.test.Address.ip;

import io.l4lb.agent.dataplane.PacketKey;
import io.l4lb.agent.dataplane.ServiceKey;
import io.l4lb.agent.dataplane.ServiceProgram;
import io.l4lb.agent.model.Forwarding;
import io.l4lb.agent.model.Protocol;
import io.l4lb.hashing.HashKey;
import io.l4lb.hashing.HashSeed;
import io.l4lb.hashing.LookupTable;
import io.l4lb.hashing.Scheduler;
import io.l4lb.hashing.WeightedReal;
import io.l4lb.hashing.decision.Switches;
import io.l4lb.hashing.quic.ConnectionIdLayout;
import io.l4lb.hashing.quic.ServerId;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/** Services as a random operator would have them, and the settings of one director. */
final class Scenario {
    /** Of each family one with services at ports alone, one with such that take any port, one with such for all. */
    private static final List<List<InetAddress>> VIPS = List.of(
            List.of(ip("192.0.2.10"), ip("192.0.2.20"), ip("192.0.2.30")),
            List.of(ip("2001:db8::10"), ip("2001:db8::20"), ip("2001:db8::30")));

    private static final List<InetAddress> REALS =
            List.of(ip("10.3.0.1"), ip("10.3.0.2"), ip("10.3.0.3"), ip("fd00:3::1"), ip("fd00:3::2"));
    private static final int[] TABLE_SIZES = {3, 251, 1021};
    private static final int[] MTUS = {1280, 1400, 1500, 2000};
    private static final int[] SEGMENT_SIZES = {0, 1400, 1220, 536, 1};
    private static final int[] SPREAD_BITS = {0, 0, 1, 4, 8, 9, 16};
    /** Ticks, or flows in a tick. */
    private static final int DISTANT = 1 << 20;

    private static final byte[] GATEWAY4 = {2, 0, 0, 0, 4, 4};
    private static final byte[] GATEWAY6 = {2, 0, 0, 0, 6, 6};

    /** A service that is there in another way, or that is gone. */
    record Change(ServiceKey key, Optional<ServiceProgram> program) {}

    private final Dice dice;
    private final Settings settings;
    private final Switches switches;
    private final int spreadBits4;
    private final int spreadBits6;
    private final Constants constants;
    private final int capture;
    private final Map<ServiceKey, ServiceProgram> programs = new LinkedHashMap<>();

    Scenario(Random random) {
        dice = new Dice(random);
        settings = new Settings(
                new HashSeed(random.nextLong(), random.nextLong()),
                hop("10.2.3.2", GATEWAY4),
                hop("fd00:2::2", GATEWAY6),
                dice.one(MTUS));
        switches = new Switches(!dice.oneIn(4), !dice.oneIn(4), dice.one(SEGMENT_SIZES));
        spreadBits4 = dice.one(SPREAD_BITS);
        spreadBits6 = dice.one(SPREAD_BITS);
        constants = anyConstants();
        capture = dice.one(0, 0, 1, 7);
        for (ServiceKey key : offers()) {
            if (programs.isEmpty() || !dice.oneIn(8)) {
                programs.put(key, program(key));
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

    /** What the program is loaded with: no limit, or such as no run comes near to. */
    Constants constants() {
        return constants;
    }

    private Constants anyConstants() {
        int mss = switches.mssClamp();
        Constants.Features features =
                new Constants.Features(switches.echoReplies(), switches.tooBigAnswers(), false, dice.oneIn(2), mss);
        int timeout = dice.one(0, DISTANT);
        Constants.Timeouts timeouts = new Constants.Timeouts(timeout, timeout, timeout, timeout, timeout);
        return new Constants(features, spreadBits4, spreadBits6, dice.one(0, DISTANT), timeouts);
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
        ServiceProgram program = program(key);
        programs.put(key, program);
        return new Change(key, Optional.of(program));
    }

    private NextHop hop(String source, byte[] gateway) {
        return new NextHop(
                dice.oneIn(8) ? Optional.empty() : Optional.of(ip(source)),
                dice.oneIn(8) ? Optional.empty() : Optional.of(gateway));
    }

    /** Reals may be drained (weight 0, active), down (inactive, but still in the table), or none at all. */
    private ServiceProgram program(ServiceKey key) {
        List<WeightedReal> weighted = new ArrayList<>();
        Set<InetAddress> active = new LinkedHashSet<>();
        int share = dice.oneIn(12) ? 0 : dice.one(1, 2, 3, 3, 4);
        for (InetAddress real : REALS) {
            if (dice.below(4) < share) {
                weighted.add(new WeightedReal(real.getHostAddress(), dice.one(0, 1, 1, 2, 3)));
                if (!dice.oneIn(12)) {
                    active.add(real);
                }
            }
        }
        Scheduler[] schedulers = Scheduler.values();
        LookupTable table =
                schedulers[dice.below(schedulers.length)].build(weighted, dice.one(TABLE_SIZES), settings.seed());
        Forwarding forwarding = dice.oneIn(3) ? Forwarding.GUE : Forwarding.IPIP;
        return new ServiceProgram(key, packetKey(key, active), forwarding, table, active);
    }

    private PacketKey packetKey(ServiceKey key, Set<InetAddress> active) {
        boolean mayBeQuic = key.protocol() == Protocol.UDP || key.protocol() == Protocol.ANY;
        return switch (dice.below(mayBeQuic ? 6 : 2)) {
            case 0 -> PacketKey.FIVE_TUPLE;
            case 1 -> new PacketKey(HashKey.THREE_TUPLE, Optional.empty(), Map.of());
            default -> quic(active);
        };
    }

    private PacketKey quic(Set<InetAddress> active) {
        int serverIdLength = 1 + dice.below(ServerId.MAX_BYTES);
        int shortest = 1 + serverIdLength + ConnectionIdLayout.MIN_NONCE_LENGTH;
        int length = shortest + dice.below(ConnectionIdLayout.MAX_LENGTH - shortest + 1);
        ConnectionIdLayout layout =
                new ConnectionIdLayout(length, dice.below(ConnectionIdLayout.UNROUTABLE), serverIdLength);
        Map<ServerId, InetAddress> servers = new HashMap<>();
        for (InetAddress real : active) {
            if (!dice.oneIn(5)) {
                servers.put(ServerId.ofBytes(dice.bytes(serverIdLength)), real);
            }
        }
        return new PacketKey(HashKey.QUIC_CID, Optional.of(layout), servers);
    }

    @Override
    public String toString() {
        return "MTU " + settings.mtu() + ", IPv4 " + text(settings.ipv4()) + ", IPv6 " + text(settings.ipv6()) + ", "
                + switches + ", chain " + constants.features().chain() + ", capture " + capture + ", spread "
                + spreadBits4 + " and " + spreadBits6 + " bits";
    }

    private static String text(NextHop hop) {
        return "from " + hop.source() + " to " + hop.gateway().map(HexFormat.of()::formatHex);
    }
}
