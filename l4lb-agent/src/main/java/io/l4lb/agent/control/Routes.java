// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.control;

import io.l4lb.agent.status.ExplainView;
import io.l4lb.agent.status.ServiceView;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Stream;

/** What the server answers, by method and path. */
final class Routes {
    /** Stands for any one segment of a path. */
    private static final String ANY = "{}";

    private final ControlApi api;
    private final Limits limits;
    private final List<Route> routes;

    Routes(ControlApi api, Limits limits) {
        this.api = api;
        this.limits = limits;
        this.routes = List.of(
                route("GET", "/v1/status", (path, body) -> now(api.status())),
                route("GET", "/v1/services", (path, body) -> now(api.status().services())),
                route("GET", "/v1/services/" + ANY, (path, body) -> service(path.get(path.size() - 1))),
                route(
                        "GET",
                        "/v1/reals",
                        (path, body) -> now(api.status().services().stream()
                                .flatMap(service -> service.reals().stream())
                                .toList())),
                route("GET", "/v1/ipvsadm", (path, body) -> api.ipvsadm().thenApply(Reply::ok)),
                route("POST", "/v1/config/diff", (path, body) -> api.diff().thenApply(Reply::ok)),
                route("POST", "/v1/reload", (path, body) -> api.reload().thenApply(Reply::ok)),
                route(
                        "POST",
                        "/v1/health/accept",
                        (path, body) -> asked(body, HealthAcceptRequest::parse, api::acceptHealth)),
                route("POST", "/v1/health", (path, body) -> asked(body, HealthRequest::parse, api::health)),
                route("POST", "/v1/health/probe", (path, body) -> asked(body, HealthRequest::parse, api::probe)),
                route("POST", "/v1/explain", (path, body) -> asked(body, ExplainRequest::parse, this::explain)),
                route(
                        "POST",
                        "/v1/explain/frame",
                        (path, body) -> asked(body, ExplainFrameRequest::parse, packet -> api.explain(packet.bytes()))),
                route("GET", "/v1/stats", (path, body) -> api.stats().thenApply(Reply::ok)),
                route("POST", "/v1/flows", (path, body) -> asked(body, FlowsRequest::parse, api::flows)),
                route("POST", "/v1/flows/count", (path, body) -> asked(body, FlowsRequest::parse, api::countFlows)),
                route("POST", "/v1/capture", (path, body) -> asked(body, CaptureRequest::parse, api::capture)));
    }

    /**
     * The answer to one request; never fails.
     *
     * @param target path and query, as in the request line
     */
    CompletableFuture<Reply> handle(String method, String target, String body) {
        try {
            List<String> path = segments(target);
            List<Route> here =
                    routes.stream().filter(route -> route.matches(path)).toList();
            if (here.isEmpty()) {
                return CompletableFuture.completedFuture(Reply.error(404, "no such path"));
            }
            Optional<Route> route =
                    here.stream().filter(r -> r.method.equals(method)).findFirst();
            if (route.isEmpty()) {
                return CompletableFuture.completedFuture(Reply.wrongMethod(here.get(0).method));
            }
            return route.get()
                    .handler
                    .handle(path, body)
                    .copy()
                    .orTimeout(limits.answer().toMillis(), TimeUnit.MILLISECONDS)
                    .exceptionally(this::failure);
        } catch (RuntimeException e) {
            return CompletableFuture.completedFuture(failure(e));
        }
    }

    private CompletableFuture<Reply> service(String name) {
        Optional<ServiceView> found = api.status().services().stream()
                .filter(service -> service.name().equals(name))
                .findFirst();
        return CompletableFuture.completedFuture(
                found.map(Reply::ok).orElseGet(() -> Reply.error(404, "no service is named \"" + name + "\"")));
    }

    private CompletableFuture<ExplainView> explain(ExplainRequest packet) {
        return api.explain(packet.sourceAddress(), packet.destinationAddress(), packet.protocolNumber(), packet.syn());
    }

    /** The answer to a request whose body has to be understood first. */
    private static <Q, A> CompletableFuture<Reply> asked(
            String body, Function<String, Q> parser, Function<Q, CompletableFuture<A>> api) {
        Q request;
        try {
            request = parser.apply(body);
        } catch (IllegalArgumentException e) {
            return CompletableFuture.completedFuture(Reply.error(400, message(e)));
        }
        return api.apply(request).thenApply(Reply::ok);
    }

    private Reply failure(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof ControlException refused && refused.kind() == ControlException.Kind.REFUSED) {
            return Reply.error(409, message(cause));
        }
        if (cause instanceof TimeoutException) {
            return Reply.error(
                    504, "the agent is still at work after " + limits.answer().toSeconds() + " s; see its log");
        }
        return Reply.error(500, message(cause));
    }

    private static String message(Throwable failure) {
        String message = failure.getMessage();
        return message == null ? "a mistake in l4lb, " + failure : message;
    }

    private static CompletableFuture<Reply> now(Object body) {
        return CompletableFuture.completedFuture(Reply.ok(body));
    }

    /** The path's segments, decoded one by one so that an encoded slash stays within its own; none if it is malformed. */
    private static List<String> segments(String target) {
        String path = new QueryStringDecoder(target).rawPath();
        try {
            return Stream.of(path.split("/", -1))
                    .skip(1)
                    .map(QueryStringDecoder::decodeComponent)
                    .toList();
        } catch (IllegalArgumentException e) {
            return List.of();
        }
    }

    private static Route route(String method, String path, Handler handler) {
        return new Route(method, segments(path), handler);
    }

    private interface Handler {
        CompletableFuture<Reply> handle(List<String> path, String body);
    }

    private record Route(String method, List<String> pattern, Handler handler) {
        boolean matches(List<String> path) {
            if (path.size() != pattern.size()) {
                return false;
            }
            for (int i = 0; i < path.size(); i++) {
                if (!pattern.get(i).equals(ANY) && !pattern.get(i).equals(path.get(i))) {
                    return false;
                }
            }
            return true;
        }
    }
}
