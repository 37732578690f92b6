// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import io.l4lb.agent.model.AgentSection.Dataplane;
import io.l4lb.agent.model.DataplaneSection;
import io.l4lb.agent.model.DataplaneSections;
import io.l4lb.agent.model.IpvsSection;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Reads the tables of the dataplanes: that of the one that runs has to be there, the other one may, and is checked too.
 *
 * @param dataplane the one that runs; empty: the file does not tell, and has a problem
 * @param ipvs absent if it is not there, or anything in the file is wrong so far
 */
record DataplaneReader(Optional<Dataplane> dataplane, XdpReader xdp, Optional<IpvsSection> ipvs) {
    static final DataplaneReader NONE = new DataplaneReader(Optional.empty(), XdpReader.NONE, Optional.empty());

    static DataplaneReader read(Table root, Optional<Dataplane> dataplane) {
        boolean runsXdp = dataplane.equals(Optional.of(Dataplane.XDP));
        boolean runsIpvs = dataplane.equals(Optional.of(Dataplane.IPVS));
        if (runsXdp && !root.has("xdp") && root.has("ipvs")) {
            root.problem("ipvs", "is for agent.dataplane = \"ipvs\", and that is \"xdp\", which needs the table [xdp]");
            return new DataplaneReader(dataplane, XdpReader.NONE, Optional.empty());
        }
        if (runsIpvs && !root.has("xdp") && !root.has("ipvs")) {
            root.problems().add(root.keyLines().of("agent.dataplane"), "ipvs.interfaces", "is missing");
            return new DataplaneReader(dataplane, XdpReader.NONE, Optional.empty());
        }
        XdpReader xdp = runsXdp || root.has("xdp")
                ? root.table("xdp").map(XdpReader::read).orElse(XdpReader.NONE)
                : XdpReader.NONE;
        List<String> interfaces =
                xdp.section().map(section -> section.placement().interfaces()).orElse(List.of());
        // Where [ipvs] says nothing of its own, [xdp] has said which interfaces.
        Optional<IpvsSection> ipvs = Optional.empty();
        if (root.has("ipvs")) {
            ipvs = root.table("ipvs").flatMap(table -> IpvsReader.read(table, interfaces, !root.has("xdp")));
        } else if (runsIpvs && !interfaces.isEmpty()) {
            ipvs = Optional.of(IpvsSection.on(interfaces));
        }
        return new DataplaneReader(dataplane, xdp, ipvs);
    }

    /** Absent if the one that runs is not there, or anything in the file is wrong so far. */
    Optional<DataplaneSections> sections() {
        Optional<DataplaneSection> byXdp = xdp.section().map(section -> section);
        Optional<DataplaneSection> byIpvs = ipvs.map(section -> section);
        return dataplane.flatMap(chosen -> switch (chosen) {
            case XDP -> byXdp.map(section -> new DataplaneSections(section, byIpvs));
            case IPVS -> byIpvs.map(section -> new DataplaneSections(section, byXdp));
        });
    }

    /**
     * Reports services that cannot be served so.
     *
     * @param main the file of the tables
     */
    void refuse(List<LoadedFile> files, Path main) {
        dataplane.ifPresent(chosen -> files.forEach(file -> {
            Suitability.refuse(file, chosen);
            if (chosen == Dataplane.XDP) {
                xdp.way().refuse(file, main);
            }
        }));
    }
}
