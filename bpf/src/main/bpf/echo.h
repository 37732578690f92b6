/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* An echo request to a VIP is answered by the director. */
#ifndef L4LB_ECHO_H
#define L4LB_ECHO_H

#include <bpf/bpf_helpers.h>

#include "icmp.h"
#include "l4lb.h"
#include "outer.h"
#include "packet.h"
#include "parse.h"

static __always_inline void turn_around_ethernet(struct ethhdr *ethernet)
{
	__u8 asking[ETH_ALEN];

	__builtin_memcpy(asking, ethernet->h_source, ETH_ALEN);
	__builtin_memcpy(ethernet->h_source, ethernet->h_dest, ETH_ALEN);
	__builtin_memcpy(ethernet->h_dest, asking, ETH_ALEN);
}

static __always_inline int turn_around_ip(struct xdp_md *ctx, const struct packet *packet)
{
	struct ipv6hdr *ipv6;
	struct in6_addr asking6;
	struct iphdr *ipv4;
	__be32 asking4;
	__u16 before, after;

	if (packet->inner.protocol == IPPROTO_IPV6) {
		ipv6 = bytes_at(ctx, packet->ip_at, sizeof(*ipv6));
		if (!ipv6)
			return 0;
		asking6 = ipv6->saddr;
		ipv6->saddr = ipv6->daddr;
		ipv6->daddr = asking6;
		ipv6->hop_limit = OUTER_TTL;
		return 1;
	}
	ipv4 = bytes_at(ctx, packet->ip_at, sizeof(*ipv4));
	if (!ipv4)
		return 0;
	asking4 = ipv4->saddr;
	ipv4->saddr = ipv4->daddr;
	ipv4->daddr = asking4;
	__builtin_memcpy(&before, &ipv4->ttl, sizeof(before));
	ipv4->ttl = OUTER_TTL;
	__builtin_memcpy(&after, &ipv4->ttl, sizeof(after));
	ipv4->check = mend_checksum(ipv4->check, before, after);
	return 1;
}

/* The request becomes its reply in its place (RFC 792; RFC 4443, 4.2): everything else stays. */
__noinline int answer_echo(struct xdp_md *ctx, struct packet *packet)
{
	struct ethhdr *ethernet;
	struct icmp *icmp;
	__u16 before, after;

	if (!packet)
		return VERDICT_DROP_MALFORMED;
	icmp = bytes_at(ctx, packet->transport_at, sizeof(*icmp));
	if (!icmp)
		return VERDICT_DROP_MALFORMED;
	__builtin_memcpy(&before, icmp, sizeof(before));
	icmp->type = packet->inner.protocol == IPPROTO_IPIP ? ICMP_ECHOREPLY : ICMPV6_ECHO_REPLY;
	__builtin_memcpy(&after, icmp, sizeof(after));
	icmp->checksum = mend_checksum(icmp->checksum, before, after);
	if (!turn_around_ip(ctx, packet))
		return VERDICT_DROP_MALFORMED;
	ethernet = bytes_at(ctx, 0, sizeof(*ethernet));
	if (!ethernet)
		return VERDICT_DROP_MALFORMED;
	turn_around_ethernet(ethernet);
	return VERDICT_ANSWER_ECHO;
}

#endif
