// SPDX-License-Identifier: Apache-2.0
package io.l4lb.benchmarks.ipvs;

import io.l4lb.agent.model.KernelScheduler;

/** Installs everything and ends: what a JVM takes that is started for it. */
final class ColdInstall {
    private ColdInstall() {}

    /**
     * Installs them.
     *
     * @param args a scheduler, how many services, how many reals
     */
    public static void main(String[] args) {
        Rules rules = new Rules(KernelScheduler.valueOf(args[0]), Integer.parseInt(args[1]), Integer.parseInt(args[2]));
        try (Director director = new Director()) {
            director.install(rules.programs());
        }
    }
}
