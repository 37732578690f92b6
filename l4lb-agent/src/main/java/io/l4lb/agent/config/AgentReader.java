// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import io.l4lb.agent.model.AgentSection;
import io.l4lb.agent.model.AgentSection.Dataplane;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the {@code [agent]} table. */
final class AgentReader {
    private static final Choice<Dataplane> DATAPLANES = Choice.of(Dataplane.values(), Dataplane::key);
    private static final Pattern LISTEN = Pattern.compile("(?:\\[([^\\]]*:[^\\]]*)]|([^:\\[\\]]*)):(\\d{1,5})");
    private static final String PATH = "a path";

    private AgentReader() {}

    /** The section, with the default of every key that is not there or wrong; wrong ones are reported. */
    static AgentSection read(Table table) {
        return read(table, AgentReader::seedFile);
    }

    /** The same, but the seed's file need not be there, or readable. */
    static AgentSection readWithoutSeed(Table table) {
        return read(table, PathLiteral::absolute);
    }

    private static AgentSection read(Table table, Function<String, Path> seedFile) {
        AgentSection section = new AgentSection(
                table.value("dataplane", "a string", DATAPLANES::parse).orElse(Dataplane.XDP),
                table.value("control-socket", PATH, PathLiteral::socket).orElse(Path.of("/run/l4lb/control.sock")),
                table.value("state-dir", PATH, PathLiteral::absolute).orElse(Path.of("/var/lib/l4lb")),
                table.value("services-dir", PATH, PathLiteral::absolute).orElse(AgentSection.DEFAULT_SERVICES_DIR),
                table.value("metrics-listen", "an address and port", AgentReader::listen),
                table.value("hash-seed-file", PATH, seedFile),
                PanicReader.read(table));
        table.finish();
        return section;
    }

    private static String listen(String text) {
        Matcher parts = LISTEN.matcher(text);
        if (!parts.matches()) {
            throw new ImpossibleValueException(
                    Shown.quoted(text) + " is not an address and port; write it like \"127.0.0.1:9650\"");
        }
        InetAddress address =
                AddressLiteral.any(Optional.ofNullable(parts.group(1)).orElse(parts.group(2)));
        if (!address.isLoopbackAddress()) {
            throw new ImpossibleValueException(Shown.quoted(text) + " is not a loopback address");
        }
        int port = Integer.parseInt(parts.group(3));
        if (port < 1 || port > 65535) {
            throw new ImpossibleValueException("port " + port + " is out of range; use 1 to 65535");
        }
        return text;
    }

    private static Path seedFile(String text) {
        Path file = PathLiteral.absolute(text);
        try {
            SeedFile.readSeed(file);
        } catch (IOException e) {
            throw new ImpossibleValueException(Shown.quoted(text) + " " + e.getMessage());
        }
        return file;
    }
}
