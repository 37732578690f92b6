// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import io.l4lb.agent.model.XdpSection;
import io.l4lb.agent.model.XdpSection.Mode;
import io.l4lb.agent.model.XdpSection.NextHop;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads the {@code [xdp]} table. */
final class XdpReader {
    private static final Choice<Mode> MODES = Choice.of(Mode.values(), Mode::key);
    private static final Choice<NextHop> NEXT_HOPS = Choice.of(NextHop.values(), NextHop::key, "fib");
    /** The kernel's dev_valid_name, in ASCII. */
    private static final Pattern INTERFACE = Pattern.compile("(?!\\.{1,2}$)[!-~&&[^/:]]{1,15}");

    private XdpReader() {}

    /** The section; absent if anything in the file is wrong so far. */
    static Optional<XdpSection> read(Table table) {
        table.require("interfaces");
        List<Located<String>> interfaces =
                table.each("interfaces", "the name of an interface", XdpReader::interfaceName);
        Mode mode = table.value("mode", "a string", MODES::parse).orElse(Mode.AUTO);
        NextHop nextHop = table.value("next-hop", "a string", NEXT_HOPS::parse).orElse(NextHop.GATEWAY);
        Path pinDir = table.value("pin-dir", "a path", PathLiteral::bpffs).orElse(Path.of("/sys/fs/bpf/l4lb"));
        int mtu = table.number("mtu", 1280, 65535).orElse(1500);
        int flowTableSize = table.number("flow-table-size", 1024, 1 << 24).orElse(1 << 20);
        if (table.size("interfaces") == 0) {
            table.problem("interfaces", "names no interface");
        } else if (table.size("interfaces") > 1) {
            table.problem("interfaces", "more than one interface is not available yet");
        }
        return table.finish()
                ? Optional.of(new XdpSection(interfaces.get(0).value(), mode, nextHop, pinDir, mtu, flowTableSize))
                : Optional.empty();
    }

    private static String interfaceName(String name) {
        if (!INTERFACE.matcher(name).matches()) {
            throw new ImpossibleValueException(Shown.quoted(name) + " cannot be the name of an interface");
        }
        return name;
    }
}
