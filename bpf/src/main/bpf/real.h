/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The real that a server ID names, and that of a slot in the lookup table of a service: what needs no memory of flows. */
#ifndef L4LB_REAL_H
#define L4LB_REAL_H

#include <bpf/bpf_helpers.h>

#include "l4lb.h"
#include "packet.h"
#include "parse.h"
#include "quic.h"
#include "siphash.h"
#include "tables.h"

/* What was chosen. The real's address is copied: the map's entry may change while the packet is here. */
struct choice {
	struct address address;
	__u32 number;
	__u32 flags;   /* REAL_ */
	__u16 entropy; /* the low bits of the flow hash, if `hashed` */
	__u16 hashed;
};

/* Whether that number names a real of the service that may have traffic; then it is chosen. */
static __always_inline int use_real(__u32 number, __u32 service, struct choice *choice)
{
	struct real *real = bpf_map_lookup_elem(&reals, &number);

	if (!real || !(real->flags & REAL_ACTIVE) || real->service != service)
		return 0;
	choice->address = real->address;
	choice->number = number;
	choice->flags = real->flags;
	return 1;
}

/* The number in the flow's slot, or L4LB_NO_REAL. */
static __always_inline __u32 slot_of(const struct flow_key *key, const struct service *service,
				     const struct settings *settings, struct choice *choice)
{
	void *table = bpf_map_lookup_elem(&tables, &service->table);
	__u64 hash = siphash_flow(settings->seed, key);
	__u32 index = ((hash >> 32) * service->table_size) >> 32;
	__u32 *slot;

	choice->entropy = hash;
	choice->hashed = 1;
	if (!table)
		return L4LB_NO_REAL;
	slot = bpf_map_lookup_elem(table, &index);
	return slot ? *slot : L4LB_NO_REAL;
}

/* Whether the packet carries a server ID of a real that may have traffic. */
static __always_inline int names_real(context *ctx, const struct packet *packet,
				      const struct service *service, struct choice *choice)
{
	struct server_id_key key = {.service = service->id};
	struct cursor payload = {
		bytes_at(ctx, packet->transport_at + sizeof(struct udphdr), 0),
		(void *)(long)ctx->data_end,
	};
	struct server_id *named;

	if (!payload.position || !read_server_id(ctx, payload, packet->payload, service, &key))
		return 0;
	named = bpf_map_lookup_elem(&server_ids, &key);
	return named && use_real(named->real, service->id, choice);
}

#endif
