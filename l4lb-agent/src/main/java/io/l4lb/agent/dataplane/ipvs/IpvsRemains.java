// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import io.l4lb.agent.dataplane.ProbePath;
import io.l4lb.agent.dataplane.ipvs.host.Incarnation;
import io.l4lb.agent.dataplane.ipvs.host.KeptMarks;
import io.l4lb.agent.dataplane.ipvs.host.LocalVips;
import io.l4lb.agent.dataplane.ipvs.host.MachineSettings;
import io.l4lb.agent.dataplane.ipvs.host.OwnedServices;
import io.l4lb.agent.dataplane.mark.Remains;
import io.l4lb.agent.model.IpText;
import io.l4lb.agent.model.IpvsSection;
import io.l4lb.ipvs.FirewallMark;
import io.l4lb.ipvs.IpvsChange;
import io.l4lb.ipvs.IpvsClient;
import io.l4lb.ipvs.ServiceIdentity;
import io.l4lb.netlink.AddressFamily;
import io.l4lb.netlink.NetlinkException;
import io.l4lb.netlink.NetlinkUnsupportedException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What agents that have ended have left: services in IPVS, local VIPs, the program that marks packets, kernel settings. For a
 * process that holds the agent's lock.
 */
public final class IpvsRemains {
    private final IpvsSection section;
    private final Path stateDirectory;
    private final Consumer<String> told;
    private final Supplier<IpvsClient> kernel;
    private final Path sysctls;

    /**
     * Remains.
     *
     * @param stateDirectory the agent's, which says what is ours
     * @param told each thing, in words: what there is, or once it is gone
     */
    public IpvsRemains(IpvsSection section, Path stateDirectory, Consumer<String> told) {
        this(section, stateDirectory, told, IpvsClient::open, Path.of("/proc/sys"));
    }

    /** @param sysctls {@code /proc/sys}, or what stands for it */
    IpvsRemains(
            IpvsSection section,
            Path stateDirectory,
            Consumer<String> told,
            Supplier<IpvsClient> kernel,
            Path sysctls) {
        this.section = section;
        this.stateDirectory = stateDirectory;
        this.told = told;
        this.kernel = kernel;
        this.sysctls = sysctls;
    }

    /**
     * Takes everything away, which ends forwarding; what others have in IPVS stays.
     *
     * @param dryRun only tell what there is
     */
    public void release(boolean dryRun) {
        if (!Files.isDirectory(stateDirectory.resolve("ipvs"))) {
            return; // there has never been an agent with this dataplane
        }
        Incarnation incarnation = Incarnation.current();
        if (Files.isDirectory(section.pinDir())) {
            Remains marker = new Remains(section.interfaces(), section.pinDir(), told);
            if (dryRun) {
                marker.list();
            } else {
                marker.release();
            }
        }
        releaseServices(incarnation, dryRun);
        releaseVips(dryRun);
        MachineSettings settings = new MachineSettings(sysctls, stateDirectory, incarnation);
        (dryRun ? settings.recorded() : settings.restore()).forEach(told);
    }

    private void releaseServices(Incarnation incarnation, boolean dryRun) {
        Claims claims = new Claims(new OwnedServices(stateDirectory, incarnation));
        KeptMarks file = new KeptMarks(stateDirectory, incarnation);
        Map<Integer, ProbePath> marks = file.marks();
        Map<AddressFamily, Set<Integer>> byMarks = file.services();
        if (claims.addresses().isEmpty() && marks.isEmpty()) {
            return; // nor does the kernel have to load a module to say so
        }
        try (IpvsClient ipvs = kernel.get()) {
            int byMark = 0;
            for (ServiceIdentity service : ipvs.services().stream()
                    .map(entry -> entry.service().identity())
                    .toList()) {
                boolean marked = service instanceof FirewallMark mark
                        && byMarks.getOrDefault(mark.family(), Set.of()).contains(mark.mark());
                if (!marked && !claims.has(service)) {
                    continue;
                }
                if (!dryRun) {
                    new Kernel(ipvs).delete(List.of(new IpvsChange.DeleteService(service)));
                }
                byMark += marked ? 1 : 0;
                if (!marked) {
                    told.accept("IPVS service " + service + ", with all its connections");
                }
            }
            if (byMark > 0) {
                told.accept(byMark + " IPVS services by mark, for probes and for schedulers that the kernel lacks");
            }
            if (!dryRun) {
                claims.addresses().forEach(claims::release);
                file.saveMarks(Map.of(), Map.of());
            }
        } catch (NetlinkUnsupportedException e) {
            return; // without IPVS there is nothing of ours in it
        } catch (NetlinkException e) {
            throw Kernel.refused(e);
        }
    }

    private void releaseVips(boolean dryRun) {
        try (LocalVips local = LocalVips.open()) {
            Set<String> words = new TreeSet<>();
            for (InetAddress vip : local.ours()) {
                if (!dryRun) {
                    local.remove(vip);
                }
                words.add(IpText.of(vip));
            }
            words.forEach(vip -> told.accept("the local route of VIP " + vip));
        }
    }
}
