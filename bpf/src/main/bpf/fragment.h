/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The first fragment of a packet carries the ports; the others follow it. Where the ports do not matter they find
 * their real without it.
 */
#ifndef L4LB_FRAGMENT_H
#define L4LB_FRAGMENT_H

#include <bpf/bpf_helpers.h>

#include "l4lb.h"
#include "maps.h"
#include "packet.h"
#include "schedule.h"

static __always_inline struct fragment_key fragment_key_of(const struct packet *packet)
{
	struct fragment_key key = {
		.source = packet->flow.source,
		.vip = packet->flow.vip,
		.id = packet->fragment_id,
		.protocol = packet->fragment_protocol,
	};

	return key;
}

/* The first fragment's real, if it may still have traffic. */
static __always_inline int recall_fragment(struct packet *packet, struct choice *choice)
{
	struct fragment_key key = fragment_key_of(packet);
	struct fragment *first = bpf_map_lookup_elem(&fragments, &key);

	if (!first || (constants.fragment_timeout && is_over(first->seen, constants.fragment_timeout, now())))
		return 0;
	if (!use_real(first->real, first->service, choice))
		return 0;
	packet->service = first->service + 1;
	return 1;
}

/*
 * Remembers where a first fragment goes, unless the others find it by themselves: their service does not depend on
 * ports, nor does its key, and they show the same protocol.
 */
__noinline int remember_fragment(const struct packet *packet, const struct service *service, __u32 real, __u32 by_port)
{
	struct fragment fragment = {.real = real};
	struct fragment_key key;

	if (!packet || !service)
		return 0;
	if (!by_port && service->key == HASH_KEY_3_TUPLE && packet->fragment_protocol == packet->flow.protocol)
		return 0;
	fragment.service = service->id;
	fragment.seen = constants.fragment_timeout ? now() : 0;
	key = fragment_key_of(packet);
	return bpf_map_update_elem(&fragments, &key, &fragment, BPF_ANY);
}

#endif
