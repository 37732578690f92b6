// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The balancer: finds a packet's service, then its real, and sends the packet there inside a tunnel.
 *
 * The first of these that holds is the verdict: not IP, fragment, no service, malformed, no real, TTL,
 * too big, no next hop, no headroom. Only packets to a service are ever dropped; what is passed is
 * untouched.
 */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#include "forward.h"
#include "l4lb.h"
#include "maps.h"
#include "packet.h"
#include "schedule.h"

static __always_inline struct service *find_service(const struct flow_key *flow)
{
	struct service_key key = {
		.vip = flow->vip,
		.port = flow->vip_port,
		.protocol = flow->protocol,
	};

	return bpf_map_lookup_elem(&services, &key);
}

static __always_inline enum verdict balance(struct xdp_md *ctx, __u64 bytes)
{
	struct cursor cursor = {(void *)(long)ctx->data, (void *)(long)ctx->data_end};
	struct packet packet = {};
	struct choice choice = {};
	enum verdict verdict, forwarded;
	struct service *found, service;
	struct settings *now;
	__u32 zero = 0;

	verdict = read_packet(cursor, &packet);
	if (verdict != UNDECIDED)
		return verdict;
	found = find_service(&packet.flow);
	if (!found)
		return VERDICT_PASS_NO_SERVICE;
	service = *found;
	verdict = packet.flow.protocol == IPPROTO_TCP ? judge_tcp(&packet) : judge_udp(&packet);
	if (verdict != UNDECIDED)
		return verdict;
	now = bpf_map_lookup_elem(&settings, &zero);
	if (!now)
		return VERDICT_DROP_NO_NEXT_HOP;
	forwarded = choose(ctx, &packet, &service, now, &choice);
	if (forwarded == VERDICT_DROP_NO_REAL)
		return forwarded;
	verdict = forward(ctx, &packet, now, &choice.address);
	if (verdict != UNDECIDED)
		return verdict;
	count(&real_counters, choice.number, bytes);
	return forwarded;
}

SEC("xdp")
int balancer(struct xdp_md *ctx)
{
	__u64 bytes = ctx->data_end - ctx->data;
	enum verdict verdict = balance(ctx, bytes);

	count(&verdicts, verdict, bytes);
	switch (verdict) {
	case VERDICT_PASS_NOT_IP:
	case VERDICT_PASS_NO_SERVICE:
	case VERDICT_PASS_FRAGMENT:
		return XDP_PASS;
	case VERDICT_FORWARD_FLOW:
	case VERDICT_FORWARD_TABLE:
	case VERDICT_FORWARD_SERVER_ID:
		return XDP_TX;
	default:
		return XDP_DROP;
	}
}

char _license[] SEC("license") = "Dual BSD/GPL";
