/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * One function a header. Each checks that the whole header lies within the frame, and returns it, or
 * NULL. The check is in the same function as the access, since the verifier follows a bound only through
 * the very pointer that was compared.
 */
#ifndef L4LB_PARSE_H
#define L4LB_PARSE_H

#include <linux/if_ether.h>
#include <linux/in.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/tcp.h>
#include <linux/udp.h>

#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

#define IPV4_MORE_FRAGMENTS 0x2000
#define IPV4_DO_NOT_FRAGMENT 0x4000
#define IPV4_OFFSET_MASK 0x1fff
#define IPV6_NEXT_FRAGMENT 44

struct cursor {
	void *position;
	void *end;
};

/* Source and destination port: where the protocols that have ports agree. */
struct ports {
	__be16 source;
	__be16 destination;
};

/* The verifier knows no 32-bit arithmetic of pointers, so the compiler must not shorten this. */
static __always_inline __u32 frame_length(struct xdp_md *ctx)
{
	__u64 length = (void *)(long)ctx->data_end - (void *)(long)ctx->data;

	asm volatile("" : "+r"(length));
	return length;
}

/* The `size` bytes at that offset of the frame, which is below 32 KiB, as far as the verifier can follow. */
static __always_inline void *bytes_at(struct xdp_md *ctx, __u32 offset, __u32 size)
{
	void *at = (void *)(long)ctx->data + (offset & 0x7fff);

	if (at + size > (void *)(long)ctx->data_end)
		return NULL;
	return at;
}

/* The cursor ends up behind the header. */
static __always_inline struct ethhdr *parse_ethernet(struct cursor *cursor)
{
	struct ethhdr *ethernet = cursor->position;

	if ((void *)(ethernet + 1) > cursor->end)
		return NULL;
	cursor->position = ethernet + 1;
	return ethernet;
}

/* The cursor ends up behind the options. */
static __always_inline struct iphdr *parse_ipv4(struct cursor *cursor)
{
	struct iphdr *ip = cursor->position;
	__u32 length;

	if ((void *)(ip + 1) > cursor->end)
		return NULL;
	if (ip->version != 4 || ip->ihl < 5)
		return NULL;
	length = ip->ihl * 4;
	if ((void *)ip + length > cursor->end)
		return NULL;
	cursor->position = (void *)ip + length;
	return ip;
}

/* The cursor ends up behind the fixed header. */
static __always_inline struct ipv6hdr *parse_ipv6(struct cursor *cursor)
{
	struct ipv6hdr *ip = cursor->position;

	if ((void *)(ip + 1) > cursor->end)
		return NULL;
	if (ip->version != 6)
		return NULL;
	cursor->position = ip + 1;
	return ip;
}

/* Leaves the cursor where it is: the header that begins with these ports is parsed later. */
static __always_inline struct ports *peek_ports(const struct cursor *cursor)
{
	struct ports *ports = cursor->position;

	if ((void *)(ports + 1) > cursor->end)
		return NULL;
	return ports;
}

static __always_inline int ipv4_is_fragment(const struct iphdr *ip)
{
	return (ip->frag_off & bpf_htons(IPV4_MORE_FRAGMENTS | IPV4_OFFSET_MASK)) != 0;
}

/* Traffic class: DSCP and ECN, as in the second byte of an IPv4 header. */
static __always_inline __u8 ipv6_traffic_class(const struct ipv6hdr *ip)
{
	return (ip->priority << 4) | (ip->flow_lbl[0] >> 4);
}

/* Whether packets of that protocol begin with ports. */
static __always_inline int has_ports(__u8 protocol)
{
	return protocol == IPPROTO_TCP || protocol == IPPROTO_UDP || protocol == IPPROTO_SCTP ||
	       protocol == IPPROTO_DCCP || protocol == IPPROTO_UDPLITE;
}

#endif
