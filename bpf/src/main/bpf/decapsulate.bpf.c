// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * tc ingress on a real: takes the outer headers off tunnel packets that were sent to this host. IP in IP, in all
 * four combinations of families; GUE (draft-ietf-intarea-gue) to its port, over both families: variant 1, an IP
 * packet right behind the UDP header, and variant 0 with a bare header, which is that of IPVS; and GRE (RFC 2784). Checksums
 * of UDP and GRE are not looked at, so that they may be zero over IPv6 too (RFC 6935): the inner packet has its own.
 * GUE with fields of its own is left alone: one of them (remote checksum offload) says that the inner packet has none.
 *
 * What is not surely such a packet for this host is untouched. So are fragments of tunnel packets: a kernel that
 * has tunnels of its own can reassemble them, this program cannot.
 */
#include <linux/bpf.h>
#include <linux/if_packet.h>
#include <linux/pkt_cls.h>

#include <bpf/bpf_helpers.h>

#include "address.h"
#include "l4lb.h"
#include "outer.h"
#include "parse.h"

/* Newer than Debian 12's linux/bpf.h (Linux 6.3). */
#ifndef BPF_F_ADJ_ROOM_DECAP_L3_IPV4
#define BPF_F_ADJ_ROOM_DECAP_L3_IPV4 (1ull << 7)
#define BPF_F_ADJ_ROOM_DECAP_L3_IPV6 (1ull << 8)
#endif

#define ECN_MASK 3
#define ECN_NOT_ECT 0
#define ECN_ECT_1 1
#define ECN_ECT_0 2
#define ECN_CE 3

/*
 * limits: array of one. A program whose maps nobody fills, as one that tc(8) loads from the object, opens all that
 * comes to this host's MAC; otherwise the next three maps say what is opened.
 */
struct limits {
	__u32 limited; /* whether only what the maps name is opened */
	__u32 build;   /* whatever tells the one that loaded the program which one it is */
};

/* An IPv4 prefix is one of the mapped addresses: 96 bits more. */
struct source_prefix {
	__u32 length; /* bits */
	struct address address;
};

enum opened {
	OPENED,            /* tunnel packets that were opened */
	OPENED_CONGESTED,  /* of these, where the inner packet was told of congestion on the way */
	DROPPED_CONGESTED, /* dropped for congestion on the way: the inner packet's sender does not know ECN */
	DROPPED_FAILED,    /* dropped: the kernel did not take the headers off */
	OPENED_COUNT,
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, struct limits);
} limits SEC(".maps");

/* Inner destinations. Values of this map and the next two mean nothing. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, L4LB_MAX_SERVICE_KEYS);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, struct address);
	__type(value, __u32);
} opened_vips SEC(".maps");

/* Outer destinations: addresses of this host. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1024);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, struct address);
	__type(value, __u32);
} tunnel_ends SEC(".maps");

/* Outer sources. */
struct {
	__uint(type, BPF_MAP_TYPE_LPM_TRIE);
	__uint(max_entries, 1024);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__type(key, struct source_prefix);
	__type(value, __u32);
} tunnel_sources SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 16);
	__type(key, __u32);
	__type(value, __u64);
} opened SEC(".maps");

struct tunnel {
	struct source_prefix source;
	struct address destination;
	__u32 length;       /* of all headers in front of the inner packet, in bytes */
	__u8 traffic_class; /* of the outer header */
	__u8 version;       /* of the inner packet: 4 or 6 */
};

struct opened_packet {
	struct address destination;
	__u8 traffic_class;
};

struct gue_header {
	__u8 control; /* 2 bits variant, 1 bit whether it is a control message, 5 bits length of optional fields */
	__u8 protocol;
	__be16 flags;
};

struct udp_and_gue {
	struct udphdr udp;
	struct gue_header gue;
};

#define GRE_CHECKSUM 0x8000
#define GRE_CHECKSUM_BYTES 4

struct gre_header {
	__be16 flags; /* GRE_CHECKSUM, key, sequence number and others; version */
	__be16 type;  /* as in an Ethernet header */
};

static __always_inline void count_opened(enum opened what)
{
	__u32 index = what;
	__u64 *counter = bpf_map_lookup_elem(&opened, &index);

	if (counter)
		++*counter;
}

/* The protocol behind the outer header; zero if there is none that could be opened. */
static __always_inline __u8 read_outer_ipv4(struct __sk_buff *skb, struct tunnel *tunnel)
{
	struct iphdr outer;

	if (bpf_skb_load_bytes(skb, ETH_HLEN, &outer, sizeof(outer)))
		return 0;
	if (outer.version != 4 || outer.ihl < 5 || ipv4_is_fragment(&outer))
		return 0;
	address_from_ipv4(&tunnel->source.address, outer.saddr);
	address_from_ipv4(&tunnel->destination, outer.daddr);
	tunnel->length = outer.ihl * 4;
	tunnel->traffic_class = outer.tos;
	return outer.protocol;
}

