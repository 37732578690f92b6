// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import io.l4lb.agent.dataplane.Dataplane;
import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.agent.dataplane.SeededTables;
import io.l4lb.agent.dataplane.Tables;
import io.l4lb.agent.dataplane.ipvs.IpvsDataplane;
import io.l4lb.agent.dataplane.ipvs.IpvsRemains;
import io.l4lb.agent.dataplane.ipvs.IpvsTables;
import io.l4lb.agent.dataplane.xdp.Remains;
import io.l4lb.agent.dataplane.xdp.XdpDataplane;
import io.l4lb.agent.model.Config;
import io.l4lb.agent.model.DataplaneSection;
import io.l4lb.agent.model.IpvsSection;
import io.l4lb.agent.model.XdpSection;
import io.l4lb.hashing.HashSeed;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The dataplane that a configuration asks for. */
final class Dataplanes {
    private Dataplanes() {}

    /**
     * Takes over what a predecessor has left, or begins.
     *
     * @param stateDirectory the agent's
     * @param clock that never goes back
     */
    static Opened open(Config config, Path stateDirectory, HashSeed seed, InstantSource clock) {
        if (config.dataplane() instanceof IpvsSection section) {
            IpvsDataplane ipvs = IpvsDataplane.open(section, stateDirectory, seed, clock);
            return new Opened(ipvs, new IpvsExplainer(ipvs));
        }
        XdpDataplane xdp = XdpDataplane.open(config.xdp(), seed);
        return new Opened(xdp, new ModelExplainer(xdp));
    }

    /** A dataplane, and who explains what it does. */
    record Opened(Dataplane dataplane, Explainer explainer) {}

    /** The table of XDP, or what an agent with the defaults of all that is not said would have had. */
    static XdpSection xdp(Config config) {
        return sections(config)
                .filter(XdpSection.class::isInstance)
                .map(XdpSection.class::cast)
                .findFirst()
                .orElseGet(() -> XdpSection.on(ipvs(config).interfaces()));
    }

    /** The same of IPVS. */
    static IpvsSection ipvs(Config config) {
        return sections(config)
                .filter(IpvsSection.class::isInstance)
                .map(IpvsSection.class::cast)
                .findFirst()
                .orElseGet(() -> IpvsSection.on(xdp(config).placement().interfaces()));
    }

    private static Stream<DataplaneSection> sections(Config config) {
        return Stream.concat(Stream.of(config.dataplane()), config.dataplanes().other().stream());
    }

    /**
     * Refuses to start beside what the other dataplane has left: it would go on with packets by tables that nobody looks
     * after.
     *
     * @throws DataplaneException there is something
     */
    static void refuseOther(Config config) {
        List<String> found = new ArrayList<>();
        boolean ipvs = config.dataplane() instanceof IpvsSection;
        if (ipvs) {
            new Remains(xdp(config), found::add).list();
        } else {
            new IpvsRemains(ipvs(config), config.agent().stateDir(), found::add, foreign -> {}).release(true);
        }
        if (!found.isEmpty()) {
            throw new DataplaneException("an agent with dataplane = \"" + (ipvs ? "xdp" : "ipvs")
                    + "\" has left its own here, which still forwards: " + found.get(0)
                    + (found.size() == 1 ? "" : " and " + (found.size() - 1) + " more")
                    + "; l4lb agent --release removes it");
        }
    }

    /** What is to be said of a configuration without a seed. */
    static String withoutSeed(Config config) {
        boolean kernel = config.dataplane() instanceof IpvsSection ipvs && ipvs.maglev() == IpvsSection.Maglev.KERNEL;
        return kernel
                ? "maglev of the kernel knows no secret: anybody can compute which real a flow goes to; ipvs.maglev ="
                        + " \"table\" with a hash-seed-file keeps one"
                : "no hash-seed-file: anybody can compute which real a flow goes to";
    }

    /** The tables as it has them. */
    static Tables tables(Config config, HashSeed seed) {
        SeededTables seeded = new SeededTables(seed);
        return config.dataplane() instanceof IpvsSection ipvs ? new IpvsTables(seeded, ipvs.maglev()) : seeded;
    }

    /** What {@link Dataplane#obstacle} will say once it is open. */
    static Optional<String> obstacle(Config config) {
        return config.dataplane() instanceof XdpSection xdp
                ? XdpDataplane.obstacle(xdp, config.reals())
                : Optional.empty();
    }
}
