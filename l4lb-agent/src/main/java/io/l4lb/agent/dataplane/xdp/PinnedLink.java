// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.xdp;

import io.l4lb.xdp.Link;
import io.l4lb.xdp.ProgramHandle;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One program on one interface, held by a link that is pinned: taken over if it is there, else made. */
final class PinnedLink implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(PinnedLink.class.getName());

    private final Path pin;
    private final KeptPin kept;
    private @Nullable Link link;
    private @Nullable ProgramHandle before;
    private boolean made;
    private int ours;

    PinnedLink(Path pin) {
        this.pin = pin;
        this.kept = new KeptPin(pin);
    }

    /** Where the link is, whatever its program; 0: nowhere. */
    int interfaceIndex() {
        Link open = open();
        return open == null ? 0 : open.ifindex();
    }

    /** Whether it holds the program that was last put there on that interface. */
    boolean holds(int interfaceIndex) {
        Link open = open();
        return open != null && open.ifindex() == interfaceIndex && open.programId() == ours;
    }

    private @Nullable Link open() {
        if (link == null) {
            link = Link.openPinned(pin).orElse(null);
            kept.seen();
        }
        return link;
    }

    /**
     * Puts the program into the link at once, or makes one.
     *
     * @return whether the link was there
     */
    boolean hold(int interfaceIndex, ProgramHandle program, Supplier<Link> attach) {
        Link found = open();
        ours = program.id();
        if (found != null && found.ifindex() == interfaceIndex) {
            if (before == null && !made) {
                before = ProgramHandle.byId(found.programId()).orElse(null);
            }
            found.update(program);
            return true;
        }
        if (found != null) {
            LOG.log(System.Logger.Level.WARNING, "{0} is on no interface any more: attaching anew", pin);
            found.close();
            link = null;
            Link.unpin(pin);
        }
        Link fresh = attach.get();
        link = fresh;
        made = true;
        fresh.pin(pin);
        kept.seen();
        return false;
    }

    /** Pins the link again if its pin is gone. */
    void keepPinned(LostPins pins) {
        if (link != null) {
            pins.look(kept, link::pin);
        }
    }

    /** What has been done so far stays, whatever happens next. */
    void commit() {
        made = false;
        if (before != null) {
            before.close();
            before = null;
        }
    }

    /** Puts the program before back into the link; a link that was made is taken away again, before this returns. */
    void undo() {
        if (made) {
            release();
        } else if (link != null && before != null) {
            link.update(before);
        }
        commit();
    }

    /** Takes the program off the interface, before this returns. */
    void release() {
        Optional.ofNullable(open()).ifPresent(held -> {
            if (held.ifindex() != 0) {
                held.detach();
            }
            held.close();
        });
        link = null;
        Link.unpin(pin);
    }

    @Override
    public void close() {
        commit();
        if (link != null) {
            link.close();
        }
    }
}
