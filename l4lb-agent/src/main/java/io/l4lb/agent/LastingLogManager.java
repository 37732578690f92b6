// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent;

import java.util.logging.LogManager;

/**
 * Lets the log last until the process ends. The JDK's own takes away all handlers in a shutdown hook, which runs beside
 * the agent's: how a shutdown went would be lost.
 */
public final class LastingLogManager extends LogManager {
    /** Does nothing, since all that calls it here is that shutdown hook, and the first reading of the configuration. */
    @Override
    public void reset() {}
}
