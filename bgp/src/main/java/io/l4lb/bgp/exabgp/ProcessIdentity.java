// SPDX-License-Identifier: Apache-2.0
package io.l4lb.bgp.exabgp;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * A process for sure: its number may be used again, its number and start time are not.
 *
 * @param startTicks clock ticks from boot to its start, field 22 of proc(5) stat
 */
record ProcessIdentity(long pid, long startTicks) {
    private static final int STATE = 0;
    private static final int START_TIME = 19;
    private static final long PATIENCE_SECONDS = 5;

    /** "PID-TICKS"; throws IllegalArgumentException. */
    static ProcessIdentity parse(String text) {
        if (!text.matches("[0-9]{1,10}-[0-9]{1,18}")) {
            throw new IllegalArgumentException("not a process: " + text);
        }
        int dash = text.indexOf('-');
        return new ProcessIdentity(Long.parseLong(text.substring(0, dash)), Long.parseLong(text.substring(dash + 1)));
    }

    /** The process that has this number now. */
    static Optional<ProcessIdentity> of(long pid) {
        return stat(pid).map(fields -> new ProcessIdentity(pid, Long.parseLong(fields[START_TIME])));
    }

    /**
     * Those that were started with both files as arguments, and see the same configuration under that name: in a
     * container it may be another one. Not their children, which look alike until they have become a program of their own.
     */
    static List<ProcessIdentity> startedWith(Path environment, Path configuration) {
        Set<ProcessHandle> found = ProcessHandle.allProcesses()
                .filter(each ->
                        arguments(each.pid()).containsAll(List.of(environment.toString(), configuration.toString())))
                .filter(each -> sees(each.pid(), configuration))
                .collect(Collectors.toSet());
        Predicate<ProcessHandle> isChild =
                each -> each.parent().filter(found::contains).isPresent();
        return found.stream()
                .filter(isChild.negate())
                .flatMap(each -> of(each.pid()).stream())
                .filter(ProcessIdentity::alive)
                .toList();
    }

    private static List<String> arguments(long pid) {
        try {
            return List.of(commandLine(pid).split("\0", -1));
        } catch (IOException e) {
            return List.of(); // it has ended
        }
    }

    private static boolean sees(long pid, Path file) {
        try {
            return Files.isSameFile(Path.of("/proc/" + pid + "/root" + file), file);
        } catch (IOException e) {
            return false;
        }
    }

    private static String commandLine(long pid) throws IOException {
        return Files.readString(Path.of("/proc/" + pid + "/cmdline"), StandardCharsets.ISO_8859_1);
    }

    boolean alive() {
        return stat(pid)
                .filter(fields -> Long.parseLong(fields[START_TIME]) == startTicks && !fields[STATE].equals("Z"))
                .isPresent();
    }

    /** Whether it lives and is ExaBGP reading this configuration. */
    boolean runs(Path configuration) {
        try {
            String commandLine = commandLine(pid);
            return alive() && commandLine.contains("exabgp") && commandLine.contains(configuration.toString());
        } catch (IOException e) {
            return false;
        }
    }

    /** Asks it to end, or ends it; does nothing to a process that merely has its number. */
    void end(boolean forcibly) {
        ProcessHandle.of(pid).filter(handle -> alive()).ifPresent(handle -> {
            if (forcibly) {
                // Its bridge ends with it, unless that hangs too.
                handle.descendants().forEach(ProcessHandle::destroyForcibly);
                handle.destroyForcibly();
            } else {
                handle.destroy();
            }
        });
    }

    /** Asks it to end and waits a little, then ends it. */
    void endSoon() throws InterruptedException {
        end(false);
        try {
            Optional<ProcessHandle> handle = ProcessHandle.of(pid).filter(process -> alive());
            if (handle.isPresent()) {
                handle.get().onExit().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            }
        } catch (TimeoutException | ExecutionException e) {
            end(true);
        }
    }

    /** The fields after the name, which may itself hold spaces and parentheses. */
    private static Optional<String[]> stat(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"), StandardCharsets.ISO_8859_1);
            return Optional.of(stat.substring(stat.lastIndexOf(')') + 2).split(" "));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    @Override
    public String toString() {
        return pid + "-" + startTicks;
    }
}
