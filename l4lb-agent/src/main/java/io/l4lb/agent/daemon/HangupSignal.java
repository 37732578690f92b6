// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.daemon;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;

/**
 * SIGHUP reloads the configuration. The JDK's only interface to signals is sun.misc.Signal (module jdk.unsupported),
 * which javac warns of whatever is suppressed: hence by reflection.
 */
final class HangupSignal {
    private static final System.Logger LOG = System.getLogger(HangupSignal.class.getName());

    private HangupSignal() {}

    static void handle(Runnable action) {
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
                    .invoke(null, signal.getConstructor(String.class).newInstance("HUP"), proxy);
        } catch (ReflectiveOperationException e) {
            LOG.log(System.Logger.Level.WARNING, "SIGHUP does not reload: {0}", e.toString());
        }
    }
}
