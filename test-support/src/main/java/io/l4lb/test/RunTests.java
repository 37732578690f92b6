// SPDX-License-Identifier: Apache-2.0
package io.l4lb.test;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.EngineFilter;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs test classes where there is no Maven, as in the virtual machine: {@code java -cp … io.l4lb.test.RunTests CLASS…}. A
 * line for each test; exit status 1 if one failed or there was none. {@code -Dl4lb.require} counts as everywhere. Only those
 * of Jupiter: jqwik wants to write to its working directory.
 */
public final class RunTests implements TestExecutionListener {
    private final PrintStream out;
    private int passed;
    private int skipped;
    private int failed;

    RunTests(PrintStream out) {
        this.out = out;
    }

    /**
     * Runs them and exits.
     *
     * @param classes names of test classes
     */
    public static void main(String[] classes) {
        RunTests run = new RunTests(System.out);
        boolean well = run.run(List.of(classes));
        System.out.flush();
        // Threads that a failed test left behind must not keep the machine up.
        System.exit(well ? 0 : 1);
    }

    /** Whether there were tests and none failed. */
    boolean run(List<String> classes) {
        List<DiscoverySelector> selectors = new ArrayList<>();
        classes.forEach(name -> selectors.add(DiscoverySelectors.selectClass(name)));
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectors)
                .filters(EngineFilter.includeEngines("junit-jupiter"))
                .build();
        LauncherFactory.create().execute(request, this);
        out.println(passed + " passed, " + skipped + " skipped, " + failed + " failed");
        return failed == 0 && passed + skipped > 0;
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        skipped++;
        out.println("SKIP " + name(test) + ": " + reason);
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        Throwable reason = result.getThrowable().orElse(null);
        switch (result.getStatus()) {
            case SUCCESSFUL -> {
                if (test.isTest()) {
                    passed++;
                    out.println("ok   " + name(test));
                }
            }
            case ABORTED -> {
                skipped++;
                out.println("SKIP " + name(test) + ": " + (reason == null ? "" : reason.getMessage()));
            }
            case FAILED -> {
                failed++;
                out.println("FAIL " + name(test));
                if (reason != null) {
                    reason.printStackTrace(out);
                }
            }
        }
    }

    @Override
    public void testPlanExecutionFinished(TestPlan plan) {
        out.flush();
    }

    private static String name(TestIdentifier test) {
        String within = test.getParentIdObject()
                .map(id -> id.getLastSegment().getValue())
                .orElse("");
        return within.substring(within.lastIndexOf('.') + 1) + " " + test.getDisplayName();
    }
}
