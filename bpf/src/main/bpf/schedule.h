/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Which real a packet goes to: the one whose server ID it carries, if the service has such; else the
 * one that the flow table remembers, else the one of its slot in the service's lookup table.
 */
#ifndef L4LB_SCHEDULE_H
#define L4LB_SCHEDULE_H

#include <bpf/bpf_helpers.h>

#include "l4lb.h"
#include "maps.h"
#include "packet.h"
#include "real.h"

/* Reading jiffies is one load, since the verifier inlines it; they count with CLOCK_MONOTONIC. */
static __always_inline __u32 now(void)
{
	if (constants.jiffy)
		return ((bpf_jiffies64() - constants.jiffies_at_zero) * constants.jiffy) >> L4LB_TICK_SHIFT;
	return bpf_ktime_get_coarse_ns() >> L4LB_TICK_SHIFT;
}

static __always_inline __u32 timeout_of(__u8 state)
{
	switch (state) {
	case FLOW_OPENING:
		return constants.opening_timeout;
	case FLOW_ESTABLISHED:
		return constants.established_timeout;
	case FLOW_CLOSING:
		return constants.closing_timeout;
	default:
		return constants.other_timeout;
	}
}

static __always_inline int has_timeouts(void)
{
	return constants.opening_timeout || constants.established_timeout || constants.closing_timeout ||
	       constants.other_timeout;
}

/* What the packet makes of a flow in that state. */
static __always_inline __u8 next_state(const struct packet *packet, __u8 state)
{
	if (packet->flow.protocol != IPPROTO_TCP)
		return FLOW_OTHER;
	if (packet->tcp == TCP_STARTS)
		return FLOW_OPENING;
	if (packet->tcp == TCP_ENDS)
		return FLOW_CLOSING;
	return state == FLOW_CLOSING ? FLOW_CLOSING : FLOW_ESTABLISHED;
}

/* Another CPU may be a tick ahead, so that it seems to have been seen in the future: that is no long time ago. */
static __always_inline int is_over(__u32 seen, __u32 timeout, __u32 tick)
{
	return timeout && (__s32)(tick - seen) > (__s32)timeout;
}

/* Whether its entry still counts. */
static __always_inline int is_alive(struct flow *flow, __u32 tick)
{
	if (is_over(flow->seen, timeout_of(flow->state), tick)) {
		count_event(EVENT_FLOW_EXPIRED);
		return 0;
	}
	return 1;
}

/* Only what differs is written, since CPUs share the line. */
static __always_inline void touch(struct flow *flow, const struct packet *packet, __u32 tick)
{
	__u8 state = next_state(packet, flow->state);

	if (flow->seen != tick)
		flow->seen = tick;
	if (flow->state != state)
		flow->state = state;
}

/* What this CPU has remembered in this tick; NULL: there is no limit. */
static __always_inline struct new_flows *remembered_now(__u32 tick)
{
	struct new_flows *new;
	__u32 zero = 0;

	if (!constants.new_flows)
		return NULL;
	new = bpf_map_lookup_elem(&new_flows, &zero);
	if (new && new->tick != tick) {
		new->tick = tick;
		new->count = 0;
	}
	return new;
}

/* Whether this CPU may remember one more flow in this tick. */
static __always_inline int is_over_limit(const struct new_flows *new)
{
	if (!new || new->count < constants.new_flows)
		return 0;
	count_event(EVENT_FLOW_OVER_LIMIT);
	return 1;
}

/* The packet goes its way even if it is not remembered: the table still knows. */
static __always_inline void remember(struct flow *flow, const struct flow_name *name, const struct packet *packet,
				     const struct choice *choice, __u32 tick)
{
	struct flow fresh = {
		.real = choice->number,
		.seen = tick,
		.entropy = choice->entropy,
		.state = next_state(packet, FLOW_OTHER),
	};

	struct new_flows *new;

	if (flow) {
		*flow = fresh;
		return;
	}
	new = remembered_now(tick);
	if (is_over_limit(new))
		return;
	if (new)
		new->count++;
	count_event(bpf_map_update_elem(&flows, name, &fresh, BPF_ANY) ? EVENT_FLOW_REFUSED : EVENT_FLOW_ADDED);
}

static __always_inline enum verdict schedule(const struct packet *packet, const struct service *service,
					     const struct settings *settings, struct choice *choice)
{
	struct flow_name name = {
		.source = packet->flow.source,
		.service = service->id << 8 | packet->flow.protocol,
		.source_port = packet->flow.source_port,
		.vip_port = packet->flow.vip_port,
	};
	int quotes = packet->flags & PACKET_QUOTES;
	int starts = packet->tcp == TCP_STARTS && !quotes;
	__u32 tick = has_timeouts() || constants.new_flows ? now() : 0;
	/*
	 * In a flood of SYNs the table is not even looked at, which is most of the work. Who reuses a remembered flow's
	 * ports then goes on to the real that is remembered; it is another one only if the table has changed.
	 */
	int flooded = starts && is_over_limit(remembered_now(tick));
	struct flow *flow = flooded ? NULL : bpf_map_lookup_elem(&flows, &name);

	if (flow && !starts && is_alive(flow, tick) &&
	    use_real(flow->real, service->id, choice)) {
		choice->entropy = flow->entropy;
		choice->hashed = 1;
		if (!quotes)
			touch(flow, packet, tick);
		return VERDICT_FORWARD_FLOW;
	}
	if (!use_real(slot_of(&packet->flow, service, settings, choice), service->id, choice))
		return VERDICT_DROP_NO_REAL;
	/* An error is no packet of the flow that it quotes. */
	if (!quotes && !flooded)
		remember(flow, &name, packet, choice, tick);
	return VERDICT_FORWARD_TABLE;
}

/*
 * The packet's headers are judged, and agree. Of an error that quotes a QUIC packet the 5-tuple decides: what is
 * quoted was sent to the client, and has the client's connection ID.
 */
static __always_inline enum verdict choose(context *ctx, struct packet *packet, const struct service *service,
					   const struct settings *settings, struct choice *choice)
{
	if (service->key == HASH_KEY_3_TUPLE) {
		packet->flow.source_port = 0;
		packet->flow.vip_port = 0;
	} else if (service->key == HASH_KEY_QUIC_CID && packet->flow.protocol == IPPROTO_UDP &&
		   !(packet->flags & PACKET_QUOTES) && names_real(ctx, packet, service, choice)) {
		return VERDICT_FORWARD_SERVER_ID;
	}
	return schedule(packet, service, settings, choice);
}

#endif
