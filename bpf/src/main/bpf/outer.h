/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The outer header of a tunnel packet, IP in IP: RFC 2003 (4in4), RFC 4213 (6in4), RFC 2473 (4in6 and
 * 6in6); or generic UDP encapsulation, variant 1: IP directly behind UDP (draft-ietf-intarea-gue). DSCP and
 * ECN are copied from the inner header (RFC 6040, normal mode).
 */
#ifndef L4LB_OUTER_H
#define L4LB_OUTER_H

#include <linux/in.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/udp.h>

#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

#include "address.h"
#include "l4lb.h"
#include "parse.h"

#define OUTER_TTL 64
#define GUE_PORT 6080 /* IANA */
#define GUE_SOURCE_PORTS 0xc000 /* the ephemeral ones, among which it varies with the flow */
#define GUE_SOURCE_MASK 0x3fff

/* What the outer header says of the inner packet. */
struct inner {
	__u32 length;       /* of the IP packet by its own header, in bytes */
	__u8 protocol;      /* IPPROTO_IPIP or IPPROTO_IPV6 */
	__u8 traffic_class; /* DSCP and ECN */
};

static __always_inline __u16 fold(__u32 sum)
{
	sum = (sum & 0xffff) + (sum >> 16);
	sum = (sum & 0xffff) + (sum >> 16);
	return sum;
}

/* Of a header without options, its checksum field zero; ready to be stored. */
static __always_inline __u16 ipv4_checksum(const struct iphdr *ip)
{
	const __u16 *words = (const __u16 *)ip;
	__u32 sum = 0;

#pragma unroll
	for (int i = 0; i < (int)(sizeof(*ip) / sizeof(*words)); i++)
		sum += words[i];
	return ~fold(sum);
}

static __always_inline void outer_ipv4(struct iphdr *outer, const struct inner *inner,
				       const struct address *source, const struct address *destination)
{
	outer->version = 4;
	outer->ihl = sizeof(*outer) / 4;
	outer->tos = inner->traffic_class;
	outer->tot_len = bpf_htons(inner->length + sizeof(*outer));
	outer->id = 0; /* an atomic datagram, RFC 6864 */
	outer->frag_off = bpf_htons(IPV4_DO_NOT_FRAGMENT);
	outer->ttl = OUTER_TTL;
	outer->protocol = inner->protocol;
	outer->check = 0;
	outer->saddr = address_to_ipv4(source);
	outer->daddr = address_to_ipv4(destination);
	outer->check = ipv4_checksum(outer);
}

static __always_inline void outer_ipv6(struct ipv6hdr *outer, const struct inner *inner,
				       const struct address *source, const struct address *destination)
{
	outer->version = 6;
	outer->priority = inner->traffic_class >> 4;
	outer->flow_lbl[0] = inner->traffic_class << 4;
	outer->flow_lbl[1] = 0;
	outer->flow_lbl[2] = 0;
	outer->payload_len = bpf_htons(inner->length);
	outer->nexthdr = inner->protocol;
	outer->hop_limit = OUTER_TTL;
	__builtin_memcpy(&outer->saddr, source, sizeof(*source));
	__builtin_memcpy(&outer->daddr, destination, sizeof(*destination));
}

/*
 * Between the outer IP header and the packet. There is no checksum: the packet has its own, and a wrong outer
 * address leads to a host that does not serve the VIP (RFC 6935, RFC 6936).
 */
static __always_inline void outer_udp(struct udphdr *outer, __u32 inner_length, __u16 entropy)
{
	outer->source = bpf_htons(GUE_SOURCE_PORTS | (entropy & GUE_SOURCE_MASK));
	outer->dest = bpf_htons(GUE_PORT);
	outer->len = bpf_htons(inner_length + sizeof(*outer));
	outer->check = 0;
}

#endif
