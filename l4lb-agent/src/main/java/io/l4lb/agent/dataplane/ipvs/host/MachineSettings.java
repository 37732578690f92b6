// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs.host;

import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.agent.dataplane.ipvs.host.SettingsFile.Change;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * Gives the kernel the settings that IPVS on a director needs (docs/ipvs.md), again when somebody changed them, and
 * back what they were on {@link #restore}. For the reconcile thread alone, whose network namespace is meant.
 */
public final class MachineSettings {
    /** How often they are read. */
    private static final Duration PERIOD = Duration.ofSeconds(10);

    private static final String EXPIRE_NODEST_CONN = "net/ipv4/vs/expire_nodest_conn";

    private final Sysctls sysctls;
    private final SettingsFile file;
    private List<WantedSetting> wanted = List.of();
    private Optional<Instant> due = Optional.empty();
    private final String unreadable;
    private final Set<String> missed = new TreeSet<>();

    /** @param stateDirectory the agent's; {@code ipvs-settings.json} in it says what was before */
    public MachineSettings(Path stateDirectory, Incarnation incarnation) {
        this(Path.of("/proc/sys"), stateDirectory, incarnation);
    }

    /** @param root {@code /proc/sys}, or what stands for it */
    public MachineSettings(Path root, Path stateDirectory, Incarnation incarnation) {
        this.sysctls = new Sysctls(root);
        this.file = new SettingsFile(stateDirectory, incarnation);
        this.unreadable = file.load();
    }

    /**
     * Whether the kernel has IPVS in this network namespace by now.
     *
     * @param root {@code /proc/sys}, or what stands for it
     */
    public static boolean ipvsIsLoaded(Path root) {
        return new Sysctls(root).exists(WantedSetting.IPVS);
    }

    /** What an operator should know of what was recorded. */
    public List<String> notes() {
        return unreadable.isEmpty() ? List.of() : List.of(unreadable);
    }

    /**
     * Says what is needed from now on; the next {@link #repair} sees to it at once. What is not needed any more stays as it
     * is until {@link #restore}.
     *
     * @param interfaces by which clients' packets, or the answers to probes, come in
     * @param masquerade whether there are reals to which packets are forwarded with another destination
     */
    public void want(Set<String> interfaces, boolean masquerade) {
        List<WantedSetting> all = WantedSetting.all(interfaces, masquerade);
        if (!all.equals(wanted)) {
            wanted = all;
            due = Optional.empty();
            missed.clear();
        }
    }

    /**
     * Sets what is not as it has to be; looks at most every 10 s. A setting that this kernel has not got is said once.
     *
     * @return what was set ({@code net.ipv4.vs.sloppy_tcp 0 -> 1}), and what an operator should know
     * @throws DataplaneException some cannot be written, all others are; or ip_vs is not loaded
     */
    public List<String> repair(Instant now) {
        if (due.filter(now::isBefore).isPresent()) {
            return List.of();
        }
        if (!sysctls.exists(WantedSetting.IPVS)) {
            throw new DataplaneException("there is no " + sysctls.root().resolve(WantedSetting.IPVS)
                    + ": the kernel module ip_vs is not loaded: modprobe ip_vs");
        }
        List<String> notes = new ArrayList<>(missing());
        List<Change> changes = new ArrayList<>();
        for (WantedSetting setting : wanted) {
            setting.wrong(sysctls)
                    .ifPresent(present -> changes.add(new Change(setting.path(), present, setting.value())));
        }
        file.record(changes);
        write(changes, notes);
        due = Optional.of(now.plus(PERIOD));
        return notes;
    }

    private List<String> missing() {
        List<String> notes = new ArrayList<>();
        for (WantedSetting setting : wanted) {
            if (sysctls.exists(setting.path())) {
                missed.remove(setting.path());
            } else if (missed.add(setting.path())) {
                notes.add("there is no " + Sysctls.name(setting.path()) + " here: not set to " + setting.value());
            }
        }
        return notes;
    }

    private void write(List<Change> changes, List<String> notes) {
        List<String> problems = new ArrayList<>();
        for (Change change : changes) {
            try {
                sysctls.write(change.path(), change.after());
                notes.add(Sysctls.name(change.path()) + " " + change.before() + " -> " + change.after());
            } catch (DataplaneException e) {
                problems.add(e.getMessage());
            }
        }
        throwIfAny(problems);
    }

    /**
     * Does something while connections whose destination is taken out stay, for it to come back; their packets are dropped
     * meanwhile.
     */
    public void withoutExpiry(Runnable change) {
        String before = sysctls.read(EXPIRE_NODEST_CONN).orElse("0");
        if (before.equals("0")) {
            change.run();
            return;
        }
        sysctls.write(EXPIRE_NODEST_CONN, "0");
        try {
            change.run();
        } finally {
            sysctls.write(EXPIRE_NODEST_CONN, before);
        }
    }

    /**
     * What became of the settings that the agent had changed.
     *
     * @param putBack what was put back, or would be
     * @param left what somebody has changed since, which stays
     */
    public record Restored(List<String> putBack, List<String> left) {
        public Restored {
            putBack = List.copyOf(putBack);
            left = List.copyOf(left);
        }
    }

    /** What {@link #restore} would do now. */
    public Restored restorable() {
        return each(file.changes(), change -> true);
    }

    /**
     * Puts back what the agent changed, where it still is what the agent made of it, and forgets it. A record that cannot be
     * read stays as it is.
     *
     * @throws DataplaneException some cannot be written; they are tried again the next time
     */
    public Restored restore() {
        List<String> problems = new ArrayList<>();
        List<Change> unwritten = new ArrayList<>();
        Restored restored = each(file.changes(), change -> {
            try {
                sysctls.write(change.path(), change.before());
                return true;
            } catch (DataplaneException e) {
                problems.add(e.getMessage());
                unwritten.add(change);
                return false;
            }
        });
        if (unreadable.isEmpty()) {
            file.replace(unwritten);
        }
        wanted = List.of();
        throwIfAny(problems);
        return restored;
    }

    private Restored each(List<Change> changes, Predicate<Change> putBack) {
        List<String> done = new ArrayList<>();
        List<String> left = new ArrayList<>();
        for (Change change : changes) {
            Optional<String> present = sysctls.read(change.path());
            String name = Sysctls.name(change.path());
            if (present.isEmpty() || present.get().equals(change.before())) {
                continue;
            }
            if (!present.get().equals(change.after())) {
                left.add(name + " is " + present.get() + ", which somebody else set; it was " + change.before()
                        + " before the agent");
            } else if (putBack.test(change)) {
                done.add(name + " " + change.after() + " -> " + change.before());
            }
        }
        return new Restored(done, left);
    }

    private static void throwIfAny(List<String> problems) {
        if (!problems.isEmpty()) {
            throw new DataplaneException(String.join("; ", problems));
        }
    }
}
