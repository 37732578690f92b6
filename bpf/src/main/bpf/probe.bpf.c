// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * tc egress on a director: a packet whose mark names a probe leaves inside a tunnel to that probe's real,
 * so that the probe travels as the traffic it speaks for does: IP in IP, or GUE. Packets without our mark are
 * untouched.
 *
 * Checksums are left to whoever finishes them for other packets: the inner packet may still be
 * CHECKSUM_PARTIAL, or a GSO packet; bpf_skb_adjust_room records the inner headers for both.
 */
#include <linux/bpf.h>
#include <linux/pkt_cls.h>

#include <bpf/bpf_helpers.h>

#include "address.h"
#include "l4lb.h"
#include "outer.h"
#include "parse.h"

#define MARK_MASK 0xffff0000
#define MARK_RANGE 0x4c340000 /* "L4": what these marks name is a probe, or nothing */

/* draft-ietf-intarea-gue, variant 1: the IP packet right behind the UDP header. */
#define GUE_PORT 6080
#define GUE_SOURCE_PORTS 0xc000 /* and up: the dynamic ports, RFC 6335 */

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, L4LB_MAX_PROBES);
	__type(key, __u32);
	__type(value, struct probe_target);
} probes SEC(".maps");

/* Zero, or negative if it is not IP. Copies, since the header may lie in a page of its own. */
static __always_inline int read_inner(struct __sk_buff *skb, struct inner *inner)
{
	struct ipv6hdr ipv6;
	struct iphdr ipv4;

	if (skb->protocol == bpf_htons(ETH_P_IP)) {
		if (bpf_skb_load_bytes(skb, ETH_HLEN, &ipv4, sizeof(ipv4)) || ipv4.version != 4)
			return -1;
		inner->protocol = IPPROTO_IPIP;
		inner->traffic_class = ipv4.tos;
	} else if (skb->protocol == bpf_htons(ETH_P_IPV6)) {
		if (bpf_skb_load_bytes(skb, ETH_HLEN, &ipv6, sizeof(ipv6)) || ipv6.version != 6)
			return -1;
		inner->protocol = IPPROTO_IPV6;
		inner->traffic_class = ipv6_traffic_class(&ipv6);
	} else {
		return -1;
	}
	/* Not padded yet; and a GSO packet's header need not say its length. */
	inner->length = skb->len - ETH_HLEN;
	return 0;
}

static __always_inline int store_ethertype(struct __sk_buff *skb, __u16 type)
{
	__be16 value = bpf_htons(type);

	return bpf_skb_store_bytes(skb, offsetof(struct ethhdr, h_proto), &value, sizeof(value), 0);
}

/* The port varies with the flow, so that the way and the real's receive queue do as well. Length 0: no such header. */
static __always_inline __u32 fill_gue(struct __sk_buff *skb, struct udphdr *udp, struct inner *inner, __u32 flags)
{
	if (!(flags & REAL_GUE))
		return 0;
	udp->source = bpf_htons(GUE_SOURCE_PORTS | (bpf_get_hash_recalc(skb) & ~GUE_SOURCE_PORTS & 0xffff));
	udp->dest = bpf_htons(GUE_PORT);
	udp->len = bpf_htons(inner->length + sizeof(*udp));
	udp->check = 0; /* RFC 6935: also over IPv6, since the inner packet has its own */
	inner->length += sizeof(*udp);
	inner->protocol = IPPROTO_UDP;
	return sizeof(*udp);
}

/* Without BPF_F_ADJ_ROOM_FIXED_GSO the segments get smaller, so that they fit once encapsulated. */
static __always_inline int push_headers(struct __sk_buff *skb, const void *ip, __u32 ip_length, const void *udp,
					__u32 udp_length, __u64 flags)
{
	if (udp_length)
		flags |= BPF_F_ADJ_ROOM_ENCAP_L4_UDP;
	if (bpf_skb_adjust_room(skb, ip_length + udp_length, BPF_ADJ_ROOM_MAC, flags))
		return -1;
	if (udp_length && bpf_skb_store_bytes(skb, ETH_HLEN + ip_length, udp, sizeof(struct udphdr), 0))
		return -1;
	return bpf_skb_store_bytes(skb, ETH_HLEN, ip, ip_length, 0);
}

static __always_inline int encapsulate(struct __sk_buff *skb, const struct probe_target *target)
{
	struct inner inner = {};
	struct ipv6hdr ipv6 = {};
	struct iphdr ipv4 = {};
	struct udphdr udp = {};
	__u32 udp_length;

	if (read_inner(skb, &inner))
		return -1;
	udp_length = fill_gue(skb, &udp, &inner, target->flags);
	if (address_is_ipv4(&target->real)) {
		if (address_is_zero(&target->source4))
			return -1;
		outer_ipv4(&ipv4, &inner, &target->source4, &target->real);
		return push_headers(skb, &ipv4, sizeof(ipv4), &udp, udp_length, BPF_F_ADJ_ROOM_ENCAP_L3_IPV4) ||
		       store_ethertype(skb, ETH_P_IP);
	}
	if (address_is_zero(&target->source6))
		return -1;
	outer_ipv6(&ipv6, &inner, &target->source6, &target->real);
	return push_headers(skb, &ipv6, sizeof(ipv6), &udp, udp_length, BPF_F_ADJ_ROOM_ENCAP_L3_IPV6) ||
	       store_ethertype(skb, ETH_P_IPV6);
}

SEC("tc")
int probe(struct __sk_buff *skb)
{
	__u32 mark = skb->mark;
	struct probe_target *target;

	if (!mark)
		return TC_ACT_UNSPEC;
	target = bpf_map_lookup_elem(&probes, &mark);
	if (!target)
		return (mark & MARK_MASK) == MARK_RANGE ? TC_ACT_SHOT : TC_ACT_UNSPEC;
	/* A probe that left bare would be answered by whoever holds the VIP, and prove nothing. */
	if (encapsulate(skb, target))
		return TC_ACT_SHOT;
	skb->mark = 0;
	/* The probe was on its way to the VIP; what it is now goes where the kernel's routes have the real. */
	return target->interface ? bpf_redirect_neigh(target->interface, NULL, 0, 0) : TC_ACT_UNSPEC;
}

char _license[] SEC("license") = "Dual BSD/GPL";
