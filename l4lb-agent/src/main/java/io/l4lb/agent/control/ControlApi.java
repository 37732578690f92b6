// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.control;

import io.l4lb.agent.status.ExplainView;
import io.l4lb.agent.status.ReloadView;
import io.l4lb.agent.status.StatusView;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;

/** What the control socket offers. Methods may be called from any thread and do not block. */
public interface ControlApi {
    /** The latest status. */
    StatusView status();

    /** Reads the configuration files again and applies what is good; completes after the dataplane was changed. */
    CompletableFuture<ReloadView> reload();

    /**
     * Says where the dataplane sends a packet.
     *
     * @param protocol IP protocol number
     * @param syn whether to ask for a TCP SYN, which the flow table is not asked about
     */
    CompletableFuture<ExplainView> explain(
            InetSocketAddress source, InetSocketAddress destination, int protocol, boolean syn);

    /**
     * Says where the dataplane sends a frame.
     *
     * @param frame any bytes, from the Ethernet header on
     */
    CompletableFuture<ExplainView> explain(byte[] frame);
}
