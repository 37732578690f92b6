/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Bytes of the frame, and what headers of several kinds have in common. */
#ifndef L4LB_PARSE_H
#define L4LB_PARSE_H

#include <linux/bpf.h>
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

/* What the kernel gives to a program; one for tc defines L4LB_TC before it includes anything of ours. */
#ifdef L4LB_TC
typedef struct __sk_buff context;
#else
typedef struct xdp_md context;
#endif

struct cursor {
	void *position;
	void *end;
};

/* Source and destination port: where the protocols that have ports agree. */
struct ports {
	__be16 source;
	__be16 destination;
};

/*
 * In bytes. To XDP all of the frame is there at once; the verifier knows no 32-bit arithmetic of pointers, so the compiler must
 * not shorten this.
 */
static __always_inline __u32 frame_length(context *ctx)
{
#ifdef L4LB_TC
	return ctx->len;
#else
	__u64 length = (void *)(long)ctx->data_end - (void *)(long)ctx->data;

	asm volatile("" : "+r"(length));
	return length;
#endif
}

/* Copies bytes of the frame, wherever they lie. Zero, or negative if they are not all there. */
static __always_inline long load_bytes(context *ctx, __u32 offset, void *to, __u32 size)
{
#ifdef L4LB_TC
	return bpf_skb_load_bytes(ctx, offset, to, size);
#else
	return bpf_xdp_load_bytes(ctx, offset, to, size);
#endif
}

/*
 * The `size` bytes at that offset of the frame, which is below 32 KiB, as far as the verifier can follow; NULL if they
 * are not there, or, to tc, not in the linear part of the buffer.
 */
static __always_inline void *bytes_at(context *ctx, __u32 offset, __u32 size)
{
	void *at = (void *)(long)ctx->data + (offset & 0x7fff);

	if (at + size > (void *)(long)ctx->data_end)
		return NULL;
	return at;
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
