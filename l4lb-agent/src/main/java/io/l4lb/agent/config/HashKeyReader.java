// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import io.l4lb.agent.model.Protocol;
import io.l4lb.hashing.HashKey;
import io.l4lb.hashing.quic.ConnectionIdLayout;
import io.l4lb.hashing.quic.ServerId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads what decides a packet's real: a service's {@code hash-key}, its {@code [services.quic]} table, and the
 * {@code server-id} of its reals.
 *
 * @param hashKey absent if it is wrong, and then what depends on it is read as if it were right
 * @param layout absent if there is none to be, or it is wrong
 * @param seen where each server ID stands first
 */
record HashKeyReader(
        Optional<HashKey> hashKey, Optional<ConnectionIdLayout> layout, Map<ServerId, Located<ServerId>> seen) {
    private static final Choice<HashKey> HASH_KEYS = Choice.of(HashKey.values(), HashKey::key);
    private static final int SHORTEST = 1 + 1 + ConnectionIdLayout.MIN_NONCE_LENGTH;
    private static final String ONLY_QUIC = "is only for hash-key \"" + HashKey.QUIC_CID.key() + "\"";

    static HashKeyReader read(Table service, Optional<Protocol> protocol) {
        Optional<HashKey> hashKey = service.has("hash-key")
                ? service.value("hash-key", "a string", HASH_KEYS::parse)
                : Optional.of(HashKey.FIVE_TUPLE);
        boolean described = service.has("quic");
        boolean quic = hashKey.equals(Optional.of(HashKey.QUIC_CID));
        if (quic && protocol.filter(other -> other != Protocol.UDP).isPresent()) {
            service.problem("hash-key", Shown.quoted(HashKey.QUIC_CID.key()) + " is only for protocol \"udp\"");
        }
        if (hashKey.isPresent() && !quic && described) {
            service.problem("quic", ONLY_QUIC);
        } else if (quic && !described) {
            service.problem("quic", "is missing: where connection IDs have the server ID");
        }
        boolean read = described && (quic || hashKey.isEmpty());
        Optional<ConnectionIdLayout> layout =
                read ? service.table("quic").flatMap(HashKeyReader::layout) : Optional.empty();
        return new HashKeyReader(hashKey, layout, new HashMap<>());
    }

    private static Optional<ConnectionIdLayout> layout(Table quic) {
        quic.require("cid-length", "server-id-length", "rotation");
        Optional<Integer> length = quic.number("cid-length", SHORTEST, ConnectionIdLayout.MAX_LENGTH);
        Optional<Integer> serverIdLength = quic.number("server-id-length", 1, ServerId.MAX_BYTES);
        Optional<Integer> rotation = quic.number("rotation", 0, ConnectionIdLayout.UNROUTABLE - 1);
        quic.finish();
        if (length.isEmpty() || serverIdLength.isEmpty() || rotation.isEmpty()) {
            return Optional.empty();
        }
        int shortest = 1 + serverIdLength.get() + ConnectionIdLayout.MIN_NONCE_LENGTH;
        if (length.get() < shortest) {
            quic.problem(
                    "cid-length",
                    length.get() + " is too short: one octet, a server ID of " + serverIdLength.get()
                            + " and a nonce of " + ConnectionIdLayout.MIN_NONCE_LENGTH + " make " + shortest);
            return Optional.empty();
        }
        return Optional.of(new ConnectionIdLayout(length.get(), rotation.get(), serverIdLength.get()));
    }

    /** Said once the reals were read. */
    void warnWithoutServerIds(Table service, List<Table> reals) {
        boolean wanted = hashKey.equals(Optional.of(HashKey.QUIC_CID)) && !reals.isEmpty();
        if (wanted && reals.stream().noneMatch(real -> real.has("server-id"))) {
            service.warning(
                    "hash-key",
                    "no real has a server-id, so no connection ID names a real: the 5-tuple decides, and a client whose"
                            + " address changes may get another real");
        }
    }

    /** The server ID of a real; absent if it has none, or a wrong one. */
    Optional<ServerId> serverId(Table real) {
        if (!real.has("server-id")) {
            return Optional.empty();
        }
        if (hashKey.filter(key -> key != HashKey.QUIC_CID).isPresent()) {
            real.problem("server-id", ONLY_QUIC);
            return Optional.empty();
        }
        Optional<Located<ServerId>> located = real.located("server-id", "hexadecimal digits", this::serverId);
        located.flatMap(serverId -> Optional.ofNullable(seen.putIfAbsent(serverId.value(), serverId)))
                .ifPresent(first -> real.problem(
                        "server-id",
                        first.value() + " is the server ID of another real (line " + first.line() + ") already"));
        return located.map(Located::value);
    }

    private ServerId serverId(String text) {
        ServerId serverId;
        try {
            serverId = ServerId.ofHex(text);
        } catch (IllegalArgumentException e) {
            throw new ImpossibleValueException(Shown.quoted(text)
                    + " is not a server ID; write two hexadecimal digits for each of its 1 to " + ServerId.MAX_BYTES
                    + " bytes");
        }
        layout.filter(ids -> ids.serverIdLength() != serverId.length()).ifPresent(ids -> {
            throw new ImpossibleValueException(Shown.quoted(text) + " has " + serverId.length()
                    + " bytes; server-id-length is " + ids.serverIdLength());
        });
        return serverId;
    }
}
