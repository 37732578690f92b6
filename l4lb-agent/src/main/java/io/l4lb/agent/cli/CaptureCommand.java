// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.l4lb.agent.control.CaptureRequest;
import io.l4lb.agent.control.Json;
import io.l4lb.agent.status.CaptureEndView;
import io.l4lb.agent.status.CapturedView;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code l4lb capture}. */
@Command(
        name = "capture",
        description = {
            "Copy packets as the XDP program sees them, which tcpdump on the director does not: as they come in, and as"
                    + " they leave, encapsulated. Until Ctrl-C, unless told otherwise.",
            "",
            "Without -w each copy is a line: its time, where it came in, before or after the program's work, what was"
                    + " done and why, and its addresses. With -w it is a file for tcpdump and Wireshark; - is standard"
                    + " output, as in l4lb capture -w - | tcpdump -nr -",
            "",
            "Packets are chosen first, one of --every, then those that fit. Copying costs time: on a busy director take"
                    + " one of thousands. Of long frames the first 2048 bytes are copied."
        })
final class CaptureCommand extends ClientCommand {
    private static final String STANDARD_OUTPUT = "-";
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    @Mixin
    private TrafficOptions traffic = new TrafficOptions();

    @Option(names = "-w", paramLabel = "FILE", description = "Write the packets there, in pcap format.")
    private @Nullable String file;

    @Option(names = "--count", paramLabel = "N", description = "End after so many packets.")
    private long count;

    @Option(names = "--seconds", paramLabel = "S", description = "End after so long.")
    private long seconds;

    @Option(
            names = "--every",
            paramLabel = "N",
            defaultValue = "1",
            description = "One packet of so many. Default: ${DEFAULT-VALUE}.")
    private int every;

    @Option(
            names = "--stage",
            paramLabel = "STAGE",
            defaultValue = "both",
            description = "before, after or both. Default: ${DEFAULT-VALUE}.")
    private String stage = "both";

    private long copies;
    private long lost;
    private @Nullable PcapFile pcap;

    CaptureCommand(Program program) {
        super(program);
    }

    @Override
    public Integer call() throws IOException {
        CaptureRequest request =
                understood(() -> new CaptureRequest(traffic.selection(), stage, every, count, seconds));
        CompletableFuture<Void> stop = foreground().interrupt().get();
        Optional<String> failure = Optional.empty();
        try {
            rows("/v1/capture", request, stop, this::take);
        } catch (IOException e) {
            failure = Optional.of(
                    "cannot write " + (STANDARD_OUTPUT.equals(file) ? "standard output" : file) + ": " + reason(e));
        } finally {
            close();
        }
        failure.ifPresent(this::tell);
        tell(copies + (copies == 1 ? " frame" : " frames") + " copied, " + lost + " lost");
        return (failure.isEmpty() ? ExitCode.OK : ExitCode.REFUSED).code();
    }

    /** The agent's first row says that it copies: only then is there a file. */
    private boolean take(JsonNode row) throws IOException {
        if (pcap == null && file != null) {
            pcap = new PcapFile(
                    file.equals(STANDARD_OUTPUT) ? foreground().out() : Files.newOutputStream(Path.of(file)));
        }
        if (row.has("end")) {
            lost = read(row, CaptureEndView.class).end().lost();
            return true;
        }
        CapturedView copy = read(row, CapturedView.class);
        PcapFile target = pcap;
        if (target != null) {
            target.add(copy.time(), copy.length(), copy.bytes());
        } else if (OutputOption.format(spec()) == OutputOption.Format.JSON) {
            out().println(new String(Json.bytes(row), StandardCharsets.UTF_8));
        } else {
            out().println(Table.printable(line(copy)));
        }
        copies++;
        return target != null || !out().checkError();
    }

    private void close() throws IOException {
        PcapFile target = pcap;
        if (target != null) {
            target.close();
        }
    }

    private static String line(CapturedView copy) {
        String time = TIME.format(Instant.EPOCH.plus(copy.time(), ChronoUnit.MICROS));
        String verdict = copy.verdict().isEmpty() ? "" : " " + copy.verdict() + " (" + copy.reason() + ")";
        return time + " " + copy.interfaceName() + " " + copy.stage() + verdict + ": " + new PacketText(copy.bytes())
                + ", " + copy.length() + " bytes";
    }

    /** The JDK says of some failures nothing but the name of the file. */
    private static String reason(IOException failure) {
        return switch (failure.getClass().getSimpleName()) {
            case "NoSuchFileException" -> "no such directory";
            case "AccessDeniedException" -> "permission denied";
            default -> String.valueOf(failure.getMessage());
        };
    }
}
