/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The sender of a packet that does not fit the tunnel is told, by the VIP, which size would fit: RFC 1191, 4 and
 * RFC 4443, 3.2. A router's message would go to the outer source, which can do nothing about it.
 */
#ifndef L4LB_TOOBIG_H
#define L4LB_TOOBIG_H

#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

#include "icmp.h"
#include "maps.h"
#include "outer.h"
#include "packet.h"

/* The longest error: what every host takes (RFC 1812, 4.3.2.3), the minimum MTU of IPv6 (RFC 4443, 3.2). */
#define MAX_ERROR4_BYTES 576
#define MAX_ERROR6_BYTES 1280
#define ERROR4_HEADERS (sizeof(struct iphdr) + sizeof(struct icmp))
#define ERROR6_HEADERS (sizeof(struct ipv6hdr) + sizeof(struct icmp))
#define QUOTE4_BYTES (MAX_ERROR4_BYTES - ERROR4_HEADERS)
#define QUOTE6_BYTES (MAX_ERROR6_BYTES - ERROR6_HEADERS)
#define ADDRESSES6_AT 8 /* up to the end of the header */
#define SUM_BYTES 496 /* that bpf_csum_diff takes at once: at most 512, a multiple of 4 */

/* Not about an error, a later fragment of an IPv4 packet, or what a router may cut; not to what is no host. */
static __always_inline int may_be_told(const struct packet *packet)
{
	if (!(packet->flags & PACKET_WHOLE_ONLY) || (packet->flags & PACKET_ICMP_ERROR))
		return 0;
	if (packet->inner.protocol == IPPROTO_IPIP && (packet->flags & PACKET_LATER))
		return 0;
	return can_be_answered(&packet->flow.source);
}

/* The sum of `length` bytes, a constant multiple of 4, from that offset on; 0 and no sum if they are not there. */
static __always_inline int sum_bytes(struct xdp_md *ctx, __u32 at, __u32 length, __u32 *sum)
{
	for (__u32 done = 0; done < length; done += SUM_BYTES) {
		__u32 part = length - done < SUM_BYTES ? length - done : SUM_BYTES;
		void *bytes = bytes_at(ctx, at + done, part);

		if (!bytes)
			return 0;
		*sum = bpf_csum_diff(NULL, 0, bytes, part, *sum);
	}
	return 1;
}

/* Leaves of the frame what is in front of the packet and that much of the packet, and makes room between the two. */
static __always_inline int quote(struct xdp_md *ctx, __u32 ip_at, __u32 quoted, __u32 headers)
{
	int length = frame_length(ctx);

	return !bpf_xdp_adjust_tail(ctx, (int)(ip_at + quoted) - length) && !bpf_xdp_adjust_head(ctx, -(int)headers);
}

/* The frame has no Ethernet header any more: `headers` bytes behind its old place there is the packet. */
static __always_inline int write_link(struct xdp_md *ctx, const struct packet *packet, const struct ethhdr *asking)
{
	struct ethhdr *ethernet = bytes_at(ctx, 0, MAX_IP_AT);
	__be16 type = bpf_htons(packet->inner.protocol == IPPROTO_IPIP ? ETH_P_IP : ETH_P_IPV6);
	__be16 *type_at;

	if (!ethernet)
		return 0;
	__builtin_memcpy(ethernet->h_dest, asking->h_source, ETH_ALEN);
	__builtin_memcpy(ethernet->h_source, asking->h_dest, ETH_ALEN);
	__builtin_memcpy(&ethernet->h_proto, packet->tags, sizeof(packet->tags));
	type_at = bytes_at(ctx, packet->ip_at - sizeof(type), sizeof(type));
	if (!type_at)
		return 0;
	*type_at = type;
	return 1;
}

