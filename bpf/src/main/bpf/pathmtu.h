/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * A router between the director and a real may find that a tunnel packet is too big for the next link. Its message comes
 * to the outer source, the director, which can do nothing about it; the sender of the packet inside can, and is told by
 * the VIP in the same words (RFC 2003, 5.1; RFC 2473, 8.1). It takes a quote that reaches to the ports of the packet
 * inside, as RFC 1812, 4.3.2.3 and RFC 4443, 3.2 want it.
 */
#ifndef L4LB_PATHMTU_H
#define L4LB_PATHMTU_H

#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

#include "address.h"
#include "icmp.h"
#include "l4lb.h"
#include "maps.h"
#include "outer.h"
#include "packet.h"
#include "service.h"
#include "toobig.h"

#define BYTES_BEHIND_IP 8 /* the ports, and of TCP the sequence number, by which the sender knows its packet */
#define PATH_QUOTE4_BYTES (sizeof(struct iphdr) + BYTES_BEHIND_IP)
#define PATH_QUOTE6_BYTES (sizeof(struct ipv6hdr) + BYTES_BEHIND_IP)

/* Whether the address is an outer source of ours, of which the last bits vary. */
static __always_inline int is_outer_source(const struct address *address, const struct settings *settings)
{
	int ipv4 = address_is_ipv4(address);
	const struct address *source = ipv4 ? &settings->ipv4.source : &settings->ipv6.source;
	__u32 varying = (1u << (ipv4 ? constants.source4_bits : constants.source6_bits)) - 1;

	return address_word(address, 0) == address_word(source, 0) &&
	       address_word(address, 1) == address_word(source, 1) &&
	       address_word(address, 2) == address_word(source, 2) &&
	       ((address_word(address, 3) ^ address_word(source, 3)) & ~bpf_htonl(varying)) == 0 &&
	       !address_is_zero(source);
}

/*
 * Whether it is ICMP to an outer source of ours and not to a VIP. The filter of VIPs is not asked: that it has the
 * address's bit says nothing.
 */
static __always_inline int is_to_outer_source(const struct packet *packet, const struct settings *settings)
{
	return is_icmp(packet) && is_outer_source(&packet->flow.vip, settings) && !is_vip(&packet->flow.vip);
}

/* The MTU that the message tells, or 0 if it is another one. */
static __always_inline __u32 told_mtu(const struct packet *packet, const struct icmp *icmp)
{
	if (packet->inner.protocol == IPPROTO_IPV6)
		return icmp->type == ICMPV6_PKT_TOOBIG && icmp->code == 0 ? bpf_ntohl(icmp->rest) : 0;
	return icmp->type == ICMP_DEST_UNREACH && icmp->code == ICMP_FRAG_NEEDED ? bpf_ntohl(icmp->rest) & 0xffff : 0;
}

/*
 * Length of the outer headers that begin at that offset, or 0 if they are none of ours; the protocol of the packet
 * behind them is put into `protocol`.
 */
static __always_inline __u32 read_outer(struct xdp_md *ctx, const struct packet *packet, __u32 at, __u8 *protocol)
{
	__u32 length = packet->inner.protocol == IPPROTO_IPIP ? sizeof(struct iphdr) : sizeof(struct ipv6hdr);
	struct ipv6hdr *ipv6;
	struct udphdr *udp;
	struct iphdr *ipv4;

	if (packet->inner.protocol == IPPROTO_IPIP) {
		ipv4 = bytes_at(ctx, at, sizeof(*ipv4));
		if (!ipv4 || ipv4->version != 4 || ipv4->ihl * 4 != sizeof(*ipv4) ||
		    ipv4->saddr != address_to_ipv4(&packet->flow.vip))
			return 0;
		*protocol = ipv4->protocol;
	} else {
		ipv6 = bytes_at(ctx, at, sizeof(*ipv6));
		if (!ipv6 || ipv6->version != 6 ||
		    !address_equal((const struct address *)&ipv6->saddr, &packet->flow.vip))
			return 0;
		*protocol = ipv6->nexthdr;
	}
	if (*protocol != IPPROTO_UDP)
		return length;
	udp = bytes_at(ctx, at + length, sizeof(*udp) + 1);
	if (!udp || udp->dest != bpf_htons(GUE_PORT))
		return 0;
	*protocol = *(__u8 *)(udp + 1) >> 4 == 6 ? IPPROTO_IPV6 : IPPROTO_IPIP;
	return length + sizeof(*udp);
}

