// SPDX-License-Identifier: Apache-2.0
package io.l4lb.agent.control;

import io.l4lb.agent.status.CaptureEndView;
import io.l4lb.agent.status.CapturedView;
import io.l4lb.agent.status.ConfigDiffView;
import io.l4lb.agent.status.ExplainView;
import io.l4lb.agent.status.FlowCountsView;
import io.l4lb.agent.status.FlowView;
import io.l4lb.agent.status.FlowsEndView;
import io.l4lb.agent.status.HealthAcceptView;
import io.l4lb.agent.status.HealthView;
import io.l4lb.agent.status.IpvsadmView;
import io.l4lb.agent.status.ProbeView;
import io.l4lb.agent.status.ReloadView;
import io.l4lb.agent.status.StatsView;
import io.l4lb.agent.status.StatusView;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** What the control socket offers. Methods may be called from any thread and do not block. */
public interface ControlApi {
    /** How many probes an operator can have done at once. */
    int MOST_PROBED = 64;

    /** The latest status. */
    StatusView status();

    /** What the agent has in IPVS, read from the kernel now; refused by another dataplane. */
    CompletableFuture<IpvsadmView> ipvsadm();

    /** Reads the configuration files again and says what {@link #reload} would change; nothing changes. */
    CompletableFuture<ConfigDiffView> diff();

    /** Reads the configuration files again and applies what is good; completes after the dataplane was changed. */
    CompletableFuture<ReloadView> reload();

    /** Ends what the panic rule holds, of one service or of all; refused if nothing of it is held. */
    CompletableFuture<HealthAcceptView> acceptHealth(HealthAcceptRequest request);

    /** What is known of the health of those reals, one row for each VIP; refused if there are none. */
    CompletableFuture<List<HealthView>> health(HealthRequest request);

    /** Probes these reals now, one row for each VIP; refused if there are none, or more than {@link #MOST_PROBED}. */
    CompletableFuture<List<ProbeView>> probe(HealthRequest request);

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

    /** What was counted, read from the dataplane now. */
    CompletableFuture<StatsView> stats();

    /** The entries of the flow table that fit, as {@link FlowView} rows, and at the end {@link FlowsEndView}. */
    CompletableFuture<Rows> flows(FlowsRequest request);

    /** How many entries of the flow table fit, by service and real. */
    CompletableFuture<FlowCountsView> countFlows(FlowsRequest request);

    /**
     * Begins to copy packets: {@link CapturedView} rows, {@link CaptureEndView} whenever packets were lost and at the
     * end. There is one capture at a time; it ends when its client goes away.
     */
    CompletableFuture<Rows> capture(CaptureRequest request);
}
