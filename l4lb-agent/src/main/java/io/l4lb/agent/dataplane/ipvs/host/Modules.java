// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs.host;

import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.netlink.NetlinkException;
import io.l4lb.netlink.generic.GenericNetlink;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The kernel modules of IPVS. The kernel loads them itself when it is asked for what they offer: ip_vs by its generic
 * netlink family, ip_vs_SCHEDULER by a service that names it. This says why it did not.
 */
public final class Modules {
    private static final String IPVS = "ip_vs";

    private final Path root;

    /** Of the machine. */
    public Modules() {
        this(Path.of("/"));
    }

    Modules(Path root) {
        this.root = root;
    }

    /**
     * Makes the kernel load ip_vs.
     *
     * @throws DataplaneException it cannot, in words
     */
    public void loadIpvs() {
        try (GenericNetlink netlink = GenericNetlink.open()) {
            if (netlink.family("IPVS").isEmpty()) {
                throw new DataplaneException(missing(IPVS));
            }
        } catch (NetlinkException e) {
            throw new DataplaneException("cannot ask the kernel for IPVS: " + e.getMessage(), e);
        }
    }

    /** Why there is no IPVS, in words. */
    public String missingIpvs() {
        return missing(IPVS);
    }

    /** The same of a scheduler that the kernel refused because it does not know it: {@code mh}. */
    public String missingScheduler(String scheduler) {
        return missing(IPVS + "_" + scheduler);
    }

    /** Why a module is not there, and what to do. */
    String missing(String module) {
        if (isLoaded(module)) {
            return "kernel module " + module + " is loaded, but does not offer what it should: rmmod and modprobe it,"
                    + " or boot again";
        }
        return "kernel module " + module + " is not loaded and could not be loaded: " + reason(module);
    }

    private String reason(String module) {
        Optional<String> release = text("proc/sys/kernel/osrelease");
        Path tree = root.resolve("lib/modules").resolve(release.orElse(""));
        String kernel = "kernel " + release.orElse("(unknown)");
        if (!Files.isReadable(tree.resolve("modules.dep"))) {
            return "there are no modules of the running " + kernel + " in " + tree + ". In a container: modprobe "
                    + module
                    + " on the host. After an upgrade of the kernel: boot again. Else this kernel has no modules: it"
                    + " takes one with CONFIG_IP_VS";
        }
        if (!names(tree.resolve("modules.dep"), module)) {
            return kernel + " has no such module in " + tree
                    + ": install the rest of its modules (linux-modules-extra, kernel-modules-extra) or a kernel that"
                    + " has it, such as Debian's linux-image-amd64";
        }
        if (text("proc/sys/kernel/modules_disabled").orElse("0").equals("1")) {
            return "loading modules is switched off until the next boot (kernel.modules_disabled=1): name it in"
                    + " /etc/modules-load.d/ and boot again";
        }
        String loader = text("proc/sys/kernel/modprobe").orElse("");
        if (loader.isEmpty() || !Files.exists(root.resolve(loader.replaceFirst("^/+", "")))) {
            return "the kernel has no program to load it with (kernel.modprobe=" + loader + "): modprobe " + module
                    + " (package kmod)";
        }
        return "it is in " + tree + ": modprobe " + module + " says what is wrong (blacklisted in /etc/modprobe.d/, or"
                + " not permitted)";
    }

    private boolean isLoaded(String module) {
        return anyLine(root.resolve("proc/modules"), line -> line.startsWith(module + " "))
                || text("proc/sys/kernel/osrelease")
                        .filter(release -> names(
                                root.resolve("lib/modules").resolve(release).resolve("modules.builtin"), module))
                        .isPresent();
    }

    /** Whether a list that depmod(8) made begins a line with a module, compressed or not. */
    private static boolean names(Path list, String module) {
        Pattern line = Pattern.compile("(?:.*/)?" + Pattern.quote(module) + "\\.ko(?:\\.\\w+)?(?::.*)?");
        return anyLine(list, each -> line.matcher(each).matches());
    }

    private static boolean anyLine(Path file, Predicate<String> matches) {
        try (Stream<String> lines = Files.lines(file)) {
            return lines.anyMatch(matches);
        } catch (IOException | UncheckedIOException e) {
            return false; // not there: what is in it is not either
        }
    }

    private Optional<String> text(String path) {
        try {
            return Optional.of(Files.readString(root.resolve(path)).strip());
        } catch (IOException e) {
            return Optional.empty(); // only words depend on it
        }
    }
}
