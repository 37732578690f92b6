/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Lowers the maximum segment size that a client announces in its SYN (RFC 9293, 3.7.1). */
#ifndef L4LB_MSS_H
#define L4LB_MSS_H

#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

#include "icmp.h"
#include "maps.h"
#include "packet.h"

#define TCP_OPTION_END 0
#define TCP_OPTION_NOP 1
#define TCP_OPTION_MSS 2
#define TCP_OPTION_MSS_BYTES 4
#define TCP_MAX_OPTION_BYTES 40

/* At an odd offset the value lies across two words of the checksum: as if its bytes were swapped (RFC 1071, 2). */
static __always_inline __u16 as_summed(__u16 value, __u32 offset)
{
	return offset & 1 ? __builtin_bswap16(value) : value;
}

static __always_inline int lower_mss(struct xdp_md *ctx, struct packet *packet, __u32 offset)
{
	struct tcphdr *tcp = bytes_at(ctx, packet->transport_at, sizeof(*tcp));
	__u16 before, after = bpf_htons(constants.mss_clamp);

	if (!tcp || bpf_xdp_load_bytes(ctx, packet->transport_at + offset, &before, sizeof(before)) ||
	    bpf_ntohs(before) <= constants.mss_clamp)
		return 0;
	tcp->check = mend_checksum(tcp->check, as_summed(before, offset), as_summed(after, offset));
	return bpf_xdp_store_bytes(ctx, packet->transport_at + offset, &after, sizeof(after));
}

/* Of the options the first MSS of the right length counts; behind one that makes no sense nothing is read. */
__noinline int clamp_mss(struct xdp_md *ctx, struct packet *packet)
{
	struct tcphdr *tcp;
	__u32 offset = sizeof(*tcp), end;
	__u8 option[2];

	if (!packet)
		return 0;
	tcp = bytes_at(ctx, packet->transport_at, sizeof(*tcp));
	if (!tcp)
		return 0;
	end = tcp->doff * 4;
	for (int i = 0; i < TCP_MAX_OPTION_BYTES && offset < end; i++) {
		if (bpf_xdp_load_bytes(ctx, packet->transport_at + offset, option, 1) ||
		    option[0] == TCP_OPTION_END)
			break;
		if (option[0] == TCP_OPTION_NOP) {
			offset++;
			continue;
		}
		if (offset + 1 >= end ||
		    bpf_xdp_load_bytes(ctx, packet->transport_at + offset, option, sizeof(option)) ||
		    option[1] < sizeof(option) || option[1] > end - offset)
			break;
		if (option[0] == TCP_OPTION_MSS && option[1] == TCP_OPTION_MSS_BYTES)
			return lower_mss(ctx, packet, offset + sizeof(option));
		offset += option[1];
	}
	return 0;
}

#endif
