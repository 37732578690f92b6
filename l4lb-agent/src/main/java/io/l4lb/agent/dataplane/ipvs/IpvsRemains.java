// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import io.l4lb.agent.dataplane.ipvs.host.Incarnation;
import io.l4lb.agent.dataplane.ipvs.host.LocalVips;
import io.l4lb.agent.dataplane.ipvs.host.MachineSettings;
import io.l4lb.agent.dataplane.mark.Remains;
import io.l4lb.agent.model.IpText;
import io.l4lb.agent.model.IpvsSection;
import io.l4lb.ipvs.FirewallMark;
import io.l4lb.ipvs.IpvsChange;
import io.l4lb.ipvs.IpvsClient;
import io.l4lb.ipvs.ServiceEntry;
import io.l4lb.ipvs.ServiceIdentity;
import io.l4lb.ipvs.VirtualAddress;
import io.l4lb.netlink.NetlinkException;
import io.l4lb.netlink.NetlinkUnsupportedException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
    private final Consumer<String> left;
    private final Supplier<IpvsClient> kernel;
    private final Path sysctls;

    /**
     * Remains.
     *
     * @param stateDirectory the agent's, which says what is ours
     * @param told each thing, in words: what there is, or once it is gone
     * @param left each thing that stays though it may be an agent's, and why
     */
    public IpvsRemains(IpvsSection section, Path stateDirectory, Consumer<String> told, Consumer<String> left) {
        this(section, stateDirectory, told, left, IpvsClient::open, Path.of("/proc/sys"));
    }

    /** @param sysctls {@code /proc/sys}, or what stands for it */
    IpvsRemains(
            IpvsSection section,
            Path stateDirectory,
            Consumer<String> told,
            Consumer<String> left,
            Supplier<IpvsClient> kernel,
            Path sysctls) {
        this.section = section;
        this.stateDirectory = stateDirectory;
        this.told = told;
        this.left = left;
        this.kernel = kernel;
        this.sysctls = sysctls;
    }

    /**
     * Takes everything away, which ends forwarding; what others have in IPVS stays. What shows by itself whose it is, the
     * program that marks packets and the local routes, goes without a state directory too.
     *
     * @param dryRun only tell what there is
     * @return files of the state directory that are damaged, and what is not known for that
     */
    public List<String> release(boolean dryRun) {
        Incarnation incarnation = Incarnation.current();
        // Reading makes directories, and without an agent there shall be none.
        Optional<KnownServices> known = Files.isDirectory(stateDirectory.resolve("ipvs"))
                ? Optional.of(new KnownServices(stateDirectory, incarnation))
                : Optional.empty();
        releaseMarker(dryRun);
        try (LocalVips local = LocalVips.open()) {
            Set<InetAddress> vips = local.ours();
            releaseServices(known, vips, dryRun);
            releaseVips(local, vips, dryRun);
            if (known.isEmpty() && !vips.isEmpty()) {
                left.accept("the kernel settings as they are: nothing in " + stateDirectory
                        + " says what they were before the agent");
            }
        }
        List<String> damage = new ArrayList<>(known.map(KnownServices::damage).orElse(List.of()));
        if (known.isPresent()) {
            MachineSettings settings = new MachineSettings(sysctls, stateDirectory, incarnation);
            damage.addAll(settings.notes());
            MachineSettings.Restored restored = dryRun ? settings.restorable() : settings.restore();
            restored.putBack().forEach(told);
            restored.left().forEach(left);
        }
        return damage;
    }

    private void releaseMarker(boolean dryRun) {
        if (!Files.isDirectory(section.pinDir())) {
            return;
        }
        Remains marker = new Remains(section.interfaces(), section.pinDir(), told);
        if (dryRun) {
            marker.list();
        } else {
            marker.release();
        }
    }

    private void releaseServices(Optional<KnownServices> known, Set<InetAddress> vips, boolean dryRun) {
        boolean none = known.filter(services -> !services.isEmpty()).isEmpty();
        if (none && !MachineSettings.ipvsIsLoaded(sysctls)) {
            return; // the kernel does not have to load a module to say that there is nothing in it
        }
        try (IpvsClient ipvs = kernel.get()) {
            Kernel asked = new Kernel(ipvs);
            int byMark = 0;
            List<ServiceIdentity> doubtful = new ArrayList<>();
            for (ServiceEntry entry : asked.services()) {
                ServiceIdentity service = entry.service().identity();
                if (known.filter(services -> services.has(service)).isEmpty()) {
                    doubtful.add(service);
                    continue;
                }
                if (!dryRun) {
                    asked.delete(List.of(new IpvsChange.DeleteService(service)));
                }
                if (service instanceof FirewallMark) {
                    byMark++;
                } else {
                    told.accept("IPVS service " + service + ", with all its connections");
                }
            }
            if (byMark > 0) {
                told.accept(byMark + " IPVS services by mark, for probes and for schedulers that the kernel lacks");
            }
            tellDoubtful(doubtful, vips);
            if (!dryRun) {
                known.ifPresent(KnownServices::forget);
            }
        } catch (NetlinkUnsupportedException e) {
            return; // without IPVS there is nothing of ours in it
        } catch (NetlinkException e) {
            throw Kernel.refused(e);
        }
    }

    /** Services of others are nobody's business but at our VIPs and in our range of marks, where a lost state may be behind them. */
    private void tellDoubtful(List<ServiceIdentity> services, Set<InetAddress> vips) {
        List<FirewallMark> marks = new ArrayList<>();
        for (ServiceIdentity service : services) {
            if (service instanceof VirtualAddress address && vips.contains(address.address())) {
                left.accept("IPVS service " + service + ", at a VIP of the agent: " + unknown("it"));
            } else if (service instanceof FirewallMark mark && LostMarks.inRange(mark.mark())) {
                marks.add(mark);
            }
        }
        if (!marks.isEmpty()) {
            left.accept(marks.size() + " IPVS services by mark in the agent's range, as " + marks.get(0) + ": "
                    + unknown("them"));
        }
    }

    private String unknown(String what) {
        return "nothing in " + stateDirectory + " says that an agent made " + what + " (ipvsadm -Ln, ipvsadm -D)";
    }

    private void releaseVips(LocalVips local, Set<InetAddress> vips, boolean dryRun) {
        Set<String> words = new TreeSet<>();
        for (InetAddress vip : vips) {
            if (!dryRun) {
                local.remove(vip);
            }
            words.add(IpText.of(vip));
        }
        words.forEach(vip -> told.accept("the local route of VIP " + vip));
    }
}
