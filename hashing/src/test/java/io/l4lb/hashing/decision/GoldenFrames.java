// SPDX-License-Identifier: Apache-2.0
package io.l4lb.hashing.decision;

import java.lang.reflect.Field;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** All golden frames by class and name. */
final class GoldenFrames {
    private static final List<Class<?>> CLASSES = List.of(
            PlainFrames.class,
            ExtensionFrames.class,
            FragmentFrames.class,
            IcmpFrames.class,
            EchoFrames.class,
            QuicFrames.class,
            TunnelFrames.class,
            MssFrames.class,
            TooBigFrames.class,
            PathMtuFrames.class);

    private GoldenFrames() {}

    static Map<String, byte[]> all() {
        Map<String, byte[]> frames = new TreeMap<>();
        for (Class<?> named : CLASSES) {
            for (Field field : named.getDeclaredFields()) {
                if (field.getType() == String.class) {
                    frames.put(named.getSimpleName() + "." + field.getName(), Director.bytes(valueOf(field)));
                }
            }
        }
        return frames;
    }

    private static String valueOf(Field field) {
        try {
            return (String) field.get(null);
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }
}