static __always_inline __u8 read_outer_ipv6(struct __sk_buff *skb, struct tunnel *tunnel)
{
	struct ipv6hdr outer;

	if (bpf_skb_load_bytes(skb, ETH_HLEN, &outer, sizeof(outer)) || outer.version != 6)
		return 0;
	address_from_ipv6(&tunnel->source.address, &outer.saddr);
	address_from_ipv6(&tunnel->destination, &outer.daddr);
	tunnel->length = sizeof(outer);
	tunnel->traffic_class = ipv6_traffic_class(&outer);
	return outer.nexthdr;
}

static __always_inline __u8 version_of(__u8 protocol)
{
	return protocol == IPPROTO_IPIP ? 4 : protocol == IPPROTO_IPV6 ? 6 : 0;
}

/* Adds the UDP header's length and the GUE header's; the inner version, or zero if it is not GUE. */
static __always_inline __u8 read_gue(struct __sk_buff *skb, struct tunnel *tunnel)
{
	struct udp_and_gue headers;
	__u8 nibble;

	if (bpf_skb_load_bytes(skb, ETH_HLEN + tunnel->length, &headers, sizeof(headers)))
		return 0;
	if (headers.udp.dest != bpf_htons(GUE_PORT))
		return 0;
	tunnel->length += sizeof(headers.udp);
	nibble = headers.gue.control >> 4;
	if (nibble == 4 || nibble == 6)
		return nibble;
	if (headers.gue.control || headers.gue.flags)
		return 0;
	tunnel->length += sizeof(headers.gue);
	return version_of(headers.gue.protocol);
}

/* The same for GRE, with a checksum or without. */
static __always_inline __u8 read_gre(struct __sk_buff *skb, struct tunnel *tunnel)
{
	struct gre_header gre;

	if (bpf_skb_load_bytes(skb, ETH_HLEN + tunnel->length, &gre, sizeof(gre)))
		return 0;
	if (gre.flags & ~bpf_htons(GRE_CHECKSUM))
		return 0;
	tunnel->length += sizeof(gre) + (gre.flags ? GRE_CHECKSUM_BYTES : 0);
	return gre.type == bpf_htons(ETH_P_IP) ? 4 : gre.type == bpf_htons(ETH_P_IPV6) ? 6 : 0;
}

/* The inner version, or zero if it is no tunnel that could be opened. */
static __always_inline __u8 read_inner_version(struct __sk_buff *skb, struct tunnel *tunnel, __u8 protocol)
{
	switch (protocol) {
	case IPPROTO_UDP:
		return read_gue(skb, tunnel);
	case IPPROTO_GRE:
		return read_gre(skb, tunnel);
	default:
		return version_of(protocol);
	}
}

/* Whether it is a tunnel packet, as far as its outer headers tell. */
static __always_inline int read_tunnel(struct __sk_buff *skb, struct tunnel *tunnel)
{
	__u8 protocol = 0;

	if (skb->protocol == bpf_htons(ETH_P_IP))
		protocol = read_outer_ipv4(skb, tunnel);
	else if (skb->protocol == bpf_htons(ETH_P_IPV6))
		protocol = read_outer_ipv6(skb, tunnel);
	tunnel->version = read_inner_version(skb, tunnel, protocol);
	return tunnel->version != 0;
}

/* Whether there is an inner packet, of the version that the outer headers announce. */
static __always_inline int read_inner(struct __sk_buff *skb, const struct tunnel *tunnel, struct opened_packet *inner)
{
	__u32 offset = ETH_HLEN + tunnel->length;
	struct ipv6hdr ipv6;
	struct iphdr ipv4;

	if (tunnel->version == 4) {
		if (bpf_skb_load_bytes(skb, offset, &ipv4, sizeof(ipv4)) || ipv4.version != 4)
			return 0;
		address_from_ipv4(&inner->destination, ipv4.daddr);
		inner->traffic_class = ipv4.tos;
		return 1;
	}
	if (bpf_skb_load_bytes(skb, offset, &ipv6, sizeof(ipv6)) || ipv6.version != 6)
		return 0;
	address_from_ipv6(&inner->destination, &ipv6.daddr);
	inner->traffic_class = ipv6_traffic_class(&ipv6);
	return 1;
}

static __always_inline int is_to_be_opened(const struct tunnel *tunnel, const struct opened_packet *inner)
{
	__u32 zero = 0;
	struct limits *own = bpf_map_lookup_elem(&limits, &zero);

	if (!own)
		return 0;
	if (!own->limited)
		return 1;
	return bpf_map_lookup_elem(&tunnel_ends, &tunnel->destination) &&
	       bpf_map_lookup_elem(&opened_vips, &inner->destination) &&
	       bpf_map_lookup_elem(&tunnel_sources, &tunnel->source);
}

