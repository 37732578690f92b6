// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.xdp.Link;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The pins of one interface. A bpffs takes no dots: there is a colon for each, which no interface has in its name.
 * Versions before 0.2 had an underscore, which interfaces do have.
 */
public final class InterfacePins {
    static final String BALANCER = "link_balancer";
    static final String PROBE = "link_probe";
    static final String CHAIN = "chain";

    private final Path directory;
    private final String name;
    private final List<String> renamed = new ArrayList<>();

    public InterfacePins(Path directory, String name) {
        this.directory = directory;
        this.name = name;
    }

    /** The name of an interface as a pin has it. */
    static String encoded(String interfaceName) {
        return interfaceName.replace('.', ':');
    }

    /** The reverse of {@link #encoded}. */
    public static String decoded(String pinned) {
        return pinned.replace(':', '.');
    }

    public Path of(String what) {
        return directory.resolve(what + "_" + encoded(name));
    }

    private Path former(String what) {
        return directory.resolve(what + "_" + name.replace('.', '_'));
    }

    /** Renames what a version before has pinned, if it is of the interface with that index. */
    void adopt(int interfaceIndex) {
        if (name.indexOf('.') < 0) {
            return;
        }
        if (isFormerly(BALANCER, interfaceIndex)) {
            if (Files.exists(former(CHAIN))) {
                rename(CHAIN);
            }
            rename(BALANCER);
        }
        if (isFormerly(PROBE, interfaceIndex)) {
            rename(PROBE);
        }
    }

    private boolean isFormerly(String what, int interfaceIndex) {
        if (Files.exists(of(what))) {
            return false;
        }
        try (Link link = Link.openPinned(former(what)).orElse(null)) {
            return link != null && link.ifindex() == interfaceIndex;
        }
    }

    private void rename(String what) {
        move(former(what), of(what));
        renamed.add(what);
    }

    /** What was renamed stays so. */
    void commit() {
        renamed.clear();
    }

    /** Gives what was renamed since the last {@link #commit} its name back, so that the version before finds it. */
    void undo() {
        renamed.forEach(what -> move(of(what), former(what)));
        renamed.clear();
    }

    private static void move(Path from, Path to) {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new DataplaneException("cannot rename the pin " + from + ": " + e, e);
        }
    }
}
