// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.agent.dataplane.DataplaneException;
import io.l4lb.xdp.BpfException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** One look at all pins: those that somebody took away are made again; what cannot be, stops no other. */
public final class LostPins {
    private static final System.Logger LOG = System.getLogger(LostPins.class.getName());

    private final Path directory;
    private final List<String> made = new ArrayList<>();
    private final List<String> missing = new ArrayList<>();
    private final Set<String> reasons = new LinkedHashSet<>();

    public LostPins(Path directory) {
        this.directory = directory;
    }

    /**
     * Looks at one. What is in its place is left alone: it may be another agent's.
     *
     * @param pinning pins what is open under that name
     */
    public void look(KeptPin pin, Consumer<Path> pinning) {
        String name = String.valueOf(pin.path().getFileName());
        if (pin.isOccupied()) {
            missing.add(name);
            reasons.add("something else is there: has another agent the same pin-dir?");
            return;
        }
        if (!pin.isGone()) {
            return;
        }
        try {
            PinDirectory.make(directory);
            pinning.accept(pin.path());
            pin.seen();
            made.add(name);
        } catch (DataplaneException | BpfException e) {
            missing.add(name);
            reasons.add(String.valueOf(e.getMessage()));
        }
    }

    /** Says in the log what was made. */
    public void log() {
        if (!made.isEmpty()) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "pins were taken out of {0}: pinned again: {1}",
                    directory,
                    String.join(", ", made));
        }
    }

    /** What is not pinned now, in words; empty: nothing. */
    public Optional<String> problem() {
        return missing.isEmpty()
                ? Optional.empty()
                : Optional.of("not pinned in " + directory + ", and cannot be: " + String.join(", ", missing) + " ("
                        + String.join("; ", reasons) + "); what is not pinned ends with the agent");
    }
}
