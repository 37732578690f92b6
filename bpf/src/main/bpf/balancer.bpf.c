// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * The balancer: finds a packet's service, then its real, and sends the packet there inside a tunnel.
 *
 * The first of these that holds is the verdict: not IP, no service, malformed, no real, TTL, too big, no next hop, no
 * headroom. Only packets to a service are ever dropped; what is passed is untouched. The class PacketModel of the
 * agent says the same in Java, step by step; a test compares the two packet by packet.
 *
 * What most packets need is inlined; what is rare stands in functions that are not, which the verifier checks once.
 */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#include "capture.h"
#include "echo.h"
#include "forward.h"
#include "fragment.h"
#include "icmp.h"
#include "l4lb.h"
#include "maps.h"
#include "packet.h"
#include "pathmtu.h"
#include "schedule.h"
#include "service.h"

/* UNDECIDED: it is no echo request that is answered. An error that quotes a packet of a VIP gets that one's flow. */
static __always_inline enum verdict read_icmp(struct xdp_md *ctx, struct packet *packet)
{
	struct icmp *icmp = bytes_at(ctx, packet->transport_at, sizeof(*icmp));
	__u8 type;

	if (!icmp || transport_length(packet) < (int)sizeof(*icmp))
		return UNDECIDED;
	type = icmp->type;
	if (is_icmp_error(packet, type))
		packet->flags |= PACKET_ICMP_ERROR;
	if (reports_loss(packet, type)) {
		read_quoted(ctx, packet);
		return UNDECIDED;
	}
	if (!constants.echo_replies || !is_echo_request(packet, type) ||
	    (packet->flags & (PACKET_MALFORMED | PACKET_ROUTED)) || !can_be_answered(&packet->flow.source) ||
	    !is_vip(&packet->flow.vip))
		return UNDECIDED;
	return answer_echo(ctx, packet);
}

/*
 * What an error quotes was a later fragment of a packet whose service needs ports: the error is as good as any other
 * packet to the VIP. Read anew.
 */
__noinline int forget_quoted(struct xdp_md *ctx, struct packet *packet)
{
	if (!packet)
		return 0;
	packet->flags = 0;
	packet->flow.source_port = 0;
	packet->flow.vip_port = 0;
	read_ip(ctx, packet);
	read_transport(ctx, packet);
	judge_ip(packet);
	packet->flags |= PACKET_ICMP_ERROR;
	return 0;
}

/* UNDECIDED: the packet's service is in `service`. */
static __always_inline enum verdict identify(struct xdp_md *ctx, struct packet *packet, struct service *service,
					     __u32 *by_port)
{
	struct service *found = find_service(packet, by_port);

	/* Without ports only the 3-tuple tells the real. */
	if ((packet->flags & PACKET_LATER) && (!found || found->key != HASH_KEY_3_TUPLE)) {
		if (!(packet->flags & PACKET_QUOTES))
			return judge_orphan(&packet->flow);
		forget_quoted(ctx, packet);
		found = service_for_any_protocol(&packet->flow.vip);
	}
	if (!found)
		return VERDICT_PASS_NO_SERVICE;
	*service = *found;
	packet->service = service->id + 1;
	return UNDECIDED;
}

/* UNDECIDED: `choice` is its real, `forwarded` the verdict if nothing else keeps it from going there. */
static __always_inline enum verdict decide(struct xdp_md *ctx, struct packet *packet, const struct settings *settings,
					   struct choice *choice, enum verdict *forwarded)
{
	struct service service;
	enum verdict verdict;
	__u32 by_port = 0;

