/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * ICMP to a VIP: an error belongs to the flow of the packet that it quotes. That packet went from the VIP to the client,
 * so its key, reversed, is the key of the client's packets, and every director finds the real, whether it ever saw the
 * flow or not.
 */
#ifndef L4LB_ICMP_H
#define L4LB_ICMP_H

#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

#include "address.h"
#include "l4lb.h"
#include "packet.h"
#include "parse.h"

/* RFC 792; the kernel's header for these needs the C library's */
#define ICMP_ECHOREPLY 0
#define ICMP_DEST_UNREACH 3
#define ICMP_FRAG_NEEDED 4 /* code */
#define ICMP_SOURCE_QUENCH 4
#define ICMP_REDIRECT 5
#define ICMP_ECHO 8
#define ICMP_TIME_EXCEEDED 11
#define ICMP_PARAMETERPROB 12

/* RFC 4443 */
#define ICMPV6_DEST_UNREACH 1
#define ICMPV6_PKT_TOOBIG 2
#define ICMPV6_TIME_EXCEED 3
#define ICMPV6_ECHO_REQUEST 128
#define ICMPV6_ECHO_REPLY 129
#define ICMPV6_REDIRECT 137

struct icmp {
	__u8 type;
	__u8 code;
	__u16 checksum;
	__u32 rest; /* depends on the type */
};

static __always_inline int is_icmp(const struct packet *packet)
{
	return packet->flow.protocol == (packet->inner.protocol == IPPROTO_IPIP ? IPPROTO_ICMP : IPPROTO_ICMPV6) &&
	       !(packet->flags & (PACKET_FRAGMENT | PACKET_INCOMPLETE));
}

static __always_inline int is_echo_request(const struct packet *packet, __u8 type)
{
	return type == (packet->inner.protocol == IPPROTO_IPIP ? ICMP_ECHO : ICMPV6_ECHO_REQUEST);
}

/* RFC 1122, 3.2.2; RFC 4443, 2.1 and 2.4 (e). */
static __always_inline int is_icmp_error(const struct packet *packet, __u8 type)
{
	if (packet->inner.protocol == IPPROTO_IPV6)
		return type < ICMPV6_ECHO_REQUEST || type == ICMPV6_REDIRECT;
	return type == ICMP_DEST_UNREACH || type == ICMP_SOURCE_QUENCH || type == ICMP_REDIRECT ||
	       type == ICMP_TIME_EXCEEDED || type == ICMP_PARAMETERPROB;
}

/* Whether it tells that a packet was lost, the beginning of which it quotes. */
static __always_inline int reports_loss(const struct packet *packet, __u8 type)
{
	if (packet->inner.protocol == IPPROTO_IPV6)
		return type == ICMPV6_DEST_UNREACH || type == ICMPV6_PKT_TOOBIG || type == ICMPV6_TIME_EXCEED;
	return type == ICMP_DEST_UNREACH || type == ICMP_TIME_EXCEEDED;
}

/* Mends a checksum after a 16-bit word under it has changed: RFC 1624, equation 3. */
static __always_inline __u16 mend_checksum(__u16 checksum, __u16 before, __u16 after)
{
	return ~fold((__u32)(__u16)~checksum + (__u16)~before + after);
}

/*
 * Reads the packet that begins at that offset and ends before `end`: names its flow in `quoted`, with source and
 * destination still as they are there. Whether all that is needed was there.
 */
static __always_inline int read_quoted_ipv4(context *ctx, struct packet *quoted, __u32 at, __u32 end)
{
	struct iphdr *ip = bytes_at(ctx, at, sizeof(*ip));

	if (!ip || at + sizeof(*ip) > end || ip->version != 4 || ip->ihl < 5 || at + ip->ihl * 4 > end)
		return 0;
	quoted->transport_at = at + ip->ihl * 4;
	quoted->flow.protocol = ip->protocol;
	address_from_ipv4(&quoted->flow.source, ip->saddr);
	address_from_ipv4(&quoted->flow.vip, ip->daddr);
	if (ip->frag_off & bpf_htons(IPV4_OFFSET_MASK))
		quoted->flags |= PACKET_LATER;
	return 1;
}

static __always_inline int read_quoted_ipv6(context *ctx, struct packet *quoted, __u32 at, __u32 end)
{
	struct ipv6hdr *ip = bytes_at(ctx, at, sizeof(*ip));

	if (!ip || at + sizeof(*ip) > end || ip->version != 6)
		return 0;
	quoted->transport_at = at + sizeof(*ip);
	quoted->flow.protocol = ip->nexthdr;
	address_from_ipv6(&quoted->flow.source, &ip->saddr);
	address_from_ipv6(&quoted->flow.vip, &ip->daddr);
	if (address_is_ipv4(&quoted->flow.source) || address_is_ipv4(&quoted->flow.vip))
		return 0;
	if (is_extension_header(ip->nexthdr))
		follow_extension_headers(ctx, quoted, end);
	return !(quoted->flags & PACKET_INCOMPLETE);
}

/*
 * If the packet is an error about one that came from its VIP, it is given that one's flow: the address and port of the
 * client stand for the source, PACKET_LATER says that the quoted packet had no ports. Four bytes behind the quoted IP
 * header suffice: routers need not quote more than eight.
 */
__noinline int read_quoted(context *ctx, struct packet *packet)
{
	struct packet quoted = {};
	struct ports *ports;
	__u32 at, end;

	if (!packet)
		return 0;
	at = packet->transport_at + sizeof(struct icmp);
	end = packet->ip_at + (packet->inner.length < packet->available ? packet->inner.length : packet->available);
	if (packet->inner.protocol == IPPROTO_IPIP ? !read_quoted_ipv4(ctx, &quoted, at, end)
						   : !read_quoted_ipv6(ctx, &quoted, at, end))
		return 0;
	if (!address_equal(&quoted.flow.source, &packet->flow.vip))
		return 0;
	if (!(quoted.flags & PACKET_LATER) && has_ports(quoted.flow.protocol)) {
		ports = bytes_at(ctx, quoted.transport_at, sizeof(*ports));
		if (!ports || quoted.transport_at + sizeof(*ports) > end)
			return 0;
		packet->flow.source_port = ports->destination;
		packet->flow.vip_port = ports->source;
	}
	packet->flow.source = quoted.flow.vip;
	packet->flow.protocol = quoted.flow.protocol;
	packet->flags |= PACKET_QUOTES | (quoted.flags & PACKET_LATER);
	return 1;
}

#endif
