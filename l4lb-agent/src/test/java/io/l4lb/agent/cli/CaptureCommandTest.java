// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.l4lb.agent.cli.CommandLineFixture.Outcome;
import io.l4lb.agent.control.CaptureRequest;
import io.l4lb.agent.control.Json;
import io.l4lb.agent.control.Samples;
import io.l4lb.agent.control.Selection;
import io.l4lb.agent.status.CaptureEndView;
import io.l4lb.agent.status.CapturedView;
import io.l4lb.test.Frame;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code capture} prints and writes. */
class CaptureCommandTest {
    /** Written down by hand from draft-ietf-opsawg-pcap: the header, then a record of three bytes of nine. */
    private static final String FILE = "d4c3b2a1" + "0200" + "0400" + "00000000" + "00000000" + "00080000" + "01000000"
            + "35edae69" + "ab890600" + "03000000" + "09000000" + "010203";

    private static final long TIME = 0x69aeed35L * 1_000_000 + 0x689ab;
    private static final byte[] PACKET =
            Frame.tcp("10.1.0.2", 1234, "192.0.2.10", 80).flags(Frame.SYN).bytes();

    @TempDir
    private Path directory;

    private CommandLineFixture fixture;

    @BeforeEach
    void start() {
        fixture = new CommandLineFixture(directory);
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    private static CapturedView copy(String stage, String verdict, byte[] frame, int length) {
        String reason = verdict.isEmpty() ? "" : "the flow table remembers this flow";
        return new CapturedView(
                TIME, "00000000000000ff", stage, verdict, reason, "eth0", length, CapturedView.text(frame));
    }

    private static CaptureEndView end(long copies, long lost, boolean last) {
        return new CaptureEndView(new CaptureEndView.End(copies, lost, last));
    }

    private void sends(CapturedView... copies) {
        fixture.api.sends(sink -> {
            sink.put(end(0, 0, false));
            for (CapturedView copy : copies) {
                sink.put(copy);
            }
            sink.put(end(copies.length, 3, true));
            sink.end();
        });
    }

    @Test
    void linesWithoutAFile() {
        sends(copy("before", "", PACKET, PACKET.length), copy("after", "forward-flow", PACKET, PACKET.length));
        Outcome outcome = fixture.run("capture");
        assertEquals("""
                2026-03-09T15:54:29.428459Z eth0 before: 10.1.0.2:1234 > 192.0.2.10:80 tcp syn, 54 bytes
                2026-03-09T15:54:29.428459Z eth0 after forward-flow (the flow table remembers this flow):\
                 10.1.0.2:1234 > 192.0.2.10:80 tcp syn, 54 bytes
                """, outcome.out());
        assertEquals("l4lb capture: 1 packet, 2 frames, 3 lost\n", outcome.err());
        assertEquals(0, outcome.code());
        assertEquals(List.of(new CaptureRequest(Selection.ALL, List.of(), "both", 1, 0, 0)), fixture.api.asked());
    }

    @Test
    void jsonHasALineForEachCopy() throws JsonProcessingException {
        CapturedView copy = copy("before", "", PACKET, PACKET.length);
        sends(copy, copy);
        List<String> lines = fixture.run("capture", "-o", "json").out().lines().toList();
        assertEquals(2, lines.size());
        assertEquals(Samples.tree(copy), Json.parse(lines.get(1)));
    }

    @Test
    void aFileForWireshark() throws IOException {
        sends(copy("before", "", new byte[] {1, 2, 3}, 9));
        Path file = directory.resolve("a.pcap");
        Outcome outcome = fixture.run("capture", "-w", file.toString());
        assertEquals("", outcome.out());
        assertEquals("l4lb capture: 0 packets, 1 frame, 3 lost\n", outcome.err());
        assertEquals(FILE, HexFormat.of().formatHex(Files.readAllBytes(file)));
    }

    @Test
    void standardOutputMayBeTheFile() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        fixture.bytes = bytes;
        sends(copy("before", "", new byte[] {1, 2, 3}, 9));
        Outcome outcome = fixture.run("capture", "-w", "-");
        assertEquals(0, outcome.code());
        assertEquals(FILE, HexFormat.of().formatHex(bytes.toByteArray()));
    }

    @Test
    void aFileWithoutPacketsIsAFile() throws IOException {
        sends();
        Path file = directory.resolve("a.pcap");
        assertEquals(0, fixture.run("capture", "-w", file.toString()).code());
        assertEquals(24, Files.size(file));
    }

    @Test
    void whatIsAskedFor() {
        sends();
        assertEquals(
                0,
                fixture.run(
                                "capture",
                                "--service",
                                "web",
                                "--vip",
                                "192.0.2.10",
                                "--source",
                                "10.0.0.0/8",
                                "--stage",
                                "after",
                                "--every",
                                "1000",
                                "--count",
                                "7",
                                "--seconds",
                                "60")
                        .code());
        assertEquals(
                List.of(new CaptureRequest(
                        new Selection("web", "192.0.2.10", "10.0.0.0/8"), List.of(), "after", 1000, 7, 60)),
                fixture.api.asked());
    }

    @ParameterizedTest
    @ValueSource(strings = {"--stage=x", "--every=0", "--count=-1", "--seconds=-1", "--vip=x", "--every=x"})
    void whatCannotBeMeant(String option) {
        assertEquals(2, fixture.run("capture", option).code());
    }

