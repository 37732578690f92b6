// SPDX-License-Identifier: Apache-2.0
package io.l4lb.bgp;

import java.util.List;

/**
 * What a speaker knows at one moment.
 *
 * @param current the speaker knows what is announced, and its work is based on the latest {@code want}; false before the
 *     first one, until the latest one has been looked at, and while sessions start or the BGP process does not answer
 */
public record SpeakerStatus(List<NeighborStatus> neighbors, ProcessStatus process, boolean current) {
    public SpeakerStatus {
        neighbors = List.copyOf(neighbors);
    }

    /** Everything wanted is what has been sent, and nothing else; a neighbor that is not up counts as having nothing. */
    public boolean settled() {
        return current
                && neighbors.stream().allMatch(neighbor -> neighbor.unsettled().isEmpty());
    }

    /** Whether at least one neighbor has been sent the prefix. */
    public boolean announced(Prefix prefix) {
        return neighbors.stream().anyMatch(neighbor -> neighbor.announced().contains(prefix));
    }

    /** Whether it is certain that no neighbor has the prefix, nor will get it: what served it may then be removed. */
    public boolean withdrawn(Prefix prefix) {
        return current
                && !announced(prefix)
                && neighbors.stream().noneMatch(neighbor -> neighbor.unsettled().contains(prefix));
    }

    /** The same facts, seen before the latest {@code want} was looked at. */
    public SpeakerStatus outdated() {
        return new SpeakerStatus(neighbors, process, false);
    }
}
