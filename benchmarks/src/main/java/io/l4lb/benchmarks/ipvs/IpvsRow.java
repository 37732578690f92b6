// SPDX-License-Identifier: Apache-2.0
package io.l4lb.benchmarks.ipvs;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One piece of work.
 *
 * @param work what is done
 * @param milliseconds of the agent's dataplane in a JVM that has done other services before, median
 * @param withStart the same in a JVM that is started for it, from its start to its end; null if that was not measured
 * @param ipvsadm milliseconds of ipvsadm, from its start to its end, median
 * @param ratio ours to ipvsadm's: median of each round's, without the start
 * @param messages of ours that changed something in the kernel, by what they did
 */
public record IpvsRow(
        String work,
        String scheduler,
        double milliseconds,
        @Nullable Double withStart,
        double ipvsadm,
        double ratio,
        Map<String, Integer> messages) {}
