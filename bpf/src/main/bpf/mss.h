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

/* Where in the options the search is. */
struct option_search {
	struct xdp_md *ctx;
	__u32 at;    /* offset in the frame */
	__u32 end;   /* of the options, likewise */
	__u32 found; /* offset of the value, or 0 */
};

/* One option. A callback, so that the verifier sees it once; 0: go on. */
static long look_at_option(__u32 index, void *context)
{
	struct option_search *search = context;
	__u8 option[2];

	(void)index;
	if (search->at >= search->end || bpf_xdp_load_bytes(search->ctx, search->at, option, 1) ||
	    option[0] == TCP_OPTION_END)
		return 1;
	if (option[0] == TCP_OPTION_NOP) {
		search->at++;
		return 0;
	}
	if (search->at + 1 >= search->end ||
	    bpf_xdp_load_bytes(search->ctx, search->at, option, sizeof(option)) ||
	    option[1] < sizeof(option) || option[1] > search->end - search->at)
		return 1;
	if (option[0] == TCP_OPTION_MSS && option[1] == TCP_OPTION_MSS_BYTES) {
		search->found = search->at + sizeof(option);
		return 1;
	}
	search->at += option[1];
	return 0;
}

/* Of the options the first MSS of the right length counts; behind one that makes no sense nothing is read. */
__noinline int clamp_mss(struct xdp_md *ctx, struct packet *packet)
{
	struct option_search search = {.ctx = ctx};
	__u16 before, after = bpf_htons(constants.mss_clamp);
	__u32 offset;
	struct tcphdr *tcp;

	if (!packet)
		return 0;
	tcp = bytes_at(ctx, packet->transport_at, sizeof(*tcp));
	if (!tcp)
		return 0;
	search.at = packet->transport_at + sizeof(*tcp);
	search.end = packet->transport_at + tcp->doff * 4;
	bpf_loop(TCP_MAX_OPTION_BYTES, look_at_option, &search, 0);
	if (!search.found || bpf_xdp_load_bytes(ctx, search.found, &before, sizeof(before)) ||
	    bpf_ntohs(before) <= constants.mss_clamp || bpf_xdp_store_bytes(ctx, search.found, &after, sizeof(after)))
		return 0;
	tcp = bytes_at(ctx, packet->transport_at, sizeof(*tcp));
	if (!tcp)
		return 0;
	offset = search.found - packet->transport_at;
	tcp->check = mend_checksum(tcp->check, as_summed(before, offset), as_summed(after, offset));
	return 0;
}

#endif
