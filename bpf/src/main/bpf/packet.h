/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What the balancer reads from a packet, and whether its headers agree with each other. */
#ifndef L4LB_PACKET_H
#define L4LB_PACKET_H

#include <bpf/bpf_helpers.h>

#include "address.h"
#include "l4lb.h"
#include "outer.h"
#include "parse.h"

/* No verdict yet: the next step decides. */
#define UNDECIDED VERDICT_COUNT

struct packet {
	struct cursor transport; /* at the TCP or UDP header; behind it once it was judged */
	struct flow_key flow;
	struct inner inner;
	__u32 header_length; /* of the IP header with its options */
	__u32 available;     /* bytes of the frame from the IP header on */
	__u32 payload;       /* bytes behind the UDP header, by its own length */
	__u8 ttl;            /* or hop limit */
	__u8 starts;         /* whether it begins a connection */
};

static __always_inline enum verdict read_ipv4(struct cursor *cursor, struct packet *packet)
{
	void *start = cursor->position;
	struct iphdr *ip = parse_ipv4(cursor);

	if (!ip)
		return VERDICT_PASS_NOT_IP;
	if (ipv4_is_fragment(ip))
		return VERDICT_PASS_FRAGMENT;
	packet->inner.length = bpf_ntohs(ip->tot_len);
	packet->inner.protocol = IPPROTO_IPIP;
	packet->inner.traffic_class = ip->tos;
	packet->header_length = ip->ihl * 4;
	packet->available = cursor->end - start;
	packet->ttl = ip->ttl;
	packet->flow.protocol = ip->protocol;
	address_from_ipv4(&packet->flow.source, ip->saddr);
	address_from_ipv4(&packet->flow.vip, ip->daddr);
	return UNDECIDED;
}

static __always_inline enum verdict read_ipv6(struct cursor *cursor, struct packet *packet)
{
	void *start = cursor->position;
	struct ipv6hdr *ip = parse_ipv6(cursor);

	if (!ip)
		return VERDICT_PASS_NOT_IP;
	if (ip->nexthdr == IPV6_NEXT_FRAGMENT)
		return VERDICT_PASS_FRAGMENT;
	address_from_ipv6(&packet->flow.source, &ip->saddr);
	address_from_ipv6(&packet->flow.vip, &ip->daddr);
	/* Would be taken for the IPv4 VIP that is stored so; no packet on the wire may have such an address. */
	if (address_is_ipv4(&packet->flow.vip))
		return VERDICT_PASS_NO_SERVICE;
	packet->inner.length = bpf_ntohs(ip->payload_len) + sizeof(*ip);
	packet->inner.protocol = IPPROTO_IPV6;
	packet->inner.traffic_class = ipv6_traffic_class(ip);
	packet->header_length = sizeof(*ip);
	packet->available = cursor->end - start;
	packet->ttl = ip->hop_limit;
	packet->flow.protocol = ip->nexthdr;
	return UNDECIDED;
}

/* Everything that names the flow. Nothing is judged yet: the packet may be none of ours. */
static __always_inline enum verdict read_packet(struct cursor cursor, struct packet *packet)
{
	struct ethhdr *ethernet = parse_ethernet(&cursor);
	enum verdict verdict = VERDICT_PASS_NOT_IP;
	struct ports *ports;

	if (!ethernet)
		return VERDICT_PASS_NOT_IP;
	if (ethernet->h_proto == bpf_htons(ETH_P_IP))
		verdict = read_ipv4(&cursor, packet);
	else if (ethernet->h_proto == bpf_htons(ETH_P_IPV6))
		verdict = read_ipv6(&cursor, packet);
	if (verdict != UNDECIDED)
		return verdict;
	if (packet->flow.protocol != IPPROTO_TCP && packet->flow.protocol != IPPROTO_UDP)
		return VERDICT_PASS_NO_SERVICE;
	ports = peek_ports(&cursor);
	if (!ports)
		return VERDICT_PASS_NO_SERVICE;
	packet->flow.source_port = ports->source;
	packet->flow.vip_port = ports->destination;
	packet->transport = cursor;
	return UNDECIDED;
}

/*
 * Bytes that the IP header leaves to TCP or UDP; negative if it contradicts itself or the frame, or has a
 * mapped source address.
 */
static __always_inline int transport_length(const struct packet *packet)
{
	if (packet->inner.protocol == IPPROTO_IPV6 && address_is_ipv4(&packet->flow.source))
		return -1;
	if (packet->inner.length > packet->available)
		return -1;
	return (int)packet->inner.length - (int)packet->header_length;
}

static __always_inline enum verdict judge_tcp(struct packet *packet)
{
	struct tcphdr *tcp = parse_tcp(&packet->transport);
	int length = transport_length(packet);

	if (!tcp || length < (int)sizeof(*tcp))
		return VERDICT_DROP_MALFORMED;
	if (tcp->doff < 5 || tcp->doff * 4 > length)
		return VERDICT_DROP_MALFORMED;
	packet->starts = tcp->syn && !tcp->ack;
	return UNDECIDED;
}

static __always_inline enum verdict judge_udp(struct packet *packet)
{
	struct udphdr *udp = parse_udp(&packet->transport);
	int length = transport_length(packet);
	int said;

	if (!udp || length < (int)sizeof(*udp))
		return VERDICT_DROP_MALFORMED;
	said = bpf_ntohs(udp->len);
	if (said < (int)sizeof(*udp) || said > length)
		return VERDICT_DROP_MALFORMED;
	packet->payload = said - sizeof(*udp);
	return UNDECIDED;
}

#endif
