/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Copies of sampled packets, as they come in and as they leave. */
#ifndef L4LB_CAPTURE_H
#define L4LB_CAPTURE_H

#include <bpf/bpf_helpers.h>

#include "l4lb.h"
#include "maps.h"
#include "parse.h"

/* So that the object says how it is laid out: the ring buffer has no types. */
const struct capture *captures_are_of __attribute__((unused));

/* The number of a packet that is to be copied, or 0. */
static __always_inline __u64 sample(const struct settings *settings)
{
	if (!settings->capture || (settings->capture > 1 && bpf_get_prandom_u32() % settings->capture))
		return 0;
	return ((__u64)bpf_get_prandom_u32() << 32) | bpf_get_prandom_u32() | 1;
}

/* Verified apart from its callers. */
__noinline int copy_packet(struct xdp_md *ctx, __u64 packet, __u32 stage, __u32 verdict)
{
	struct capture *capture = bpf_ringbuf_reserve(&captures, sizeof(*capture), 0);
	__u32 captured;

	if (!capture) {
		count_event(EVENT_CAPTURE_LOST);
		return 0;
	}
	capture->time = bpf_ktime_get_ns();
	capture->packet = packet;
	capture->interface = ctx->ingress_ifindex;
	capture->length = frame_length(ctx);
	capture->stage = stage;
	capture->verdict = verdict;
	__builtin_memset(capture->pad, 0, sizeof(capture->pad));
	/* One less than the bytes to copy, so that the verifier sees that there is one at least. */
	captured = (capture->length < sizeof(capture->bytes) ? capture->length : sizeof(capture->bytes)) - 1;
	captured &= sizeof(capture->bytes) - 1;
	capture->captured = bpf_xdp_load_bytes(ctx, 0, capture->bytes, captured + 1) ? 0 : captured + 1;
	bpf_ringbuf_submit(capture, 0);
	return 0;
}

#endif
