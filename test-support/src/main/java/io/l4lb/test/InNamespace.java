// SPDX-License-Identifier: Apache-2.0
package io.l4lb.test;

import java.lang.reflect.Method;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/**
 * Makes JUnit run a test's methods on one thread of a network namespace: those before each test, the test itself, those
 * after it. Register it as a field of the test's instance.
 */
public final class InNamespace implements BeforeEachCallback, AfterEachCallback, InvocationInterceptor {
    private final Callable<String> make;
    private @Nullable NamespaceThread thread;

    /** @param make called before each test, outside: makes the namespace and returns the name that the system knows */
    public InNamespace(Callable<String> make) {
        this.make = make;
    }

    @Override
    public void beforeEach(ExtensionContext context) throws Exception {
        thread = new NamespaceThread(make.call());
    }

    @Override
    public void afterEach(ExtensionContext context) {
        if (thread != null) {
            thread.close();
            thread = null;
        }
    }

    private void there(Invocation<Void> invocation) throws Exception {
        Objects.requireNonNull(thread).call(() -> {
            try {
                return Optional.ofNullable(invocation.proceed());
            } catch (Exception | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
        });
    }

    @Override
    public void interceptBeforeEachMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Exception {
        there(invocation);
    }

    @Override
    public void interceptTestMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Exception {
        there(invocation);
    }

    @Override
    public void interceptTestTemplateMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Exception {
        there(invocation);
    }

    @Override
    public void interceptAfterEachMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Exception {
        there(invocation);
    }
}
