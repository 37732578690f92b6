// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.config;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads lists of interfaces. */
final class InterfaceNames {
    /** The kernel's dev_valid_name, in ASCII. */
    private static final Pattern NAME = Pattern.compile("(?!\\.{1,2}$)[!-~&&[^/:]]{1,15}");

    private InterfaceNames() {}

    /** Those that are right; at least one, each once. */
    static List<String> read(Table table, String key) {
        List<Located<String>> interfaces = table.each(key, "the name of an interface", InterfaceNames::name);
        if (table.size(key) == 0) {
            table.problem(key, "names no interface");
        }
        Set<String> names = new HashSet<>();
        for (Located<String> name : interfaces) {
            if (!names.add(name.value())) {
                table.problems().add(name.line(), name.key(), Shown.quoted(name.value()) + " is in the list already");
            }
        }
        return interfaces.stream().map(Located::value).toList();
    }

    private static String name(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new ImpossibleValueException(Shown.quoted(name) + " cannot be the name of an interface");
        }
        return name;
    }
}
