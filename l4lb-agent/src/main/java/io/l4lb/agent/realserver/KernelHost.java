// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.realserver;

import io.l4lb.netlink.NetlinkException;
import io.l4lb.netlink.route.RouteTable;
import io.l4lb.xdp.BpfException;
import io.l4lb.xdp.BpfMap;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/** This machine, in the network namespace of the thread that opened it. */
final class KernelHost implements Host {
    private static final String CAPABILITIES = "CapEff:";
    private static final int CAP_NET_ADMIN = 12;
    private static final int CAP_SYS_ADMIN = 21;
    /** In the order of enum opened. */
    private static final List<String> COUNTERS =
            List.of("opened", "opened-congested", "dropped-congested", "dropped-failed");

    private final Map<Kind, Part> parts = new EnumMap<>(Kind.class);
    private final RouteTable routes;
    private final KernelFacts facts;
    private final TunnelProgram program;

    private KernelHost(Path pinDirectory) {
        routes = RouteTable.open();
        program = new TunnelProgram(pinDirectory);
        KernelSettings settings = new KernelSettings();
        KernelModules modules = new KernelModules();
        IpTool ip = new IpTool(routes);
        facts = new KernelFacts(routes, settings, modules);
        parts.put(Kind.MODULE, modules);
        parts.put(Kind.BPF_FILE_SYSTEM, new BpfFileSystem());
        parts.put(Kind.DEVICE, ip.devices());
        parts.put(Kind.TUNNEL_MODE, ip.tunnelModes());
        parts.put(Kind.SETTING, settings);
        parts.put(Kind.ADDRESS, ip.addresses());
        parts.put(Kind.GUE_PORT, ip.guePorts());
        parts.put(Kind.PROGRAM, program);
        parts.put(Kind.TUNNEL_SOURCE, TunnelLimits.ofPrefixes(program.pin(TunnelProgram.TUNNEL_SOURCES)));
        parts.put(Kind.TUNNEL_END, TunnelLimits.ofAddresses(program.pin(TunnelProgram.TUNNEL_ENDS)));
        parts.put(Kind.OPENED_VIP, TunnelLimits.ofAddresses(program.pin(TunnelProgram.OPENED_VIPS)));
    }

    /** @param pinDirectory where our program's maps and link are kept */
    static Host open(Path pinDirectory) {
        return told(() -> new KernelHost(pinDirectory));
    }

    @Override
    public String missingPrivilege() {
        try {
            BigInteger capabilities = Files.readAllLines(Path.of("/proc/thread-self/status")).stream()
                    .filter(line -> line.startsWith(CAPABILITIES))
                    .map(line ->
                            new BigInteger(line.substring(CAPABILITIES.length()).strip(), 16))
                    .findFirst()
                    .orElse(BigInteger.ZERO);
            return capabilities.testBit(CAP_NET_ADMIN) && capabilities.testBit(CAP_SYS_ADMIN)
                    ? ""
                    : "must be root: needs CAP_NET_ADMIN and CAP_SYS_ADMIN";
        } catch (IOException e) {
            throw new RealServerException("cannot read own capabilities: " + e.getMessage(), e);
        }
    }

    @Override
    public Facts look(SetupRequest request) {
        return told(() -> facts.look(request));
    }

    @Override
    public String read(Item item) {
        return told(() -> part(item).read(item.name()));
    }

    @Override
    public String refusal(Item item, String value) {
        return told(() -> part(item).refusal(item.name(), value));
    }

    @Override
    public void write(Item item, String value) {
        told(() -> {
            part(item).write(item.name(), value);
            return Optional.empty();
        });
    }

    private Part part(Item item) {
        return Objects.requireNonNull(parts.get(item.kind()));
    }

    @Override
    public Map<String, Long> counters() {
        return told(() -> {
            Map<String, Long> counters = new LinkedHashMap<>();
            Optional<BpfMap> pinned = BpfMap.openPinned(program.pin(TunnelProgram.OPENED));
            if (pinned.isPresent()) {
                try (BpfMap map = pinned.get()) {
                    for (int i = 0; i < COUNTERS.size(); i++) {
                        counters.put(
                                COUNTERS.get(i),
                                map.lookupPerCpu(TunnelProgram.word(i)).stream()
                                        .mapToLong(ByteBuffer::getLong)
                                        .sum());
                    }
                }
            }
            return counters;
        });
    }

    @Override
    public void close() {
        routes.close();
    }

    /** Every library's exception as ours. */
    private static <T> T told(Supplier<T> code) {
        try {
            return code.get();
        } catch (BpfException | NetlinkException | UncheckedIOException e) {
            throw new RealServerException(String.valueOf(e.getMessage()), e);
        }
    }
}
