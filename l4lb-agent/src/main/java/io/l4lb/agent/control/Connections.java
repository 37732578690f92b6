// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.control;

import io.netty.channel.Channel;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The open connections of a server. When there are too many, the one that has been longest without sending its request
 * makes room, so that idlers cannot keep an operator out. Used by the control thread only.
 */
final class Connections {
    private final int max;
    private final Set<Channel> open = new LinkedHashSet<>();
    private final Set<Channel> waiting = new LinkedHashSet<>();

    Connections(int max) {
        this.max = max;
    }

    /** Takes a new connection; {@code false}: all others are being answered, so it has to go. */
    boolean admit(Channel channel) {
        if (open.size() >= max && !evict()) {
            return false;
        }
        open.add(channel);
        waiting.add(channel);
        return true;
    }

    /** The request is complete: from now on the connection does not make room. */
    void answering(Channel channel) {
        waiting.remove(channel);
    }

    void closed(Channel channel) {
        open.remove(channel);
        waiting.remove(channel);
    }

    private boolean evict() {
        Iterator<Channel> oldest = waiting.iterator();
        if (!oldest.hasNext()) {
            return false;
        }
        Channel channel = oldest.next();
        closed(channel);
        var unused = channel.close();
        return true;
    }
}
