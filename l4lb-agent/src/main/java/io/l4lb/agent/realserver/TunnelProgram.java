// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.realserver;

import io.l4lb.agent.file.FileProblem;
import io.l4lb.bpf.BpfProgram;
import io.l4lb.xdp.BpfFs;
import io.l4lb.xdp.BpfMap;
import io.l4lb.xdp.BpfObject;
import io.l4lb.xdp.Interfaces;
import io.l4lb.xdp.Link;
import io.l4lb.xdp.Links;
import io.l4lb.xdp.ProgramHandle;
import io.l4lb.xdp.UpdateMode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import java.util.zip.CRC32;

/**
 * {@code decapsulate} at the ingress of an interface: pinned, so that it outlives this process. See {@link Kind#PROGRAM}.
 * Its maps are pinned too, and go with the last interface.
 */
final class TunnelProgram implements Part {
    static final String LIMITS = "limits";
    static final String OPENED_VIPS = "opened_vips";
    static final String TUNNEL_ENDS = "tunnel_ends";
    static final String TUNNEL_SOURCES = "tunnel_sources";
    static final String OPENED = "opened";
    private static final List<String> MAPS = List.of(LIMITS, OPENED_VIPS, TUNNEL_ENDS, TUNNEL_SOURCES, OPENED);

    private static final String DETACHED = "detached";
    /** Whoever was to attach it has died in between. */
    private static final String UNATTACHED = "its maps alone";

    private static final String LINK = "link-";
    /* struct limits { __u32 limited; __u32 build; } */
    private static final int LIMITS_SIZE = 8;
    private static final int LIMITS_BUILD = 4;

    private final Path directory;

    TunnelProgram(Path directory) {
        this.directory = directory;
    }

    /** Of the program that this version of ours would load. */
    static String currentBuild() {
        return text(build(BpfProgram.DECAPSULATE.object()));
    }

    private static int build(byte[] object) {
        CRC32 sum = new CRC32();
        sum.update(object);
        return (int) sum.getValue();
    }

    private static String text(int build) {
        return String.format("build %08x", build);
    }

    Path pin(String map) {
        return directory.resolve(map);
    }

    /** The kernel takes no dots in the names of pins, and no colons in those of interfaces. */
    private Path linkPin(String interfaceName) {
        return directory.resolve(LINK + interfaceName.replace('.', ':'));
    }

    @Override
    public String read(String interfaceName) {
        OptionalInt index = Interfaces.index(interfaceName);
        Optional<Link> pinned = Link.openPinned(linkPin(interfaceName));
        if (pinned.isEmpty()) {
            return hasLink() || MAPS.stream().map(this::pin).noneMatch(Files::exists) ? "" : UNATTACHED;
        }
        try (Link link = pinned.get()) {
            // The interface may have gone, and one of its name have come back.
            if (index.isEmpty() || link.ifindex() != index.getAsInt()) {
                return DETACHED;
            }
        }
        Optional<BpfMap> limits = BpfMap.openPinned(pin(LIMITS));
        if (limits.isEmpty()) {
            return "without its maps";
        }
        try (BpfMap map = limits.get()) {
            return map.lookup(word(0))
                    .map(value -> text(value.getInt(LIMITS_BUILD)))
                    .orElse("");
        }
    }

    @Override
    public void write(String interfaceName, String value) {
        if (value.isEmpty()) {
            detach(interfaceName);
        } else if (value.equals(currentBuild())) {
            attach(interfaceName);
        } else {
            throw new RealServerException("another build of the program is not at hand any more");
        }
    }

    private void attach(String interfaceName) {
        int index = Interfaces.index(interfaceName)
                .orElseThrow(() -> new RealServerException("there is no interface " + interfaceName));
        ensureDirectory();
        byte[] elf = BpfProgram.DECAPSULATE.object();
        try (BpfObject object = BpfObject.open("decapsulate", elf)) {
            MAPS.forEach(map -> object.pinPath(map, pin(map)));
            object.load();
            try (ProgramHandle program = object.program("decapsulate");
                    BpfMap limits = object.map(LIMITS)) {
                limits.update(word(0), limited(build(elf)), UpdateMode.ANY);
                attach(program, interfaceName, index);
            }
        } catch (RuntimeException e) {
            removeMapsWithoutLink();
            throw e;
        }
    }

    /** In place, where it is on the interface already: no packet finds none. */
    private void attach(ProgramHandle program, String interfaceName, int index) {
        Path pin = linkPin(interfaceName);
        Optional<Link> pinned = Link.openPinned(pin);
        if (pinned.isPresent()) {
            try (Link link = pinned.get()) {
                if (link.ifindex() == index) {
                    link.update(program);
                    return;
                }
            }
            Link.unpin(pin);
        }
        try (Link link = Links.attachTcxIngress(program, index)) {
            link.pin(pin);
        }
    }

    private void detach(String interfaceName) {
        Link.unpin(linkPin(interfaceName));
        removeMapsWithoutLink();
    }

    private void removeMapsWithoutLink() {
        if (!Files.isDirectory(directory) || hasLink()) {
            return;
        }
        MAPS.forEach(map -> BpfMap.unpin(pin(map)));
        try {
            Files.delete(directory);
        } catch (IOException e) {
            // Somebody else keeps something there.
        }
    }

    private boolean hasLink() {
        if (!Files.isDirectory(directory)) {
            return false;
        }
        try (Stream<Path> pins = Files.list(directory)) {
            return pins.anyMatch(pin -> String.valueOf(pin.getFileName()).startsWith(LINK));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String refusal(String interfaceName, String value) {
        if (value.isEmpty()) {
            return "";
        }
        if (String.valueOf(directory.getFileName()).contains(".")) {
            return directory + " cannot be made: names on a bpffs have no dots";
        }
        Path parent = directory.getParent();
        if (parent != null && !(Files.isDirectory(parent) && BpfFs.isMounted(parent))) {
            return ""; // it is to become one, see BpfFileSystem
        }
        return Files.exists(directory) && !(Files.isDirectory(directory) && BpfFs.isMounted(directory))
                ? directory + " is not on a bpffs: choose another --pin-dir"
                : "";
    }

    private void ensureDirectory() {
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new RealServerException("cannot make " + directory + ": " + FileProblem.words(e), e);
        }
        if (!BpfFs.isMounted(directory)) {
            throw new RealServerException(directory + " is not on a bpffs: mount -t bpf bpf " + directory.getParent());
        }
    }

    static ByteBuffer word(int value) {
        return ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.nativeOrder()).putInt(0, value);
    }

    private static ByteBuffer limited(int build) {
        return ByteBuffer.allocate(LIMITS_SIZE)
                .order(ByteOrder.nativeOrder())
                .putInt(0, 1)
                .putInt(LIMITS_BUILD, build);
    }
}
