// SPDX-License-Identifier: Apache-2.0
package io.l4lb.healthcheck.load;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.regex.Pattern;

/** The metrics of one ORCA report, as they are read, each held against what the proto's comments and rules say of it. */
final class OrcaMetrics {
    static final String NUMBER = "number";
    static final String MAP = "map";

    private static final String CPU = "cpu_utilization";
    private static final String APPLICATION = "application_utilization";
    private static final String MEMORY = "mem_utilization";
    private static final String UTILIZATION = "utilization";

    /** Field 3. Not even its type is looked at: {@code rps_fractional} has taken its place. */
    static final String DEPRECATED = "rps";

    /** By number of the field. */
    static final Map<Integer, String> FIELDS = Map.of(
            1,
            CPU,
            2,
            MEMORY,
            4,
            "request_cost",
            5,
            UTILIZATION,
            6,
            "rps_fractional",
            7,
            "eps",
            8,
            "named_metrics",
            9,
            APPLICATION);

    private static final Set<String> MAPS = Set.of("request_cost", UTILIZATION, "named_metrics");
    private static final Pattern UNDERSCORE = Pattern.compile("_([a-z])");
    /** JSON has a field's name in either form (the JSON mapping of proto3). */
    private static final Map<String, String> NAMES_IN_JSON = namesInJson();

    private static final int MOST = 64;
    private static final int LONGEST_NAME = 128;

    private final Map<String, Double> metrics = new LinkedHashMap<>();

    static boolean isMap(String name) {
        return MAPS.contains(name);
    }

    static String kind(String name) {
        return isMap(name) ? MAP : NUMBER;
    }

    private static Map<String, String> namesInJson() {
        Map<String, String> names = new HashMap<>();
        for (String name : FIELDS.values()) {
            names.put(name, name);
            names.put(
                    UNDERSCORE.matcher(name).replaceAll(found -> found.group(1).toUpperCase(Locale.ROOT)), name);
        }
        return Map.copyOf(names);
    }

    /** {@code cpu_utilization} for that, and for {@code cpuUtilization}. */
    static String nameInJson(String key) {
        String name = NAMES_IN_JSON.get(key);
        if (name == null) {
            throw notAMetric(key);
        }
        return name;
    }

    static OrcaException notALoad(String name, String value) {
        return new OrcaException(Shown.words(name) + ": " + value + " is not a number that a load has", null);
    }

    private static OrcaException notAMetric(String name) {
        return new OrcaException(Shown.quoted(name) + " is not the name of a metric", null);
    }

    /** Takes one, as {@code cpu_utilization} or {@code named_metrics.queue}. */
    void put(String name, double value) {
        int dot = name.indexOf('.');
        String field = dot < 0 ? name : name.substring(0, dot);
        boolean known = dot < 0 ? FIELDS.containsValue(name) && !isMap(name) : isMap(field) && dot + 1 < name.length();
        if (!known || name.length() > LONGEST_NAME || !Shown.isPlain(name)) {
            throw notAMetric(name);
        }
        // Named metrics and costs are the application's own, of which nothing is known but that they are numbers.
        boolean free = field.equals("named_metrics") || field.equals("request_cost");
        if (!Double.isFinite(value) || (!free && value < 0)) {
            throw notALoad(name, Double.toString(value));
        }
        if ((field.equals(MEMORY) || field.equals(UTILIZATION)) && value > 1) {
            throw new OrcaException(Shown.words(name) + ": " + value + " is more than 1", null);
        }
        if (metrics.put(name, value) != null) {
            throw new OrcaException(Shown.words(name) + " is there twice", null);
        }
        if (metrics.size() > MOST) {
            throw new OrcaException("there are more than " + MOST + " metrics", null);
        }
    }

    LoadReport report() {
        if (metrics.isEmpty()) {
            throw new OrcaException("the report says nothing", null);
        }
        double application = metrics.getOrDefault(APPLICATION, 0.0);
        OptionalDouble utilization = application > 0
                ? OptionalDouble.of(application)
                : metrics.containsKey(CPU) ? OptionalDouble.of(metrics.get(CPU)) : OptionalDouble.empty();
        return new LoadReport(utilization, OptionalDouble.empty(), Optional.empty(), metrics);
    }
}
