/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Whose packet it is. */
#ifndef L4LB_SERVICE_H
#define L4LB_SERVICE_H

#include <bpf/bpf_helpers.h>

#include "address.h"
#include "l4lb.h"
#include "packet.h"
#include "tables.h"

/* False for most addresses that are no VIP, after a single look at memory. */
static __always_inline int may_be_vip(const struct address *address)
{
	__u32 zero = 0, bit = vip_filter_bit(address_word(address, 0), address_word(address, 1),
					     address_word(address, 2), address_word(address, 3));
	struct vip_filter *filter = bpf_map_lookup_elem(&vip_filter, &zero);

	return filter && (filter->bits[(bit >> 3) & (sizeof(filter->bits) - 1)] >> (bit & 7) & 1);
}

/* Where a CPU keeps the service that it found for that key. */
static __always_inline __u32 service_cache_index(const struct service_key *key)
{
	const __u32 *words = (const void *)key;

	return ((words[0] ^ words[1] ^ words[2] ^ words[3] ^ words[4]) * 0x9e3779b1u) >> (32 - L4LB_SERVICE_CACHE_BITS);
}

static __always_inline struct service *service_for_any_protocol(const struct address *vip)
{
	struct service_key key = {.vip = *vip};

	return bpf_map_lookup_elem(&services, &key);
}

/*
 * `by_port` becomes whether the port mattered. Port 0 of a packet finds the service for any port, as it should; so does that of a
 * protocol without ports.
 */
static __always_inline struct service *look_up_service(const struct service_key *packet_key, __u32 *by_port)
{
	struct service_key key = *packet_key;
	struct service *service = bpf_map_lookup_elem(&services, &key);

	*by_port = service && key.port;
	if (!service && key.port) {
		key.port = 0;
		service = bpf_map_lookup_elem(&services, &key);
	}
	return service ? service : service_for_any_protocol(&key.vip);
}

/* Read once: it may change while the packet is here. */
static __always_inline __u32 current_generation(void)
{
	__u32 zero = 0;
	const volatile __u32 *generation = bpf_map_lookup_elem(&service_generation, &zero);

	return generation ? *generation : 0;
}

/*
 * Verified apart from its callers: a CPU comes here once for a service. Whether there is one; then it is in `cached`,
 * else what was there stays: who scans ports does not empty the cache.
 */
__noinline int fill_cache(struct cached_service *cached, const struct service_key *key, __u32 generation)
{
	struct service *service;
	__u32 by_port;

	if (!cached || !key)
		return 0;
	/* The generation was read before; nothing of `services` may have been, on CPUs that read ahead. */
	__sync_lock_test_and_set(&cached->fence, 0);
	service = look_up_service(key, &by_port);
	if (!service)
		return 0;
	cached->key = *key;
	cached->service = *service;
	cached->by_port = by_port;
	cached->generation = generation;
	return 1;
}

/* Word by word, as the packet's key was written: a longer load would wait for those stores. */
static __always_inline int is_cached(const struct cached_service *cached, const struct service_key *key, __u32 generation)
{
	const __u32 *own = (const void *)&cached->key, *wanted = (const void *)key;

	return cached->generation == generation && own[0] == wanted[0] && own[1] == wanted[1] && own[2] == wanted[2] &&
	       own[3] == wanted[3] && own[4] == wanted[4];
}

/* NULL: there is none. */
static __always_inline struct service *find_service(const struct packet *packet, __u32 *by_port)
{
	struct service_key key = {
		.vip = packet->flow.vip,
		.port = packet->flow.vip_port,
		.protocol = packet->flow.protocol,
	};
	__u32 index = service_cache_index(&key);
	struct cached_service *cached;
	__u32 generation;

	if (packet->flags & PACKET_INCOMPLETE)
		return service_for_any_protocol(&packet->flow.vip);
	generation = current_generation();
	cached = generation ? bpf_map_lookup_elem(&service_cache, &index) : NULL;
	if (!cached)
		return look_up_service(&key, by_port);
	if (!is_cached(cached, &key, generation) && !fill_cache(cached, &key, generation))
		return NULL;
	*by_port = cached->by_port;
	return &cached->service;
}

static __always_inline int is_vip(const struct address *address)
{
	struct address key = *address; /* Linux 6.1 takes no key from what a function was given */

	return bpf_map_lookup_elem(&vips, &key) != NULL;
}

/* Of a later fragment that no service takes: whether there is one whose first fragment it missed. */
static __always_inline enum verdict judge_orphan(const struct flow_key *flow)
{
	struct vip *vip = bpf_map_lookup_elem(&vips, &flow->vip);
	__u8 protocol = flow->protocol;

	if (!vip)
		return VERDICT_PASS_NO_SERVICE;
	return vip->protocols[(protocol >> 3) & (sizeof(vip->protocols) - 1)] >> (protocol & 7) & 1
		       ? VERDICT_DROP_FRAGMENT
		       : VERDICT_PASS_FRAGMENT;
}

#endif
