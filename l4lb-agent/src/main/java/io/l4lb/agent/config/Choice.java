// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The words that a key takes.
 *
 * @param possible by word, what it stands for
 * @param later words that this version does not take, while a later one may
 */
record Choice<T>(Map<String, T> possible, Set<String> later) {
    static <T> Choice<T> of(T[] values, Function<T, String> word, String... later) {
        Map<String, T> possible = new LinkedHashMap<>();
        for (T value : values) {
            possible.put(word.apply(value), value);
        }
        return new Choice<>(possible, Set.copyOf(Arrays.asList(later)));
    }

    T parse(String word) {
        T value = possible.get(word);
        if (value == null) {
            String use = possible.keySet().stream().map(Shown::quoted).collect(Collectors.joining(" or "));
            String why = later.contains(word) ? " is not available yet; use " : " is not known; use ";
            throw new ImpossibleValueException(Shown.quoted(word) + why + use);
        }
        return value;
    }
}
