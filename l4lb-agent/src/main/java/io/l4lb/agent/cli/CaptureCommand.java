// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.l4lb.agent.control.CaptureRequest;
import io.l4lb.agent.control.Json;
import io.l4lb.agent.file.FileProblem;
import io.l4lb.agent.status.CaptureEndView;
import io.l4lb.agent.status.CapturedView;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
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
                    + " they leave, encapsulated. Until Ctrl-C or SIGTERM, unless told otherwise. With dataplane = \"ipvs\""
                    + " it is refused: there tcpdump shows all.",
            "",
            "Without -w each copy is a line: its time, where it came in, before or after the program's work, what was"
                    + " done and why, and its addresses. With -w it is a file for tcpdump and Wireshark; - is standard"
                    + " output, as in l4lb capture -w - | tcpdump -nr -",
            "",
            "A packet is a frame before and a frame after, or one of them as --stage says; with --verdict both come when"
                    + " the verdict is known. At the end standard error says how many there were; nothing if it ends with the"
                    + " next frame because nobody reads standard output any more.",
            "",
            "Packets are chosen first, one of --every, then those that fit. Copying costs time: on a busy director take"
                    + " one of thousands. Of long frames the first 2048 bytes are copied. There is one capture at a time."
        })
final class CaptureCommand extends ClientCommand {
    private static final String STANDARD_OUTPUT = "-";
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    @Mixin
    private TrafficOptions traffic = new TrafficOptions();

    @Option(names = "-w", paramLabel = "FILE", description = "Write the frames there, in pcap format.")
    private @Nullable String file;

    @Option(
            names = "--count",
            paramLabel = "N",
            defaultValue = "0",
            description = "End after so many packets; 0: go on. Default: ${DEFAULT-VALUE}.")
    private long count;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            defaultValue = "0",
            description = "End after so long; 0: go on. Default: ${DEFAULT-VALUE}.")
    private long seconds;

    @Option(
            names = "--verdict",
            paramLabel = "NAME",
            description = "Only packets with which this was done, as l4lb stats names it: drop-malformed. May be given"
                    + " several times.")
    private List<String> verdicts = List.of();

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

    private long packets;
    private long frames;
    private long lost;
    private boolean began;
    private @Nullable PcapFile pcap;

    CaptureCommand(Program program) {
        super(program);
    }

    @Override
    public Integer call() throws IOException {
        CaptureRequest request =
                understood(() -> new CaptureRequest(traffic.selection(), verdicts, stage, every, count, seconds));
        CompletableFuture<Void> stop = foreground().interrupt().get();
        try {
            rows("/v1/capture", request, stop, this::take);
        } catch (IOException e) {
            if (!foreground().out().nobodyReads()) {
                tell("cannot write " + (STANDARD_OUTPUT.equals(file) ? "standard output" : file) + ": "
                        + FileProblem.words(e));
            }
            return ExitCode.REFUSED.code();
        } finally {
            close();
            summarize();
        }
        return ExitCode.OK.code();
    }

    /** Whatever has ended it; but of a reader that has gone one does not speak, as others do not. */
    private void summarize() {
        if (began && !foreground().out().nobodyReads()) {
            tell(counted(packets, "packet") + ", " + counted(frames, "frame") + ", " + lost + " lost");
        }
    }

    private static String counted(long number, String what) {
        return number + " " + what + (number == 1 ? "" : "s");
    }

    /** The agent's first row says that it copies: only then is there a file. */
    private boolean take(JsonNode row) throws IOException {
        began = true;
        if (pcap == null && file != null) {
            pcap = file.equals(STANDARD_OUTPUT) ? new PcapFile(foreground().out()) : PcapFile.create(Path.of(file));
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
        frames++;
        if (copy.stage().equals("after") || stage.equals("before")) {
            packets++;
        }
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
}