	if ((packet->flags & (PACKET_LATER | PACKET_QUOTES)) == PACKET_LATER && recall_fragment(packet, choice)) {
		*forwarded = VERDICT_FORWARD_FRAGMENT;
		return packet->flags & PACKET_MALFORMED ? VERDICT_DROP_MALFORMED : UNDECIDED;
	}
	verdict = identify(ctx, packet, &service, &by_port);
	if (verdict != UNDECIDED)
		return verdict;
	if ((packet->flags & PACKET_MALFORMED) ||
	    (!(packet->flags & (PACKET_LATER | PACKET_QUOTES)) && transport_is_malformed(ctx, packet)))
		return VERDICT_DROP_MALFORMED;
	*forwarded = choose(ctx, packet, &service, settings, choice);
	if (*forwarded == VERDICT_DROP_NO_REAL)
		return VERDICT_DROP_NO_REAL;
	if ((packet->flags & (PACKET_FRAGMENT | PACKET_LATER | PACKET_QUOTES)) == PACKET_FRAGMENT)
		remember_fragment(packet, &service, choice->number, by_port);
	return UNDECIDED;
}

static __always_inline enum verdict balance(struct xdp_md *ctx, struct packet *packet, const struct settings *settings)
{
	__u64 bytes = frame_length(ctx);
	struct choice choice = {};
	enum verdict verdict, forwarded;

	verdict = read_ip(ctx, packet);
	if (verdict != UNDECIDED)
		return verdict;
	if (constants.too_big_answers && is_to_outer_source(packet, settings))
		return relay_too_big(ctx, packet);
	if (!may_be_vip(&packet->flow.vip))
		return VERDICT_PASS_NO_SERVICE;
	read_transport(ctx, packet);
	judge_ip(packet);
	if (is_icmp(packet)) {
		verdict = read_icmp(ctx, packet);
		if (verdict != UNDECIDED)
			return verdict;
	}
	verdict = decide(ctx, packet, settings, &choice, &forwarded);
	if (verdict == UNDECIDED)
		verdict = forward(ctx, packet, settings, &choice);
	if (verdict != UNDECIDED)
		return verdict;
	count(&real_counters, choice.number, bytes);
	return forwarded;
}

static __always_inline int act(struct xdp_md *ctx, const struct packet *packet, enum verdict verdict)
{
	switch (verdict) {
	case VERDICT_PASS_NOT_IP:
	case VERDICT_PASS_NO_SERVICE:
	case VERDICT_PASS_FRAGMENT:
		if (constants.chain)
			bpf_tail_call(ctx, &chain, 0);
		return XDP_PASS;
	case VERDICT_FORWARD_FLOW:
	case VERDICT_FORWARD_TABLE:
	case VERDICT_FORWARD_SERVER_ID:
	case VERDICT_FORWARD_FRAGMENT:
		return packet->interface ? bpf_redirect(packet->interface, 0) : XDP_TX;
	case VERDICT_ANSWER_ECHO:
	case VERDICT_ANSWER_TOO_BIG:
	case VERDICT_ANSWER_PATH_MTU:
		return XDP_TX;
	default:
		return XDP_DROP;
	}
}

static __always_inline int is_forwarded(enum verdict verdict)
{
	return verdict == VERDICT_FORWARD_FLOW || verdict == VERDICT_FORWARD_TABLE ||
	       verdict == VERDICT_FORWARD_SERVER_ID || verdict == VERDICT_FORWARD_FRAGMENT;
}

SEC("xdp")
int balancer(struct xdp_md *ctx)
{
	__u64 bytes = frame_length(ctx), copied;
	struct packet packet = {};
	struct settings *current;
	enum verdict verdict;
	__u32 zero = 0;

	current = bpf_map_lookup_elem(&settings, &zero);
	if (!current)
		return XDP_PASS;
	copied = sample(current);
	if (copied)
		copy_packet(ctx, copied, CAPTURE_BEFORE, 0);
	verdict = balance(ctx, &packet, current);
	count(&verdicts, verdict, bytes);
	if (packet.service && !is_forwarded(verdict))
		count_for_service(packet.service - 1, verdict, bytes);
	if (copied)
		copy_packet(ctx, copied, CAPTURE_AFTER, verdict);
	return act(ctx, &packet, verdict);
}

char _license[] SEC("license") = "Dual BSD/GPL";
