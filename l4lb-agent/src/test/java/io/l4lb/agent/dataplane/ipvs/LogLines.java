// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.dataplane.ipvs;

import java.text.MessageFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What a class logs, until this is closed. */
final class LogLines extends Handler implements AutoCloseable {
    private final Logger logger;
    private final List<String> lines = new ArrayList<>();

    LogLines(Class<?> of) {
        logger = Logger.getLogger(of.getName());
        logger.addHandler(this);
    }

    /** Level and text of each line so far. */
    List<String> lines() {
        return List.copyOf(lines);
    }

    @Override
    public void publish(LogRecord line) {
        lines.add(line.getLevel() + " " + MessageFormat.format(line.getMessage(), line.getParameters()));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        logger.removeHandler(this);
    }
}
