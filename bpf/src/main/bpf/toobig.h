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
#define ADDRESSES6_BYTES 32 /* of both, at the end of the IPv6 header */
#define SUM_BYTES 128       /* that are summed at once: for bpf_csum_diff at most 512, a multiple of 4 */
#define SUM_STEPS 18

/* Not about an error, a later fragment of an IPv4 packet, or what a router may cut; not to what is no host. */
static __always_inline int may_be_told(const struct packet *packet)
{
	if (!(packet->flags & PACKET_WHOLE_ONLY) || (packet->flags & PACKET_ICMP_ERROR))
		return 0;
	if (packet->inner.protocol == IPPROTO_IPIP && (packet->flags & PACKET_LATER))
		return 0;
	return can_be_answered(&packet->flow.source);
}

/*
 * The folded sum of `start` and of so many bytes from that offset on; negative if they are not there, or more than
 * SUM_STEPS * SUM_BYTES. Verified apart from its callers.
 */
__noinline int sum_bytes(struct xdp_md *ctx, __u32 at, __u32 length, __u32 start)
{
	__u64 sum = start;
	void *bytes;

	for (int i = 0; i < SUM_STEPS && length >= SUM_BYTES; i++) {
		bytes = bytes_at(ctx, at, SUM_BYTES);
		if (!bytes)
			return -1;
		sum += (__u32)bpf_csum_diff(NULL, 0, bytes, SUM_BYTES, 0);
		at += SUM_BYTES;
		length -= SUM_BYTES;
	}
	if (length >= SUM_BYTES)
		return -1;
	for (int i = 0; i < SUM_BYTES / 2 && length >= 2; i++) {
		bytes = bytes_at(ctx, at, 2);
		if (!bytes)
			return -1;
		sum += *(__u16 *)bytes;
		at += 2;
		length -= 2;
	}
	if (length) {
		bytes = bytes_at(ctx, at, 1);
		if (!bytes)
			return -1;
		sum += bpf_htons(*(__u8 *)bytes << 8);
	}
	return fold((sum & 0xffff) + (sum >> 16 & 0xffff) + (sum >> 32));
}

/*
 * The sum of an ICMP message that stands right behind its IP header's addresses if it is ICMPv6, of which it covers the
 * pseudo-header (RFC 8200, 8.1).
 */
static __always_inline int sum_message(struct xdp_md *ctx, __u32 at, __u32 length, int is_ipv4)
{
	return is_ipv4 ? sum_bytes(ctx, at, length, 0)
		       : sum_bytes(ctx, at - ADDRESSES6_BYTES, length + ADDRESSES6_BYTES,
				   bpf_htonl(length + IPPROTO_ICMPV6));
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

/* Whether the message is there whose checksum, which was zero, is now right. */
static __always_inline int write_checksum(struct xdp_md *ctx, __u32 at, __u32 length, int is_ipv4)
{
	int sum = sum_message(ctx, at, length, is_ipv4);
	struct icmp *icmp = bytes_at(ctx, at, sizeof(*icmp));

	if (sum < 0 || !icmp)
		return 0;
	icmp->checksum = ~sum;
	return 1;
}

/* Writes the headers in front of so many quoted bytes. */
static __always_inline int write_error4(struct xdp_md *ctx, const struct packet *packet, __u32 quoted, __u32 mtu)
{
	const struct inner inner = {.length = sizeof(struct icmp) + quoted, .protocol = IPPROTO_ICMP};
	struct iphdr *ip = bytes_at(ctx, packet->ip_at, ERROR4_HEADERS);
	struct icmp *icmp = (void *)(ip + 1);

	if (!ip)
		return 0;
	outer_ipv4(ip, &inner, &packet->flow.vip, &packet->flow.source);
	icmp->type = ICMP_DEST_UNREACH;
	icmp->code = ICMP_FRAG_NEEDED;
	icmp->checksum = 0;
	icmp->rest = bpf_htonl(mtu & 0xffff);
	return write_checksum(ctx, packet->ip_at + sizeof(*ip), inner.length, 1);
}

static __always_inline int write_error6(struct xdp_md *ctx, const struct packet *packet, __u32 quoted, __u32 mtu)
{
	const struct inner inner = {.length = sizeof(struct icmp) + quoted, .protocol = IPPROTO_ICMPV6};
	struct ipv6hdr *ip = bytes_at(ctx, packet->ip_at, ERROR6_HEADERS);
	struct icmp *icmp = (void *)(ip + 1);

	if (!ip)
		return 0;
	outer_ipv6(ip, &inner, &packet->flow.vip, &packet->flow.source);
	icmp->type = ICMPV6_PKT_TOOBIG;
	icmp->code = 0;
	icmp->checksum = 0;
	icmp->rest = bpf_htonl(mtu);
	return write_checksum(ctx, packet->ip_at + sizeof(*ip), inner.length, 0);
}

/*
 * `mtu` is the largest packet that fits the tunnel; the packet is longer, so there is enough of it to be quoted. It is
 * not less than 1280 where there are IPv6 VIPs: the agent refuses an MTU of the tunnel with which it would be.
 */
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