/* What the inner packet is to say from now on (RFC 6040, 4.2), or -1 if it has to be dropped. */
static __always_inline int ecn_of_both(int inner, int outer)
{
	if (outer == ECN_CE)
		return inner == ECN_NOT_ECT ? -1 : ECN_CE;
	return outer == ECN_ECT_1 && inner == ECN_ECT_0 ? ECN_ECT_1 : inner;
}

static __always_inline int store_ecn(struct __sk_buff *skb, const struct tunnel *tunnel, const struct opened_packet *inner,
				     __u8 ecn)
{
	__u8 traffic_class = (inner->traffic_class & ~ECN_MASK) | ecn;
	__u32 offset = ETH_HLEN + tunnel->length;
	__u8 first[2];

	if (tunnel->version == 4) {
		/* Both words begin with version and length: what differs is the second byte. */
		if (bpf_l3_csum_replace(skb, offset + offsetof(struct iphdr, check),
					bpf_htons(inner->traffic_class), bpf_htons(traffic_class), 2))
			return -1;
		return bpf_skb_store_bytes(skb, offset + offsetof(struct iphdr, tos), &traffic_class, 1, 0);
	}
	if (bpf_skb_load_bytes(skb, offset, first, sizeof(first)))
		return -1;
	first[0] = (first[0] & 0xf0) | (traffic_class >> 4);
	first[1] = (traffic_class << 4) | (first[1] & 0x0f);
	/* IPv6 headers have no checksum that would balance the change in a sum over the whole packet. */
	return bpf_skb_store_bytes(skb, offset, first, sizeof(first), BPF_F_RECOMPUTE_CSUM);
}

/*
 * Makes it a packet of the other family, before Linux 6.3. What it puts in or takes out in front of the outer header
 * is the difference between headers without options; so much less, or more, remains to be taken off.
 */
static __always_inline int change_family(struct __sk_buff *skb, __u32 length, __be16 type)
{
	int difference = sizeof(struct ipv6hdr) - sizeof(struct iphdr);
	int rest = type == bpf_htons(ETH_P_IPV6) ? length + difference : length - difference;

	if (bpf_skb_change_proto(skb, type, 0))
		return -1;
	return bpf_skb_adjust_room(skb, -rest, BPF_ADJ_ROOM_MAC, BPF_F_ADJ_ROOM_FIXED_GSO);
}

static __always_inline int strip(struct __sk_buff *skb, const struct tunnel *tunnel)
{
	__be16 type = tunnel->version == 4 ? bpf_htons(ETH_P_IP) : bpf_htons(ETH_P_IPV6);
	int length = tunnel->length;
	/* The segments were cut by the sender: their size stays what it is. */
	__u64 flags = BPF_F_ADJ_ROOM_FIXED_GSO;

	if (skb->protocol == type)
		return bpf_skb_adjust_room(skb, -length, BPF_ADJ_ROOM_MAC, flags);
	/* The kernel takes skb->protocol from these flags. */
	flags |= tunnel->version == 4 ? BPF_F_ADJ_ROOM_DECAP_L3_IPV4 : BPF_F_ADJ_ROOM_DECAP_L3_IPV6;
	if (bpf_skb_adjust_room(skb, -length, BPF_ADJ_ROOM_MAC, flags) && change_family(skb, length, type))
		return -1;
	return bpf_skb_store_bytes(skb, offsetof(struct ethhdr, h_proto), &type, sizeof(type), 0);
}

static __always_inline int open(struct __sk_buff *skb, const struct tunnel *tunnel, const struct opened_packet *inner)
{
	int before = inner->traffic_class & ECN_MASK;
	int ecn = ecn_of_both(before, tunnel->traffic_class & ECN_MASK);

	if (ecn < 0) {
		count_opened(DROPPED_CONGESTED);
		return TC_ACT_SHOT;
	}
	if ((ecn != before && store_ecn(skb, tunnel, inner, ecn)) || strip(skb, tunnel)) {
		count_opened(DROPPED_FAILED);
		return TC_ACT_SHOT;
	}
	if (ecn != before && ecn == ECN_CE)
		count_opened(OPENED_CONGESTED);
	count_opened(OPENED);
	return TC_ACT_UNSPEC;
}

SEC("tc")
int decapsulate(struct __sk_buff *skb)
{
	struct tunnel tunnel = {.source.length = 8 * sizeof(struct address)};
	struct opened_packet inner = {};

	if (skb->pkt_type != PACKET_HOST)
		return TC_ACT_UNSPEC;
	if (!read_tunnel(skb, &tunnel) || !read_inner(skb, &tunnel, &inner) || !is_to_be_opened(&tunnel, &inner))
		return TC_ACT_UNSPEC;
	return open(skb, &tunnel, &inner);
}

char _license[] SEC("license") = "Dual BSD/GPL";