/*
 * Reads the packet that was in the tunnel: its sender becomes the packet's source, its VIP the VIP, and inner.length its
 * length. Whether it is whole up to what is quoted of it, and of a VIP.
 */
static __always_inline int read_tunnelled(struct xdp_md *ctx, struct packet *packet, __u32 at, __u8 protocol)
{
	struct ipv6hdr *ipv6;
	struct iphdr *ipv4;

	packet->inner.protocol = protocol;
	if (protocol == IPPROTO_IPIP) {
		ipv4 = bytes_at(ctx, at, PATH_QUOTE4_BYTES);
		if (!ipv4 || ipv4->version != 4 || ipv4->ihl * 4 != sizeof(*ipv4))
			return 0;
		packet->inner.length = bpf_ntohs(ipv4->tot_len);
		address_from_ipv4(&packet->flow.source, ipv4->saddr);
		address_from_ipv4(&packet->flow.vip, ipv4->daddr);
	} else if (protocol == IPPROTO_IPV6) {
		ipv6 = bytes_at(ctx, at, PATH_QUOTE6_BYTES);
		if (!ipv6 || ipv6->version != 6)
			return 0;
		packet->inner.length = bpf_ntohs(ipv6->payload_len) + sizeof(*ipv6);
		address_from_ipv6(&packet->flow.source, &ipv6->saddr);
		address_from_ipv6(&packet->flow.vip, &ipv6->daddr);
		if (address_is_ipv4(&packet->flow.source) || address_is_ipv4(&packet->flow.vip))
			return 0;
	} else {
		return 0;
	}
	return can_be_answered(&packet->flow.source) && is_vip(&packet->flow.vip);
}

/* The packet is an ICMP message to an outer source of ours. */
__noinline int relay_too_big(struct xdp_md *ctx, struct packet *packet)
{
	struct ethhdr *ethernet = bytes_at(ctx, 0, sizeof(*ethernet));
	__u32 mtu, quoted_at, outer, headers, quoted, end;
	struct ethhdr asking;
	struct icmp *icmp;
	__u8 protocol;

	if (!packet || !ethernet)
		return VERDICT_PASS_NO_SERVICE;
	asking = *ethernet;
	end = packet->ip_at + packet->inner.length;
	if (packet->inner.length > packet->available)
		return VERDICT_PASS_NO_SERVICE;
	icmp = bytes_at(ctx, packet->transport_at, sizeof(*icmp));
	if (!icmp)
		return VERDICT_PASS_NO_SERVICE;
	mtu = told_mtu(packet, icmp);
	quoted_at = packet->transport_at + sizeof(*icmp);
	outer = read_outer(ctx, packet, quoted_at, &protocol);
	if (!outer || mtu <= outer || !read_tunnelled(ctx, packet, quoted_at + outer, protocol) ||
	    packet->inner.length <= mtu - outer)
		return VERDICT_PASS_NO_SERVICE;
	headers = protocol == IPPROTO_IPIP ? ERROR4_HEADERS : ERROR6_HEADERS;
	quoted = protocol == IPPROTO_IPIP ? PATH_QUOTE4_BYTES : PATH_QUOTE6_BYTES;
	if (quoted_at + outer + quoted > end)
		return VERDICT_PASS_NO_SERVICE;
	if (bpf_xdp_adjust_head(ctx, (int)(quoted_at + outer) - (int)(packet->ip_at + headers)) ||
	    bpf_xdp_adjust_tail(ctx, (int)(packet->ip_at + headers + quoted) - (int)frame_length(ctx)) ||
	    !write_link(ctx, packet, &asking))
		return VERDICT_DROP_NO_HEADROOM;
	if (protocol == IPPROTO_IPIP ? !write_error4(ctx, packet, PATH_QUOTE4_BYTES, mtu - outer)
				     : !write_error6(ctx, packet, PATH_QUOTE6_BYTES, mtu - outer))
		return VERDICT_DROP_NO_HEADROOM;
	return VERDICT_ANSWER_PATH_MTU;
}

#endif
