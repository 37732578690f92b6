// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import io.l4lb.agent.model.Balancing;
import io.l4lb.agent.model.Forwarding;
import io.l4lb.agent.model.Frontend;
import io.l4lb.agent.model.HealthCheck;
import io.l4lb.agent.model.Protocol;
import io.l4lb.agent.model.Service;
import io.l4lb.hashing.HashKey;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads a {@code [[services]]} table. */
final class ServiceReader {
    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,62}");
    private static final Choice<Protocol> PROTOCOLS = Choice.of(Protocol.values(), Protocol::key);
    private static final Choice<Forwarding> FORWARDINGS = Choice.of(Forwarding.values(), Forwarding::key);

    private ServiceReader() {}

    static ServiceDraft read(Table table) {
        table.require("name", "vips", "protocol");
        Optional<Located<String>> name = table.located("name", "a string", ServiceReader::name);
        List<Located<InetAddress>> vips = table.each("vips", "an IP address", AddressLiteral::routable);
        Optional<Protocol> protocol = table.value("protocol", "a string", PROTOCOLS::parse);
        Optional<Integer> port = port(table, protocol);
        table.require("reals");
        HashKeyReader hashKey = HashKeyReader.read(table, protocol);
        Forwarding forwarding =
                table.value("forwarding", "a string", FORWARDINGS::parse).orElse(Forwarding.IPIP);
        SchedulingReader scheduling = SchedulingReader.read(table, hashKey);
        Optional<Balancing> balancing = balancing(scheduling, hashKey, forwarding);
        Optional<Table> health = table.table("health-check");
        Optional<HealthCheck> check = health.flatMap(keys -> HealthCheckReader.read(keys, port));
        RealsReader reals = RealsReader.read(table, hashKey, check);
        AvailabilityReader availability = AvailabilityReader.read(table);
        List<Located<InetAddress>> receivers = Stream.concat(reals.addresses().stream(), availability.sorry().stream())
                .toList();
        if (table.size("vips") == 0) {
            table.problem("vips", "names no address");
        }
        table.later("load");
        boolean whole = table.finish();
        Optional<Service> service = !whole
                ? Optional.empty()
                : Optional.of(new Service(
                        name.orElseThrow().value(),
                        new Frontend(
                                vips.stream().map(Located::value).toList(), protocol.orElseThrow(), port.orElseThrow()),
                        balancing.orElseThrow(),
                        availability.availability().orElseThrow(),
                        check.orElseThrow(),
                        reals.reals()));
        return new ServiceDraft(
                new ServiceDraft.Origin(table.problems().file(), table.path()),
                name,
                new ServiceDraft.Endpoint(vips, protocol, port),
                receivers,
                new ServiceDraft.Delivery(
                        forwarding,
                        scheduling
                                .suitability(table, protocol, port, forwarding)
                                .withFamilies(vips, receivers, forwarding)
                                .withCheck(health, check)),
                service);
    }

    private static String name(String text) {
        if (!NAME.matcher(text).matches()) {
            throw new ImpossibleValueException(
                    Shown.quoted(text) + " is not a name: use 1 to 63 of a-z, 0-9 and -, not - first");
        }
        return text;
    }

    /** A protocol without ports has no other than any. */
    private static Optional<Integer> port(Table table, Optional<Protocol> protocol) {
        boolean ports = protocol.map(Protocol::hasPorts).orElse(true);
        if (ports) {
            table.require("port");
        } else if (!table.has("port")) {
            return Optional.of(Frontend.ANY_PORT);
        }
        Optional<Integer> port =
                table.isText("port") ? table.value("port", "a number", ServiceReader::anyPort) : portNumber(table);
        if (!ports && port.filter(number -> number != Frontend.ANY_PORT).isPresent()) {
            table.problem(
                    "port",
                    protocol.equals(Optional.of(Protocol.ANY))
                            ? "with any protocol it cannot be but \"any\""
                            : Shown.quoted(protocol.orElseThrow().key()) + " has no ports");
            return Optional.of(Frontend.ANY_PORT);
        }
        return port;
    }

    private static Optional<Integer> portNumber(Table table) {
        Optional<Long> port = table.number("port", number -> number >= 0 && number <= 65535, "1 to 65535, or \"any\"");
        if (port.filter(number -> number == 0).isPresent()) {
            table.problem("port", "0 is not a port; write \"any\" for every port");
            return Optional.empty();
        }
        return port.map(Math::toIntExact);
    }

    private static int anyPort(String text) {
        if (!text.equals("any")) {
            throw new ImpossibleValueException("expected a number or \"any\", found the string " + Shown.quoted(text));
        }
        return Frontend.ANY_PORT;
    }

    /** Absent if something is wrong with it. */
    private static Optional<Balancing> balancing(
            SchedulingReader scheduling, HashKeyReader hashKey, Forwarding forwarding) {
        return scheduling.scheduling().flatMap(known -> hashKey.hashKey()
                .filter(key -> (key == HashKey.QUIC_CID) == hashKey.layout().isPresent())
                .map(key -> new Balancing(known, key, hashKey.layout(), forwarding)));
    }
}
