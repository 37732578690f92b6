// SPDX-License-Identifier: Apache-2.0
package io.l4lb.bgp.exabgp;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.l4lb.bgp.BgpException;
import io.l4lb.bgp.IpLiteral;
import io.l4lb.bgp.Prefix;
import io.l4lb.bgp.Route;
import java.net.InetAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the lines that arrive from the bridge: its hello, ExaBGP's JSON events, acknowledgements, and the listing of
 * "show adj-rib out extensive". Everything that it does not know is skipped.
 */
final class ExaBgpLines {
    private static final Pattern LISTED = Pattern.compile(
            "neighbor (\\S+) .*\\bipv[46] unicast (\\S+/[0-9]+) (next-hop \\S+(?: med ([0-9]{1,10}))?.*)");

    /** ExaBGP does not escape everything in the reason of a "down". */
    private final JsonMapper json = JsonMapper.builder()
            .enable(
                    JsonReadFeature.ALLOW_UNESCAPED_CONTROL_CHARS,
                    JsonReadFeature.ALLOW_BACKSLASH_ESCAPING_ANY_CHARACTER)
            .build();

    private final LineHandler handler;

    ExaBgpLines(LineHandler handler) {
        this.handler = handler;
    }

    /** One line without its line feed; throws BgpException for one that cannot be understood. */
    void read(String line) {
        try {
            if (line.equals("done") || line.equals("error")) {
                handler.acknowledged(line.equals("done"));
            } else if (line.startsWith("{")) {
                readEvent(json.readTree(line));
            } else if (line.startsWith("neighbor ")) {
                readListed(line);
            }
        } catch (JacksonException | IllegalArgumentException e) {
            throw new BgpException("reading from ExaBGP: " + line, e);
        }
    }

    private void readEvent(JsonNode event) {
        switch (event.path("type").asText()) {
            case "bridge" -> readHello(event);
            case "state" -> readState(event.path("neighbor"));
            case "update" -> readUpdate(event.path("neighbor"));
            default -> {}
        }
    }

    private void readHello(JsonNode event) {
        JsonNode quiet = event.path("quiet");
        handler.hello(new Hello(
                event.path("protocol").asInt(),
                ProcessIdentity.parse(event.path("epoch").asText()),
                event.path("commands").asLong(),
                quiet.isNumber() ? quiet.asLong() : Long.MAX_VALUE));
    }

    private void readState(JsonNode neighbor) {
        switch (neighbor.path("state").asText()) {
            case "up" -> handler.up(peer(neighbor));
            case "down" -> handler.down(peer(neighbor), neighbor.path("reason").asText());
            default -> {}
        }
    }

    private void readUpdate(JsonNode neighbor) {
        if (!neighbor.path("direction").asText().equals("send")) {
            return;
        }
        InetAddress peer = peer(neighbor);
        JsonNode message = neighbor.path("message");
        if (message.has("eor")) {
            handler.sentEndOfRib(peer);
        }
        JsonNode update = message.path("update");
        JsonNode med = update.path("attribute").path("med");
        for (JsonNode family : update.path("announce")) {
            for (JsonNode nextHop : family) {
                for (JsonNode route : nextHop) {
                    handler.sent(peer, new Route(prefix(route), med.isNumber() ? (Long) med.asLong() : null));
                }
            }
        }
        for (JsonNode family : update.path("withdraw")) {
            for (JsonNode route : family) {
                handler.sentWithdraw(peer, prefix(route));
            }
        }
    }

    private void readListed(String line) {
        Matcher matcher = LISTED.matcher(line);
        if (matcher.matches()) {
            String med = matcher.group(4);
            Route route = new Route(Prefix.parse(matcher.group(2)), med == null ? null : (Long) Long.parseLong(med));
            handler.listed(
                    IpLiteral.parse(matcher.group(1)), route, matcher.group(3).strip());
        }
    }

    private static InetAddress peer(JsonNode neighbor) {
        return IpLiteral.parse(neighbor.path("address").path("peer").asText());
    }

    private static Prefix prefix(JsonNode route) {
        return Prefix.parse(route.path("nlri").asText());
    }
}