/* Writes the headers in front of so many quoted bytes, a constant multiple of 4. */
static __always_inline int write_error4(struct xdp_md *ctx, const struct packet *packet, __u32 quoted, __u32 mtu)
{
	const struct inner inner = {.length = sizeof(struct icmp) + quoted, .protocol = IPPROTO_ICMP};
	struct iphdr *ip = bytes_at(ctx, packet->ip_at, ERROR4_HEADERS);
	struct icmp *icmp = (void *)(ip + 1);
	__u32 sum = 0;

	if (!ip)
		return 0;
	outer_ipv4(ip, &inner, &packet->flow.vip, &packet->flow.source);
	icmp->type = ICMP_DEST_UNREACH;
	icmp->code = ICMP_FRAG_NEEDED;
	icmp->checksum = 0;
	icmp->rest = bpf_htonl(mtu & 0xffff);
	if (!sum_bytes(ctx, packet->ip_at + sizeof(*ip), sizeof(*icmp) + quoted, &sum))
		return 0;
	icmp = bytes_at(ctx, packet->ip_at + sizeof(*ip), sizeof(*icmp));
	if (!icmp)
		return 0;
	icmp->checksum = ~fold(sum);
	return 1;
}

static __always_inline int write_error6(struct xdp_md *ctx, const struct packet *packet, __u32 quoted, __u32 mtu)
{
	const struct inner inner = {.length = sizeof(struct icmp) + quoted, .protocol = IPPROTO_ICMPV6};
	struct ipv6hdr *ip = bytes_at(ctx, packet->ip_at, ERROR6_HEADERS);
	struct icmp *icmp = (void *)(ip + 1);
	/* Of the pseudo-header (RFC 8200, 8.1) what does not stand in the header as it is summed. */
	__u32 sum = bpf_htonl(sizeof(*icmp) + quoted + IPPROTO_ICMPV6);

	if (!ip)
		return 0;
	outer_ipv6(ip, &inner, &packet->flow.vip, &packet->flow.source);
	icmp->type = ICMPV6_PKT_TOOBIG;
	icmp->code = 0;
	icmp->checksum = 0;
	icmp->rest = bpf_htonl(mtu);
	if (!sum_bytes(ctx, packet->ip_at + ADDRESSES6_AT, ERROR6_HEADERS - ADDRESSES6_AT + quoted, &sum))
		return 0;
	icmp = bytes_at(ctx, packet->ip_at + sizeof(*ip), sizeof(*icmp));
	if (!icmp)
		return 0;
	icmp->checksum = ~fold(sum);
	return 1;
}

/* `mtu` is the largest packet that fits the tunnel; the packet is longer, so there is enough of it to be quoted. */
__noinline int answer_too_big(struct xdp_md *ctx, struct packet *packet, __u32 mtu)
{
	struct ethhdr *ethernet = bytes_at(ctx, 0, sizeof(*ethernet));
	struct ethhdr asking;
	int is_ipv4;

	if (!packet || !ethernet || !may_be_told(packet))
		return VERDICT_DROP_TOO_BIG;
	asking = *ethernet;
	is_ipv4 = packet->inner.protocol == IPPROTO_IPIP;
	if (packet->inner.length < (is_ipv4 ? QUOTE4_BYTES : QUOTE6_BYTES))
		return VERDICT_DROP_TOO_BIG;
	if (!quote(ctx, packet->ip_at, is_ipv4 ? QUOTE4_BYTES : QUOTE6_BYTES,
		   is_ipv4 ? ERROR4_HEADERS : ERROR6_HEADERS))
		return VERDICT_DROP_NO_HEADROOM;
	if (!write_link(ctx, packet, &asking))
		return VERDICT_DROP_TOO_BIG;
	if (is_ipv4 ? !write_error4(ctx, packet, QUOTE4_BYTES, mtu) : !write_error6(ctx, packet, QUOTE6_BYTES, mtu))
		return VERDICT_DROP_TOO_BIG;
	return VERDICT_ANSWER_TOO_BIG;
}

#endif
