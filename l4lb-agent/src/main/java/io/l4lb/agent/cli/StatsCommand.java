// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.l4lb.agent.status.StatsView;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** {@code l4lb stats}. */
@Command(
        name = "stats",
        description = {
            "Show what the dataplane has counted: packets by what was done with them and why, by service and real, and"
                    + " what is not forwarded by service and reason; events; how full the flow table is.",
            "",
            "What was never counted is left out, unless wide output is asked for. Bytes are those of the frames that came"
                    + " in, without any tunnel header."
        })
final class StatsCommand extends ClientCommand {
    private static final String EVERY_SECOND = "1";

    @Option(
            names = "--watch",
            paramLabel = "SECONDS",
            arity = "0..1",
            fallbackValue = EVERY_SECOND,
            description = "Go on, with what was counted a second since the time before. Default: " + EVERY_SECOND + ".")
    private @Nullable Integer watch;

    @Option(names = "--count", paramLabel = "N", description = "With --watch: end after so many times.")
    private @Nullable Integer count;

    StatsCommand(Program program) {
        super(program);
    }

    @Override
    public Integer call() {
        if (watch == null && count != null) {
            throw wrong("--count is of --watch");
        }
        if ((watch != null && watch < 1) || (count != null && count < 1)) {
            throw wrong("--watch and --count take a number above 0");
        }
        if (watch == null) {
            print(get(), null);
        } else {
            watch(Duration.ofSeconds(watch));
        }
        return ExitCode.OK.code();
    }

    private void watch(Duration interval) {
        CompletableFuture<Void> stop = foreground().interrupt().get();
        StatsView before = null;
        int times = 0;
        do {
            if (times > 0 && OutputOption.format(spec()) != OutputOption.Format.JSON) {
                out().println();
            }
            before = print(get(), before);
            times++;
        } while (!out().checkError() && (count == null || times < count) && !Foreground.pause(stop, interval));
    }

    private JsonNode get() {
        return get("/v1/stats", LONG_DEADLINE);
    }

    private StatsView print(JsonNode answer, @Nullable StatsView before) {
        StatsView now = read(answer, StatsView.class);
        if (!printedAsJson(answer)) {
            boolean wide = OutputOption.format(spec()) == OutputOption.Format.WIDE;
            new StatsTables(now, before, wide).print(watch != null, out());
        }
        return now;
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec().commandLine(), message);
    }
}
