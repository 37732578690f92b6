// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;

/**
 * Signals of the operating system, which the JDK lets nobody but its own sun.misc.Signal (module jdk.unsupported) handle;
 * javac warns of that class whatever is suppressed: hence by reflection.
 */
public final class Signals {
    private static final System.Logger LOG = System.getLogger(Signals.class.getName());

    private Signals() {}

    /**
     * Runs something whenever a signal comes, instead of what it does by itself.
     *
     * @param name without SIG: {@code HUP}, {@code INT}
     */
    public static void handle(String name, Runnable action) {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            InvocationHandler call = (proxy, method, arguments) -> {
                if (method.getName().equals("handle")) {
                    action.run();
                }
                return null;
            };
            Object proxy = Proxy.newProxyInstance(handler.getClassLoader(), new Class<?>[] {handler}, call);
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance(name), proxy);
        } catch (ReflectiveOperationException e) {
            LOG.log(System.Logger.Level.WARNING, "SIG{0} is not handled: {1}", name, e.toString());
        }
    }
}
