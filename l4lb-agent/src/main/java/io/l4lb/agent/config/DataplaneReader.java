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
 * @param ipvs absent if it is not there, or anything in the file is wrong so far
 */
record DataplaneReader(Dataplane dataplane, XdpReader xdp, Optional<IpvsSection> ipvs) {
    static final DataplaneReader NONE = new DataplaneReader(Dataplane.XDP, XdpReader.NONE, Optional.empty());

    static DataplaneReader read(Table root, Dataplane dataplane) {
        if (dataplane == Dataplane.XDP && !root.has("xdp") && root.has("ipvs")) {
            root.problem("ipvs", "is for agent.dataplane = \"ipvs\", and that is \"xdp\", which needs the table [xdp]");
            return NONE;
        }
        XdpReader xdp = dataplane == Dataplane.XDP || root.has("xdp")
                ? root.table("xdp").map(XdpReader::read).orElse(XdpReader.NONE)
                : XdpReader.NONE;
        List<String> interfaces =
                xdp.section().map(section -> section.placement().interfaces()).orElse(List.of());
        // Where [ipvs] says nothing of its own, [xdp] has said which interfaces.
        Optional<IpvsSection> ipvs = Optional.empty();
        if (root.has("ipvs") || (dataplane == Dataplane.IPVS && interfaces.isEmpty() && !root.has("xdp"))) {
            ipvs = root.table("ipvs").flatMap(table -> IpvsReader.read(table, interfaces));
        } else if (dataplane == Dataplane.IPVS && !interfaces.isEmpty()) {
            ipvs = Optional.of(IpvsSection.on(interfaces));
        }
        return new DataplaneReader(dataplane, xdp, ipvs);
    }

    /** Absent if the one that runs is not there, or anything in the file is wrong so far. */
    Optional<DataplaneSections> sections() {
        Optional<DataplaneSection> byXdp = xdp.section().map(section -> section);
        Optional<DataplaneSection> byIpvs = ipvs.map(section -> section);
        return switch (dataplane) {
            case XDP -> byXdp.map(chosen -> new DataplaneSections(chosen, byIpvs));
            case IPVS -> byIpvs.map(chosen -> new DataplaneSections(chosen, byXdp));
        };
    }

    /**
     * Reports services that cannot be served so.
     *
     * @param main the file of the tables
     */
    void refuse(List<LoadedFile> files, Path main) {
        for (LoadedFile file : files) {
            Suitability.refuse(file, dataplane);
            if (dataplane == Dataplane.XDP) {
                xdp.way().refuse(file, main);
            }
        }
    }
}
