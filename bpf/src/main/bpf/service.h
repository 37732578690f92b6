/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Whose packet it is. */
#ifndef L4LB_SERVICE_H
#define L4LB_SERVICE_H

#include <bpf/bpf_helpers.h>

#include "address.h"
#include "l4lb.h"
#include "maps.h"
#include "packet.h"

/* False for most addresses that are no VIP, after a single look at memory. */
static __always_inline int may_be_vip(const struct address *address)
{
	__u32 zero = 0, bit = vip_filter_bit(address_word(address, 0), address_word(address, 1),
					     address_word(address, 2), address_word(address, 3));
	struct vip_filter *filter = bpf_map_lookup_elem(&vip_filter, &zero);

	return filter && (filter->bits[(bit >> 3) & (sizeof(filter->bits) - 1)] >> (bit & 7) & 1);
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
static __always_inline struct service *find_service(const struct packet *packet, int *by_port)
{
	struct service_key key = {
		.vip = packet->flow.vip,
		.port = packet->flow.vip_port,
		.protocol = packet->flow.protocol,
	};
	struct service *service;

	if (!(packet->flags & PACKET_INCOMPLETE)) {
		service = bpf_map_lookup_elem(&services, &key);
		if (service) {
			*by_port = key.port != 0;
			return service;
		}
		if (key.port) {
			key.port = 0;
			service = bpf_map_lookup_elem(&services, &key);
			if (service)
				return service;
		}
	}
	return service_for_any_protocol(&packet->flow.vip);
}

static __always_inline int is_vip(const struct address *address)
{
	return bpf_map_lookup_elem(&vips, address) != NULL;
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