    @Test
    void ctrlCLeavesAWholeFile() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream() {
            @Override
            public void flush() {
                if (size() > 24) {
                    fixture.interrupt.complete(null);
                }
            }
        };
        fixture.bytes = bytes;
        fixture.api.sends(sink -> {
            sink.put(end(0, 0, false));
            sink.put(end(0, 2, false));
            sink.put(copy("before", "", new byte[] {1, 2, 3}, 9));
            sink.flush();
        });
        Outcome outcome = fixture.run("capture", "-w", "-");
        assertEquals(0, outcome.code());
        assertEquals(FILE, HexFormat.of().formatHex(bytes.toByteArray()));
        assertEquals("l4lb capture: 0 packets, 1 frame, 2 lost\n", outcome.err());
    }

    @Test
    void aFileThatCannotBeWritten() {
        sends(copy("before", "", PACKET, PACKET.length));
        Path file = directory.resolve("missing").resolve("a.pcap");
        Outcome outcome = fixture.run("capture", "-w", file.toString());
        assertEquals(1, outcome.code());
        assertTrue(
                outcome.err().startsWith("l4lb capture: cannot write " + file + ": no such file or directory\n"),
                outcome.err());
        Outcome onDirectory = fixture.run("capture", "-w", directory.toString());
        assertTrue(onDirectory.err().contains("Is a directory"), onDirectory.err());
    }

    @Test
    void aFullDisk() {
        fixture.bytes = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("No space left on device");
            }
        };
        sends(copy("before", "", PACKET, PACKET.length));
        Outcome outcome = fixture.run("capture", "-w", "-");
        assertEquals(1, outcome.code());
        assertEquals("""
                l4lb capture: cannot write standard output: No space left on device
                l4lb capture: 0 packets, 0 frames, 0 lost
                """, outcome.err());
    }

    @Test
    void aReaderWhoHasGoneIsNoError() {
        fixture.pipe = true;
        fixture.bytes = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("Broken pipe");
            }
        };
        sends(copy("before", "", PACKET, PACKET.length));
        assertEquals(new Outcome(141, "", ""), fixture.run("capture", "-w", "-"));
    }

    @Test
    void aFullDeviceIsSaid() {
        sends(copy("before", "", PACKET, PACKET.length));
        Outcome outcome = fixture.run("capture", "-w", "/dev/full");
        assertEquals(1, outcome.code());
        assertTrue(outcome.err().startsWith("l4lb capture: cannot write /dev/full: No space left"), outcome.err());
    }

    @Test
    void aDiskThatGetsFullLeavesAWholeFile() throws IOException {
        Path path = directory.resolve("a.pcap");
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            OutputStream roomFor50Bytes = new OutputStream() {
                @Override
                public void write(int octet) throws IOException {
                    if (channel.position() == 50) {
                        throw new IOException("No space left on device");
                    }
                    channel.write(ByteBuffer.wrap(new byte[] {(byte) octet}));
                }
            };
            PcapFile pcap = new PcapFile(roomFor50Bytes, Optional.of(channel));
            pcap.add(TIME, 9, new byte[] {1, 2, 3});
            assertThrows(IOException.class, () -> pcap.add(TIME, 9, new byte[] {1, 2, 3}));
        }
        assertEquals(FILE, HexFormat.of().formatHex(Files.readAllBytes(path)));
    }

    @Test
    void anAgentThatDiesLeavesAWholeFileAndASummary() throws IOException {
        fixture.api.sends(sink -> {
            sink.put(end(0, 0, false));
            sink.put(copy("before", "", new byte[] {1, 2, 3}, 9));
            sink.fail("the agent is stopping");
        });
        Path file = directory.resolve("a.pcap");
        Outcome outcome = fixture.run("capture", "-w", file.toString());
        assertEquals(1, outcome.code());
        assertEquals("""
                l4lb capture: 0 packets, 1 frame, 0 lost
                l4lb capture: the agent is stopping
                """, outcome.err());
        assertEquals(FILE, HexFormat.of().formatHex(Files.readAllBytes(file)));
    }

    @Test
    void packetsOfOneStageAreItsFrames() {
        sends(copy("before", "", PACKET, PACKET.length), copy("before", "", PACKET, PACKET.length));
        assertEquals(
                "l4lb capture: 2 packets, 2 frames, 3 lost\n",
                fixture.run("capture", "--stage", "before").err());
    }

    @Test
    void verdictsAreAskedFor() {
        sends();
        assertEquals(
                0,
                fixture.run("capture", "--verdict", "drop-ttl", "--verdict", "drop-malformed")
                        .code());
        assertEquals(
                List.of(new CaptureRequest(Selection.ALL, List.of("drop-ttl", "drop-malformed"), "both", 1, 0, 0)),
                fixture.api.asked());
    }

    @Test
    void aRefusalLeavesNoFile() {
        fixture.api.sends(sink -> sink.fail("another capture is running; there is one at a time"));
        Path file = directory.resolve("a.pcap");
        Outcome outcome = fixture.run("capture", "-w", file.toString());
        assertEquals("l4lb capture: another capture is running; there is one at a time\n", outcome.err());
        assertEquals(1, outcome.code());
        assertFalse(Files.exists(file));
    }

    @Test
    void tunnelsAreLookedInto() {
        byte[] gue = HexFormat.of()
                .parseHex("02000000000a02000000000b0800" + "4500003000004000401100000a0000020a000101"
                        + "c00017c0001c0000" + "4500001400004000400600000a010002c000020a");
        assertEquals("10.0.0.2:49152 > 10.0.1.1:6080 gue | 10.1.0.2 > 192.0.2.10 tcp", new PacketText(gue).toString());
        byte[] ipip = gue.clone();
        ipip[23] = 4;
        assertEquals("10.0.0.2 > 10.0.1.1 protocol 4", new PacketText(ipip).toString());
        assertEquals("no whole Ethernet header", new PacketText(new byte[13]).toString());
        assertEquals("ethertype 0x0000", new PacketText(new byte[60]).toString());
        assertArrayEquals(new byte[] {1}, copy("before", "", new byte[] {1}, 1).bytes());
    }
}
