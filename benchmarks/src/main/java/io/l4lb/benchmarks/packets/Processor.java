// SPDX-License-Identifier: Apache-2.0
package io.l4lb.benchmarks.packets;

import io.l4lb.test.Machine;
import io.l4lb.test.Outcome;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;

/** The processors, and where the measuring thread runs. */
final class Processor {
    private Processor() {}

    /**
     * Keeps the calling thread on the processor where it is, since each has a list of its own of what the flow table
     * forgets first. Where taskset(1) is missing the thread may move, which is said.
     */
    static void stayOnOne(PrintWriter progress) {
        String thread = read("/proc/thread-self/stat");
        String number = thread.substring(0, thread.indexOf(' '));
        String[] fields = thread.substring(thread.lastIndexOf(')') + 2).trim().split(" ", -1);
        /* proc(5): field 39 is the processor; the first one here is field 3. */
        String processor = fields[39 - 3];
        try {
            Outcome outcome = Machine.attempt("", "taskset", "-p", "-c", processor, number);
            if (outcome.exit() != 0) {
                progress.println("packets: not kept on one processor: "
                        + outcome.errors().trim());
            }
        } catch (IllegalStateException e) {
            progress.println("packets: not kept on one processor: there is no taskset");
        }
    }

    private static String read(String file) {
        try {
            return Files.readString(Path.of(file));
        } catch (IOException e) {
            throw new IllegalStateException(file, e);
        }
    }
}
