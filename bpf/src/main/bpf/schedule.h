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
#include "quic.h"
#include "siphash.h"

/* What was chosen. The real's address is copied: the map's entry may change while the packet is here. */
struct choice {
	struct address address;
	__u32 number;
};

/* The real of that number, if it is this service's and may have traffic. */
static __always_inline struct real *usable_real(__u32 number, const struct service *service)
{
	struct real *real = bpf_map_lookup_elem(&reals, &number);

	if (!real || !(real->flags & REAL_ACTIVE) || real->service != service->id)
		return NULL;
	return real;
}

/* The number in the flow's slot, or L4LB_NO_REAL. */
static __always_inline __u32 slot_of(const struct flow_key *key, const struct service *service,
				     const struct settings *settings)
{
	void *table = bpf_map_lookup_elem(&tables, &service->table);
	__u32 index, *slot;

	if (!table)
		return L4LB_NO_REAL;
	index = ((siphash_flow(settings->seed, key) >> 32) * service->table_size) >> 32;
	slot = bpf_map_lookup_elem(table, &index);
	return slot ? *slot : L4LB_NO_REAL;
}

static __always_inline enum verdict schedule(const struct flow_key *key, const struct service *service,
					     const struct settings *settings, int starts,
					     struct choice *choice)
{
	struct flow_name name = {
		.source = key->source,
		.service = service->id << 8 | key->protocol,
		.source_port = key->source_port,
		.vip_port = key->vip_port,
	};
	struct flow *flow = bpf_map_lookup_elem(&flows, &name);
	struct flow fresh = {};
	struct real *real;

	if (flow && !starts) {
		choice->number = flow->real;
		real = usable_real(choice->number, service);
		if (real) {
			choice->address = real->address;
			return VERDICT_FORWARD_FLOW;
		}
	}
	choice->number = slot_of(key, service, settings);
	real = usable_real(choice->number, service);
	if (!real)
		return VERDICT_DROP_NO_REAL;
	choice->address = real->address;
	if (!flow || flow->real != choice->number) {
		/* May fail when the LRU finds no victim: the packet goes its way, the table still knows. */
		fresh.real = choice->number;
		bpf_map_update_elem(&flows, &name, &fresh, BPF_ANY);
	}
	return VERDICT_FORWARD_TABLE;
}

/* Whether the packet carries a server ID of a real that may have traffic. */
static __always_inline int names_real(struct xdp_md *ctx, const struct packet *packet,
				      const struct service *service, struct choice *choice)
{
	struct server_id_key key = {.service = service->id};
	struct server_id *named;
	struct real *real;

	if (!read_server_id(ctx, packet->transport, packet->payload, service, &key))
		return 0;
	named = bpf_map_lookup_elem(&server_ids, &key);
	if (!named)
		return 0;
	choice->number = named->real;
	real = usable_real(choice->number, service);
	if (!real)
		return 0;
	choice->address = real->address;
	return 1;
}

/* The packet's headers are judged, and agree. */
static __always_inline enum verdict choose(struct xdp_md *ctx, struct packet *packet,
					   const struct service *service,
					   const struct settings *settings, struct choice *choice)
{
	if (service->key == HASH_KEY_3_TUPLE) {
		packet->flow.source_port = 0;
		packet->flow.vip_port = 0;
	} else if (service->key == HASH_KEY_QUIC_CID && packet->flow.protocol == IPPROTO_UDP &&
		   names_real(ctx, packet, service, choice)) {
		return VERDICT_FORWARD_SERVER_ID;
	}
	return schedule(&packet->flow, service, settings, packet->starts, choice);
}

#endif
