// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.l4lb.agent.control.ControlClient;
import io.l4lb.agent.control.Json;
import io.l4lb.agent.control.RowReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that asks the running agent and prints its answer. */
abstract class ClientCommand implements Callable<Integer> {
    /** For what the agent answers from memory. */
    private static final Duration DEADLINE = Duration.ofSeconds(5);

    /** For what takes the agent time: a little more than it gives itself, so that its word about a time-out is heard. */
    static final Duration LONG_DEADLINE = Duration.ofSeconds(65);

    private final Program program;

    @Spec
    private @Nullable CommandSpec spec;

    ClientCommand(Program program) {
        this.program = program;
    }

    final JsonNode get(String path) {
        return ask(client -> client.get(path, DEADLINE));
    }

    final JsonNode get(String path, Duration deadline) {
        return ask(client -> client.get(path, deadline));
    }

    final JsonNode post(String path, Object body, Duration deadline) {
        return ask(client -> client.post(path, body, deadline));
    }

    /** Hands over the rows of an answer until there are no more, the reader has enough, or it is told to stop. */
    final void rows(String path, Object body, CompletableFuture<Void> stop, RowReader reader) throws IOException {
        try (ControlClient client = new ControlClient(SocketOption.path(spec(), program.environment()))) {
            client.rows(path, body, stop, reader);
        }
    }

    /** The record that an answer holds. */
    final <T> T read(JsonNode answer, Class<T> type) {
        try {
            return Json.read(answer, type);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the agent's answer is not understood: is it of another version?", e);
        }
    }

    /** Prints {@code json} if that is wanted; otherwise nothing, and {@code false}. */
    final boolean printedAsJson(JsonNode json) {
        if (OutputOption.format(spec()) != OutputOption.Format.JSON) {
            return false;
        }
        out().println(Json.pretty(json));
        return true;
    }

    final PrintWriter out() {
        return spec().commandLine().getOut();
    }

    /** Says something that is no result. */
    final void tell(String message) {
        PrintWriter err = spec().commandLine().getErr();
        err.println(Table.printable(spec().qualifiedName() + ": " + message));
        err.flush();
    }

    final Foreground foreground() {
        return program.foreground();
    }

    /** A request that cannot be meant. */
    final <T> T understood(Supplier<T> request) {
        try {
            return request.get();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec().commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    final Since since() {
        return new Since(program.clock());
    }

    final CommandSpec spec() {
        return Objects.requireNonNull(spec);
    }

    /** One segment of a request's path. */
    static String segment(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private JsonNode ask(Function<ControlClient, JsonNode> request) {
        try (ControlClient client = new ControlClient(SocketOption.path(spec(), program.environment()))) {
            return request.apply(client);
        }
    }
}
