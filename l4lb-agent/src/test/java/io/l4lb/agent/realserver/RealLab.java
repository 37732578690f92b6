// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.realserver;

import static io.l4lb.test.Address.ip;

import io.l4lb.bpf.BpfProgram;
import io.l4lb.test.Machine;
import io.l4lb.test.MarkedConnection;
import io.l4lb.test.Namespaces;
import io.l4lb.test.TemporaryBpfFs;
import io.l4lb.test.ThreadContext;
import io.l4lb.xdp.BpfMap;
import io.l4lb.xdp.BpfObject;
import io.l4lb.xdp.ProgramHandle;
import io.l4lb.xdp.UpdateMode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * A director and a real on one link, eth0 of both. What the director sends with one of four marks leaves in a tunnel to the
 * real, by the program that also carries probes; without a mark it leaves bare. The real has a server that sends everything
 * back.
 */
final class RealLab implements AutoCloseable {
    static final String VIP4 = "192.0.2.10";
    static final String VIP6 = "2001:db8::10";
    static final String REAL4 = "10.3.0.2";
    static final String REAL6 = "fd00:3::2";
    private static final String DIRECTOR4 = "10.3.0.1";
    private static final String DIRECTOR6 = "fd00:3::1";

    private static final int MARK = 0x4c340001;
    private static final int REAL_GUE = 2;
    private static final int TARGET_SIZE = 56;
    private static final int PORT = 80;
    /** Enough for many full-size packets and for segmentation offload. */
    private static final int BULK = 300_000;

    private final Namespaces namespaces = new Namespaces();
    private final TemporaryBpfFs pins = new TemporaryBpfFs();
    private Optional<ServerSocket> listener = Optional.empty();

    /**
     * Builds it.
     *
     * @return the real's namespace
     */
    String build() throws Exception {
        namespaces.make("director");
        namespaces.make("real");
        connect();
        encapsulate();
        ServerSocket socket = ThreadContext.inNamespace(namespaces.name("real"), () -> new ServerSocket(PORT));
        listener = Optional.of(socket);
        new Thread(() -> serve(socket), "echo").start();
        return namespaces.name("real");
    }

    /** The link, with all that belongs to it. */
    void connect() {
        namespaces.connect("director", "eth0", "real", "eth0");
        namespaces.batch("real", """
                addr add 10.3.0.2/24 dev eth0
                addr add fd00:3::2/64 dev eth0 nodad
                route add default via 10.3.0.1
                route add default via fd00:3::1
                """);
        // The tunnel's headers have to fit the link.
        namespaces.batch("director", """
                addr add 10.3.0.1/24 dev eth0
                addr add fd00:3::1/64 dev eth0 nodad
                route add 192.0.2.10 via 10.3.0.2 mtu 1500
                route add 2001:db8::10 via fd00:3::2 mtu 1500
                route add 192.0.2.11 dev eth0
                """);
    }

    /** By tc(8), which older kernels have too. */
    void encapsulate() {
        Path pin = pins.path("probe");
        try (BpfObject object =
                BpfObject.open("probe", BpfProgram.PROBE.object()).load()) {
            try (BpfMap probes = object.map("probes");
                    ProgramHandle program = object.program("probe")) {
                target(probes, MARK, REAL4, 0);
                target(probes, MARK + 1, REAL6, 0);
                target(probes, MARK + 2, REAL4, REAL_GUE);
                target(probes, MARK + 3, REAL6, REAL_GUE);
                BpfMap.unpin(pin);
                program.pin(pin);
            }
        }
        String tc = "tc -n " + namespaces.name("director");
        Machine.run((tc + " qdisc add dev eth0 clsact").split(" ", -1));
        Machine.run((tc + " filter add dev eth0 egress bpf da object-pinned " + pin).split(" ", -1));
    }

    private static void target(BpfMap probes, int mark, String real, int flags) {
        ByteBuffer key = ByteBuffer.allocate(4).order(ByteOrder.nativeOrder()).putInt(0, mark);
        ByteBuffer value = ByteBuffer.allocate(TARGET_SIZE).order(ByteOrder.nativeOrder());
        value.put(mapped(real)).put(mapped(DIRECTOR4)).put(mapped(DIRECTOR6));
        probes.update(key, value.putInt(flags).putInt(0).flip(), UpdateMode.ANY);
    }

    private static byte[] mapped(String literal) {
        byte[] address = ip(literal).getAddress();
        if (address.length == 16) {
            return address;
        }
        byte[] mapped = new byte[16];
        mapped[10] = (byte) 0xff;
        mapped[11] = (byte) 0xff;
        System.arraycopy(address, 0, mapped, 12, 4);
        return mapped;
    }

    private static void serve(ServerSocket listener) {
        while (!listener.isClosed()) {
            try (Socket socket = listener.accept()) {
                socket.setSoTimeout(5000);
                socket.getOutputStream().write(socket.getInputStream().readAllBytes());
            } catch (IOException e) {
                // The listener was closed, or this client went away.
            }
        }
    }

    Namespaces namespaces() {
        return namespaces;
    }

    Path pinDirectory() {
        return pins.path("real");
    }

    /** Through IP-in-IP and GUE over both families: by how many of these the VIP's server answered. */
    int tunnelsTo(String vip, int seconds) throws Exception {
        int answered = 0;
        for (int mark = MARK; mark < MARK + 4; mark++) {
            answered += answers(vip, mark, seconds) ? 1 : 0;
        }
        return answered;
    }

    /** Whether the VIP's server answers the director's bare packets. */
    boolean answersBare(String vip, int seconds) throws Exception {
        return answers(vip, 0, seconds);
    }

    private boolean answers(String vip, int mark, int seconds) throws Exception {
        byte[] request = new byte[BULK];
        for (int i = 0; i < request.length; i++) {
            request[i] = (byte) (i * 31 + i / 251);
        }
        InetAddress address = ip(vip);
        Optional<byte[]> reply = ThreadContext.inNamespace(
                namespaces.name("director"), () -> MarkedConnection.exchange(address, PORT, mark, request, seconds));
        return reply.isPresent() && Arrays.equals(request, reply.get());
    }

    @Override
    public void close() {
        listener.ifPresent(socket -> {
            try {
                socket.close();
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        });
        namespaces.close();
        pins.close();
    }
}
