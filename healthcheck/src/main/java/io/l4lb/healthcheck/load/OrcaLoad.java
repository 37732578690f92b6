// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.protobuf.CodedInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The header {@code endpoint-load-metrics} of ORCA (gRFC A51; {@code xds/data/orca/v3/orca_load_report.proto}): {@code TEXT
 * cpu_utilization=0.3, named_metrics.queue=5}, {@code JSON {"cpu_utilization": 0.3, "named_metrics": {"queue": 5}}}, or {@code BIN}
 * and the message in base64. All or nothing: one metric that is wrong refuses the report.
 */
public final class OrcaLoad {
    private static final int LONGEST = 8192;
    private static final Pattern BETWEEN = Pattern.compile(",");
    private static final int TAG_TYPE_BITS = 3;

    private OrcaLoad() {}

    /** Reads the header's value; never throws. */
    public static LoadReading parse(String value) {
        int space = value.indexOf(' ');
        String content = space < 0 ? "" : value.substring(space + 1).strip();
        if (value.length() > LONGEST) {
            return LoadReading.failed("ORCA: the report has more than " + LONGEST + " characters");
        }
        return switch (space < 0 ? value : value.substring(0, space)) {
            case "TEXT" -> read(metrics -> text(content, metrics));
            case "JSON" -> read(metrics -> json(content, metrics));
            case "BIN" -> parseBinary(content);
            default -> LoadReading.failed("ORCA: " + Shown.quoted(value) + " begins with none of TEXT, JSON, BIN");
        };
    }

    /** Reads the value of {@code endpoint-load-metrics-bin}, a message in base64; never throws. */
    public static LoadReading parseBinary(String base64) {
        if (base64.length() > LONGEST) {
            return LoadReading.failed("ORCA: the report has more than " + LONGEST + " characters");
        }
        return read(metrics -> {
            byte[] message;
            try {
                message = Base64.getDecoder().decode(base64.strip());
            } catch (IllegalArgumentException e) {
                throw new OrcaException("not base64", e);
            }
            try {
                message(CodedInputStream.newInstance(message), metrics);
            } catch (IOException e) {
                throw new OrcaException("not an OrcaLoadReport", e);
            }
        });
    }

    @FunctionalInterface
    private interface Reader {
        void into(OrcaMetrics metrics);
    }

    private static LoadReading read(Reader reader) {
        OrcaMetrics metrics = new OrcaMetrics();
        try {
            reader.into(metrics);
            return LoadReading.of(metrics.report());
        } catch (OrcaException e) {
            return LoadReading.failed("ORCA: " + e.getMessage());
        }
    }

    private static void text(String content, OrcaMetrics metrics) {
        for (String pair : BETWEEN.split(content, -1)) {
            int equals = pair.indexOf('=');
            if (equals < 0) {
                throw new OrcaException(Shown.quoted(pair) + " is not name=value", null);
            }
            String name = pair.substring(0, equals).strip();
            String number = pair.substring(equals + 1).strip();
            metrics.put(
                    name, Numbers.finite(number).orElseThrow(() -> OrcaMetrics.notALoad(name, Shown.quoted(number))));
        }
    }

    private static void json(String content, OrcaMetrics metrics) {
        JsonNode root;
        try {
            root = JsonLoad.STRICT.readTree(content.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new OrcaException("not JSON", e);
        }
        if (!root.isObject()) {
            throw new OrcaException("the JSON is not an object", null);
        }
        for (Map.Entry<String, JsonNode> field : root.properties()) {
            if (!field.getKey().equals(OrcaMetrics.DEPRECATED)) {
                field(OrcaMetrics.nameInJson(field.getKey()), field.getValue(), metrics);
            }
        }
    }

    private static void field(String name, JsonNode value, OrcaMetrics metrics) {
        if (OrcaMetrics.isMap(name) && value.isObject()) {
            value.properties().forEach(entry -> {
                String full = name + "." + entry.getKey();
                metrics.put(full, number(full, entry.getValue()));
            });
        } else {
            metrics.put(name, number(name, value));
        }
    }

    private static double number(String name, JsonNode value) {
        if (!value.isNumber()) {
            throw OrcaMetrics.notALoad(name, Shown.quoted(value.toString()));
        }
        return value.doubleValue();
    }

    private static void message(CodedInputStream in, OrcaMetrics metrics) throws IOException {
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            String name = OrcaMetrics.FIELDS.getOrDefault(tag >>> TAG_TYPE_BITS, "");
            switch (name.isEmpty() ? "" : OrcaMetrics.kind(name)) {
                case OrcaMetrics.NUMBER -> metrics.put(name, readDouble(tag, in));
                case OrcaMetrics.MAP -> {
                    requireType(tag, 2);
                    Map.Entry<String, Double> entry = entry(in.readByteBuffer().array());
                    metrics.put(name + "." + entry.getKey(), entry.getValue());
                }
                default -> in.skipField(tag); // of a later version, or deprecated
            }
        }
    }

    private static double readDouble(int tag, CodedInputStream in) throws IOException {
        requireType(tag, 1);
        return in.readDouble();
    }

    /** Of a map: a message with the key as field 1, the value as field 2. */
    private static Map.Entry<String, Double> entry(byte[] octets) throws IOException {
        CodedInputStream in = CodedInputStream.newInstance(octets);
        String key = "";
        double value = 0;
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            switch (tag >>> TAG_TYPE_BITS) {
                case 1 -> {
                    requireType(tag, 2);
                    key = in.readStringRequireUtf8();
                }
                case 2 -> value = readDouble(tag, in);
                default -> in.skipField(tag);
            }
        }
        return Map.entry(key, value);
    }

    private static void requireType(int tag, int type) {
        if ((tag & 7) != type) {
            throw new OrcaException("a field of the message has another type", null);
        }
    }
}
