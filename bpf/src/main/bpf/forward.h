/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The way out: the inner TTL goes down by one, the outer header goes in front, the next hop's MAC on top. */
#ifndef L4LB_FORWARD_H
#define L4LB_FORWARD_H

#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#include "address.h"
#include "l4lb.h"
#include "outer.h"
#include "packet.h"
#include "parse.h"

/* Everything that is needed to write the outer headers, taken before the frame is moved. */
struct tunnel {
	struct inner inner;
	struct address source;
	struct address destination;
	__u8 gateway[ETH_ALEN];
	__u8 own[ETH_ALEN]; /* our MAC: where the frame came to */
};

static __always_inline int mac_is_zero(const __u8 *mac)
{
	return (mac[0] | mac[1] | mac[2] | mac[3] | mac[4] | mac[5]) == 0;
}

/* RFC 1624, equation 3, for a change of one in the upper byte of a word. */
static __always_inline void ipv4_decrement_ttl(struct iphdr *ip)
{
	__u32 check = ip->check;

	check += bpf_htons(0x0100);
	ip->check = check + (check >= 0xffff);
	ip->ttl--;
}

/* The frame still begins with the packet's own Ethernet header. */
static __always_inline enum verdict take_off(struct cursor cursor, struct tunnel *tunnel)
{
	struct ethhdr *ethernet = parse_ethernet(&cursor);
	struct ipv6hdr *ipv6;
	struct iphdr *ipv4;

	if (!ethernet)
		return VERDICT_DROP_MALFORMED;
	__builtin_memcpy(tunnel->own, ethernet->h_dest, ETH_ALEN);
	if (tunnel->inner.protocol == IPPROTO_IPIP) {
		ipv4 = cursor.position;
		if ((void *)(ipv4 + 1) > cursor.end)
			return VERDICT_DROP_MALFORMED;
		ipv4_decrement_ttl(ipv4);
	} else {
		ipv6 = cursor.position;
		if ((void *)(ipv6 + 1) > cursor.end)
			return VERDICT_DROP_MALFORMED;
		ipv6->hop_limit--;
	}
	return UNDECIDED;
}

static __always_inline void write_ethernet(struct ethhdr *ethernet, const struct tunnel *tunnel,
					   __u16 type)
{
	__builtin_memcpy(ethernet->h_dest, tunnel->gateway, ETH_ALEN);
	__builtin_memcpy(ethernet->h_source, tunnel->own, ETH_ALEN);
	ethernet->h_proto = bpf_htons(type);
}

static __always_inline enum verdict push_ipv4(struct xdp_md *ctx, const struct tunnel *tunnel)
{
	struct ethhdr *ethernet;
	struct iphdr *outer;

	if (bpf_xdp_adjust_head(ctx, -(int)sizeof(*outer)))
		return VERDICT_DROP_NO_HEADROOM;
	ethernet = (void *)(long)ctx->data;
	outer = (void *)(ethernet + 1);
	if ((void *)(outer + 1) > (void *)(long)ctx->data_end)
		return VERDICT_DROP_NO_HEADROOM;
	write_ethernet(ethernet, tunnel, ETH_P_IP);
	outer_ipv4(outer, &tunnel->inner, &tunnel->source, &tunnel->destination);
	return UNDECIDED;
}

static __always_inline enum verdict push_ipv6(struct xdp_md *ctx, const struct tunnel *tunnel)
{
	struct ethhdr *ethernet;
	struct ipv6hdr *outer;

	if (bpf_xdp_adjust_head(ctx, -(int)sizeof(*outer)))
		return VERDICT_DROP_NO_HEADROOM;
	ethernet = (void *)(long)ctx->data;
	outer = (void *)(ethernet + 1);
	if ((void *)(outer + 1) > (void *)(long)ctx->data_end)
		return VERDICT_DROP_NO_HEADROOM;
	write_ethernet(ethernet, tunnel, ETH_P_IPV6);
	outer_ipv6(outer, &tunnel->inner, &tunnel->source, &tunnel->destination);
	return UNDECIDED;
}

/* UNDECIDED: the frame is ready for XDP_TX. */
static __always_inline enum verdict forward(struct xdp_md *ctx, const struct packet *packet,
					    const struct settings *settings,
					    const struct address *real)
{
	struct cursor cursor = {(void *)(long)ctx->data, (void *)(long)ctx->data_end};
	int to_ipv4 = address_is_ipv4(real);
	__u32 overhead = to_ipv4 ? sizeof(struct iphdr) : sizeof(struct ipv6hdr);
	struct tunnel tunnel = {.inner = packet->inner, .destination = *real};
	enum verdict verdict;

	if (packet->ttl <= 1)
		return VERDICT_DROP_TTL;
	if (packet->inner.length + overhead > settings->mtu)
		return VERDICT_DROP_TOO_BIG;
	tunnel.source = to_ipv4 ? settings->ipv4.source : settings->ipv6.source;
	__builtin_memcpy(tunnel.gateway, to_ipv4 ? settings->ipv4.gateway : settings->ipv6.gateway, ETH_ALEN);
	if (address_is_zero(&tunnel.source) || mac_is_zero(tunnel.gateway))
		return VERDICT_DROP_NO_NEXT_HOP;
	verdict = take_off(cursor, &tunnel);
	if (verdict != UNDECIDED)
		return verdict;
	return to_ipv4 ? push_ipv4(ctx, &tunnel) : push_ipv6(ctx, &tunnel);
}

#endif
