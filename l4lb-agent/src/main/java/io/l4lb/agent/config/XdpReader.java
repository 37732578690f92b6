// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import io.l4lb.agent.model.XdpSection;
import io.l4lb.agent.model.XdpSection.Answers;
import io.l4lb.agent.model.XdpSection.FlowTable;
import io.l4lb.agent.model.XdpSection.Forgetting;
import io.l4lb.agent.model.XdpSection.Mode;
import io.l4lb.agent.model.XdpSection.NextHop;
import io.l4lb.agent.model.XdpSection.OnUpgrade;
import io.l4lb.agent.model.XdpSection.Placement;
import io.l4lb.agent.model.XdpSection.Timeouts;
import io.l4lb.agent.model.XdpSection.Tunnels;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reads the {@code [xdp]} table.
 *
 * @param section absent if anything in the file is wrong so far
 * @param way what services have to suit, of a wrong section too
 */
record XdpReader(Optional<XdpSection> section, TunnelWay way) {
    static final XdpReader NONE = new XdpReader(Optional.empty(), TunnelWay.UNKNOWN);

    private static final Choice<Mode> MODES = Choice.of(Mode.values(), Mode::key);
    private static final Choice<NextHop> NEXT_HOPS = Choice.of(NextHop.values(), NextHop::key);
    private static final Choice<Forgetting> FORGETTING = Choice.of(Forgetting.values(), Forgetting::key);
    private static final Choice<OnUpgrade> ON_UPGRADE = Choice.of(OnUpgrade.values(), OnUpgrade::key);
    private static final Function<String, Duration> TIMEOUT =
            DurationLiteral.between(Duration.ofSeconds(1), Duration.ofDays(7));
    private static final int MAX_NEW_FLOWS = 1_000_000_000;
    /** What every IPv4 host takes without being asked (RFC 9293, section 3.7.1). */
    private static final int MIN_SEGMENT = 536;

    private static final int MAX_SEGMENT = 65495;
    private static final String TEXT = "a string";

    static XdpReader read(Table table) {
        table.require("interfaces");
        Placement placement = placement(table);
        Optional<Located<Integer>> mtu = table.locatedNumber("mtu", 1280, 65535);
        TunnelWay way = new TunnelWay(
                table.has("mtu") ? mtu : Optional.of(table.located("mtu", 1500)),
                table.located("tunnel-source4", "a prefix", PrefixLiteral.ipv4(Tunnels.MAX_SOURCE_BITS)),
                table.located("tunnel-source6", "a prefix", PrefixLiteral.ipv6(Tunnels.MAX_SOURCE_BITS)));
        Tunnels tunnels = new Tunnels(
                table.value("next-hop", TEXT, NEXT_HOPS::parse).orElse(NextHop.GATEWAY),
                way.mtu().map(Located::value).orElse(0),
                way.source4().map(Located::value),
                way.source6().map(Located::value));
        FlowTable flowTable = new FlowTable(
                table.number("flow-table-size", 1024, 1 << 24).orElse(FlowTable.DEFAULT_SIZE),
                table.value("flow-table", TEXT, FORGETTING::parse).orElse(Forgetting.PER_CPU),
                table.value("flow-table-on-upgrade", TEXT, ON_UPGRADE::parse).orElse(OnUpgrade.MIGRATE),
                table.number("new-flow-limit", 0, MAX_NEW_FLOWS).orElse(FlowTable.DEFAULT_NEW_FLOW_LIMIT),
                timeouts(table));
        Answers answers = new Answers(
                table.flag("echo-replies").orElse(Answers.DEFAULT.echoReplies()),
                table.flag("too-big-answers").orElse(Answers.DEFAULT.tooBigAnswers()),
                mssClamp(table));
        Optional<XdpSection> section =
                table.finish() ? Optional.of(new XdpSection(placement, tunnels, flowTable, answers)) : Optional.empty();
        return new XdpReader(section, way);
    }

    private static Placement placement(Table table) {
        return new Placement(
                InterfaceNames.read(table, "interfaces"),
                table.value("mode", TEXT, MODES::parse).orElse(Mode.AUTO),
                table.flag("chain").orElse(false),
                table.value("pin-dir", "a path", PathLiteral::bpffs).orElse(XdpSection.DEFAULT_PIN_DIR));
    }

    private static Timeouts timeouts(Table table) {
        return new Timeouts(
                timeout(table, "tcp-opening-timeout", Timeouts.DEFAULT.tcpOpening()),
                timeout(table, "tcp-timeout", Timeouts.DEFAULT.tcp()),
                timeout(table, "tcp-closing-timeout", Timeouts.DEFAULT.tcpClosing()),
                timeout(table, "udp-timeout", Timeouts.DEFAULT.udp()),
                timeout(table, "fragment-timeout", Timeouts.DEFAULT.fragment()));
    }

    private static Duration timeout(Table table, String key, Duration otherwise) {
        return table.value(key, DurationLiteral.EXPECTED, TIMEOUT).orElse(otherwise);
    }

    private static int mssClamp(Table table) {
        return table.number(
                        "mss-clamp",
                        clamp -> clamp == 0 || (clamp >= MIN_SEGMENT && clamp <= MAX_SEGMENT),
                        MIN_SEGMENT + " to " + MAX_SEGMENT + ", or 0 for no clamp")
                .map(Math::toIntExact)
                .orElse(Answers.DEFAULT.mssClamp());
    }
}
