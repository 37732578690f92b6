// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * tc ingress on a real: takes the outer header off IP-in-IP packets that were sent to this host, in all
 * four combinations of families. Everything else is untouched.
 *
 * Fragments of tunnel packets are dropped: they would have to be reassembled before they are opened.
 */
#include <linux/bpf.h>
#include <linux/if_packet.h>
#include <linux/pkt_cls.h>

#include <bpf/bpf_helpers.h>

#include "outer.h"
#include "parse.h"

/* Newer than Debian 12's linux/bpf.h (Linux 6.3). Older kernels refuse them: mixed families need 6.3. */
#ifndef BPF_F_ADJ_ROOM_DECAP_L3_IPV4
#define BPF_F_ADJ_ROOM_DECAP_L3_IPV4 (1ull << 7)
#define BPF_F_ADJ_ROOM_DECAP_L3_IPV6 (1ull << 8)
#endif

#define NOT_A_TUNNEL 0
#define MALFORMED -1

struct fragment_header {
	__u8 next;
	__u8 reserved;
	__be16 offset;
	__be32 id;
};

static __always_inline int is_tunnel(__u8 protocol)
{
	return protocol == IPPROTO_IPIP || protocol == IPPROTO_IPV6;
}

/* Length of the outer header, NOT_A_TUNNEL or MALFORMED. */
static __always_inline int outer_length_ipv4(struct __sk_buff *skb, __u8 *protocol)
{
	struct iphdr outer;

	if (bpf_skb_load_bytes(skb, ETH_HLEN, &outer, sizeof(outer)))
		return NOT_A_TUNNEL;
	if (outer.version != 4 || outer.ihl < 5 || !is_tunnel(outer.protocol))
		return NOT_A_TUNNEL;
	if (ipv4_is_fragment(&outer))
		return MALFORMED;
	*protocol = outer.protocol;
	return outer.ihl * 4;
}

static __always_inline int outer_length_ipv6(struct __sk_buff *skb, __u8 *protocol)
{
	struct fragment_header fragment;
	struct ipv6hdr outer;

	if (bpf_skb_load_bytes(skb, ETH_HLEN, &outer, sizeof(outer)) || outer.version != 6)
		return NOT_A_TUNNEL;
	if (outer.nexthdr == IPV6_NEXT_FRAGMENT) {
		if (bpf_skb_load_bytes(skb, ETH_HLEN + sizeof(outer), &fragment, sizeof(fragment)))
			return NOT_A_TUNNEL;
		return is_tunnel(fragment.next) ? MALFORMED : NOT_A_TUNNEL;
	}
	if (!is_tunnel(outer.nexthdr))
		return NOT_A_TUNNEL;
	*protocol = outer.nexthdr;
	return sizeof(outer);
}

static __always_inline int inner_is(struct __sk_buff *skb, int offset, __u8 version)
{
	__u8 first;

	return !bpf_skb_load_bytes(skb, offset, &first, sizeof(first)) && first >> 4 == version;
}

static __always_inline int strip(struct __sk_buff *skb, int length, __u8 protocol)
{
	__be16 type = protocol == IPPROTO_IPIP ? bpf_htons(ETH_P_IP) : bpf_htons(ETH_P_IPV6);
	/* The segments were cut by the sender: their size stays what it is. */
	__u64 flags = BPF_F_ADJ_ROOM_FIXED_GSO;

	/* The kernel takes skb->protocol from these flags; within one family it needs to be told nothing. */
	if (skb->protocol != type)
		flags |= protocol == IPPROTO_IPIP ? BPF_F_ADJ_ROOM_DECAP_L3_IPV4
						  : BPF_F_ADJ_ROOM_DECAP_L3_IPV6;
	if (bpf_skb_adjust_room(skb, -length, BPF_ADJ_ROOM_MAC, flags))
		return -1;
	return bpf_skb_store_bytes(skb, offsetof(struct ethhdr, h_proto), &type, sizeof(type), 0);
}

SEC("tc")
int decapsulate(struct __sk_buff *skb)
{
	__u8 protocol = 0;
	int length = NOT_A_TUNNEL;

	if (skb->pkt_type != PACKET_HOST)
		return TC_ACT_UNSPEC;
	if (skb->protocol == bpf_htons(ETH_P_IP))
		length = outer_length_ipv4(skb, &protocol);
	else if (skb->protocol == bpf_htons(ETH_P_IPV6))
		length = outer_length_ipv6(skb, &protocol);
	if (length == NOT_A_TUNNEL)
		return TC_ACT_UNSPEC;
	if (length == MALFORMED || !inner_is(skb, ETH_HLEN + length, protocol == IPPROTO_IPIP ? 4 : 6))
		return TC_ACT_SHOT;
	return strip(skb, length, protocol) ? TC_ACT_SHOT : TC_ACT_UNSPEC;
}

char _license[] SEC("license") = "Dual BSD/GPL";
