/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The way out: the inner TTL goes down by one, the outer headers go in front, the next hop's MAC on top. */
#ifndef L4LB_FORWARD_H
#define L4LB_FORWARD_H

#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#include "address.h"
#include "l4lb.h"
#include "mss.h"
#include "outer.h"
#include "packet.h"
#include "parse.h"
#include "schedule.h"
#include "toobig.h"

#define ADDRESS_FAMILY_IPV4 2
#define ADDRESS_FAMILY_IPV6 10

/* Everything that is needed to write the outer headers, taken before the frame is moved. */
struct tunnel {
	struct address source;
	__u8 gateway[ETH_ALEN];
	__u8 own[ETH_ALEN]; /* our MAC on the interface that the frame leaves by */
	__u32 overhead;
	__u32 interface; /* 0: where it came in */
	int to_ipv4;
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

/* Replaces the last bits of the source by those of the flow hash, so that the real's NIC can spread flows. */
static __always_inline void vary_source(struct address *source, int to_ipv4, __u16 entropy)
{
	__u16 mask = (1u << (to_ipv4 ? constants.source4_bits : constants.source6_bits)) - 1;
	__be16 last;

	__builtin_memcpy(&last, &source->bytes[14], sizeof(last));
	last = (last & ~bpf_htons(mask)) | bpf_htons(entropy & mask);
	__builtin_memcpy(&source->bytes[14], &last, sizeof(last));
}

/* Where the flow table and the slot were not asked. Verified apart from its callers. */
__noinline int entropy_of(const struct packet *packet, const struct settings *settings)
{
	return packet && settings ? (__u16)siphash_flow(settings->seed, &packet->flow) : 0;
}

static __always_inline int needs_entropy(const struct choice *choice, int to_ipv4)
{
	return (choice->flags & REAL_GUE) || (to_ipv4 ? constants.source4_bits : constants.source6_bits);
}

/* The next hop that the kernel's routes and neighbours have for the real, and the interface that leads there. */
__noinline int ask_fib(struct xdp_md *ctx, struct tunnel *tunnel, const struct choice *choice)
{
	struct bpf_fib_lookup fib = {};

	if (!tunnel || !choice)
		return 0;
	fib.family = tunnel->to_ipv4 ? ADDRESS_FAMILY_IPV4 : ADDRESS_FAMILY_IPV6;
	fib.ifindex = ctx->ingress_ifindex;
	if (tunnel->to_ipv4) {
		fib.ipv4_src = address_to_ipv4(&tunnel->source);
		fib.ipv4_dst = address_to_ipv4(&choice->address);
	} else {
		__builtin_memcpy(fib.ipv6_src, &tunnel->source, sizeof(tunnel->source));
		__builtin_memcpy(fib.ipv6_dst, &choice->address, sizeof(choice->address));
	}
	if (bpf_fib_lookup(ctx, &fib, sizeof(fib), 0) != BPF_FIB_LKUP_RET_SUCCESS)
		return 0;
	__builtin_memcpy(tunnel->gateway, fib.dmac, ETH_ALEN);
	__builtin_memcpy(tunnel->own, fib.smac, ETH_ALEN);
	tunnel->interface = fib.ifindex == ctx->ingress_ifindex ? 0 : fib.ifindex;
	return 1;
}

static __always_inline int find_next_hop(struct xdp_md *ctx, struct tunnel *tunnel, const struct hop *hop,
					 const struct choice *choice)
{
	tunnel->source = hop->source;
	if (address_is_zero(&tunnel->source))
		return 0;
	if (constants.fib)
		return ask_fib(ctx, tunnel, choice);
	__builtin_memcpy(tunnel->gateway, hop->gateway, ETH_ALEN);
	tunnel->interface = hop->interface;
	if (tunnel->interface && tunnel->interface == ctx->ingress_ifindex)
		tunnel->interface = 0;
	if (tunnel->interface)
		__builtin_memcpy(tunnel->own, hop->own, ETH_ALEN);
	return !mac_is_zero(tunnel->gateway);
}

/* What changes of the packet itself. */
static __always_inline int prepare_inner(struct xdp_md *ctx, struct packet *packet)
{
	struct ipv6hdr *ipv6;
	struct iphdr *ipv4;

	if (constants.mss_clamp && packet->tcp == TCP_STARTS)
		clamp_mss(ctx, packet);
	if (packet->inner.protocol == IPPROTO_IPIP) {
		ipv4 = bytes_at(ctx, packet->ip_at, sizeof(*ipv4));
		if (!ipv4)
			return 0;
		ipv4_decrement_ttl(ipv4);
	} else {
		ipv6 = bytes_at(ctx, packet->ip_at, sizeof(*ipv6));
		if (!ipv6)
			return 0;
		ipv6->hop_limit--;
	}
	return 1;
}

/* Tags stay in front where the frame leaves by the interface that it came in by, and only there. */
static __always_inline int write_ethernet(struct xdp_md *ctx, const struct packet *packet,
					  const struct tunnel *tunnel, __u32 outer_at)
{
	struct ethhdr *ethernet = bytes_at(ctx, 0, MAX_IP_AT);
	__be16 *type;

	if (!ethernet)
		return 0;
	__builtin_memcpy(ethernet->h_dest, tunnel->gateway, ETH_ALEN);
	__builtin_memcpy(ethernet->h_source, tunnel->own, ETH_ALEN);
	ethernet->h_proto = bpf_htons(tunnel->to_ipv4 ? ETH_P_IP : ETH_P_IPV6);
	if (outer_at == ETH_HLEN)
		return 1;
	__builtin_memcpy(&ethernet->h_proto, packet->tags, sizeof(packet->tags));
	type = bytes_at(ctx, outer_at - sizeof(*type), sizeof(*type));
	if (!type)
		return 0;
	*type = bpf_htons(tunnel->to_ipv4 ? ETH_P_IP : ETH_P_IPV6);
	return 1;
}

static __always_inline int write_outer(struct xdp_md *ctx, const struct packet *packet, const struct tunnel *tunnel,
				       const struct choice *choice, __u32 at)
{
	__u32 header = tunnel->to_ipv4 ? sizeof(struct iphdr) : sizeof(struct ipv6hdr);
	struct inner inner = packet->inner;
	struct udphdr *udp;
	void *outer;

	if (choice->flags & REAL_GUE) {
		udp = bytes_at(ctx, at + header, sizeof(*udp));
		if (!udp)
			return 0;
		outer_udp(udp, inner.length, choice->entropy);
		inner.length += sizeof(*udp);
		inner.protocol = IPPROTO_UDP;
	}
	if (tunnel->to_ipv4) {
		outer = bytes_at(ctx, at, sizeof(struct iphdr));
		if (!outer)
			return 0;
		outer_ipv4(outer, &inner, &tunnel->source, &choice->address);
	} else {
		outer = bytes_at(ctx, at, sizeof(struct ipv6hdr));
		if (!outer)
			return 0;
		outer_ipv6(outer, &inner, &tunnel->source, &choice->address);
	}
	return 1;
}

/* UNDECIDED: the frame is ready to leave by packet->interface. */
static __always_inline enum verdict forward(struct xdp_md *ctx, struct packet *packet,
					    const struct settings *settings, struct choice *choice)
{
	struct tunnel tunnel = {.to_ipv4 = address_is_ipv4(&choice->address)};
	struct ethhdr *ethernet;
	__u32 outer_at;

	if (packet->ttl <= 1)
		return VERDICT_DROP_TTL;
	tunnel.overhead = tunnel.to_ipv4 ? sizeof(struct iphdr) : sizeof(struct ipv6hdr);
	if (choice->flags & REAL_GUE)
		tunnel.overhead += sizeof(struct udphdr);
	if (packet->inner.length + tunnel.overhead > settings->mtu)
		return constants.too_big_answers ? answer_too_big(ctx, packet, settings->mtu - tunnel.overhead)
						 : VERDICT_DROP_TOO_BIG;
	if (!find_next_hop(ctx, &tunnel, tunnel.to_ipv4 ? &settings->ipv4 : &settings->ipv6, choice))
		return VERDICT_DROP_NO_NEXT_HOP;
	if (needs_entropy(choice, tunnel.to_ipv4)) {
		if (!choice->hashed)
			choice->entropy = entropy_of(packet, settings);
		vary_source(&tunnel.source, tunnel.to_ipv4, choice->entropy);
	}
	if (!prepare_inner(ctx, packet))
		return VERDICT_DROP_MALFORMED;
	if (!tunnel.interface) {
		ethernet = bytes_at(ctx, 0, sizeof(*ethernet));
		if (!ethernet)
			return VERDICT_DROP_MALFORMED;
		__builtin_memcpy(tunnel.own, ethernet->h_dest, ETH_ALEN);
	}
	outer_at = tunnel.interface ? ETH_HLEN : packet->ip_at;
	if (bpf_xdp_adjust_head(ctx, (int)packet->ip_at - (int)outer_at - (int)tunnel.overhead))
		return VERDICT_DROP_NO_HEADROOM;
	if (!write_ethernet(ctx, packet, &tunnel, outer_at) || !write_outer(ctx, packet, &tunnel, choice, outer_at))
		return VERDICT_DROP_NO_HEADROOM;
	packet->interface = tunnel.interface;
	return UNDECIDED;
}

#endif
