/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The server ID in the connection ID that a QUIC packet is sent to: RFC 8999 and RFC 9000, section 17,
 * and draft-ietf-quic-load-balancers in its plaintext form. The fixed bit is not looked at, since it may
 * be greased (RFC 9287).
 */
#ifndef L4LB_QUIC_H
#define L4LB_QUIC_H

#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

#include "l4lb.h"
#include "parse.h"
#include "siphash.h"

#define QUIC_LONG_HEADER 0x80
#define QUIC_VERSION_1 0x00000001
#define QUIC_VERSION_2 0x6b3343cf
#define QUIC_ROTATION_SHIFT 5

/* The beginning of a long header: the first octet, the version, the length of the connection ID behind. */
struct quic_long {
	__u8 first;
	__be32 version;
	__u8 cid_length;
} __attribute__((packed));

/* The connection ID, or NULL; `left` becomes the octets from there on. It moves past the header. */
static __always_inline __u8 *parse_quic(struct cursor *payload, __u32 *left, const struct service *service)
{
	struct quic_long *header = payload->position;
	__u8 *first = payload->position;

	if ((void *)(first + 1) > payload->end || *left < sizeof(*first))
		return NULL;
	if (!(*first & QUIC_LONG_HEADER)) {
		*left -= sizeof(*first);
		return first + 1;
	}
	if ((void *)(header + 1) > payload->end || *left < sizeof(*header))
		return NULL;
	if (header->version != bpf_htonl(QUIC_VERSION_1) && header->version != bpf_htonl(QUIC_VERSION_2))
		return NULL;
	if (header->cid_length != service->cid_length)
		return NULL;
	*left -= sizeof(*header);
	return (__u8 *)(header + 1);
}

/* The first `count` octets of a word as it lies in memory, 0 to 8; the others become zero. */
static __always_inline __u64 first_octets(__u64 word, int count)
{
	return count >= 8 ? word : word & from_little_endian((1ull << (8 * count)) - 1);
}

/*
 * Fills in the length and octets of the key. Whether the packet has a server ID: it is whole up to the end
 * of its connection ID, whose rotation bits are the service's.
 */
static __always_inline int read_server_id(context *ctx, struct cursor payload, __u32 left,
					  const struct service *service, struct server_id_key *key)
{
	__u8 *cid = parse_quic(&payload, &left, service);
	__u32 octets = 1 + (service->server_id_length & L4LB_MAX_SERVER_ID_LENGTH);
	__u64 words[2] = {};

	if (!cid || left < service->cid_length || (void *)(cid + 1) > payload.end)
		return 0;
	if (*cid >> QUIC_ROTATION_SHIFT != service->cid_rotation)
		return 0;
	/*
	 * The first octet and the longest server ID at once, since octet by octet costs more, here and in the
	 * verifier. Hardly a packet is so short that it ends before.
	 */
	if ((void *)(cid + sizeof(words)) <= payload.end)
		__builtin_memcpy(words, cid, sizeof(words));
	else if (load_bytes(ctx, (void *)cid - (void *)(long)ctx->data, words, octets))
		return 0;
	words[0] = first_octets(words[0], octets < 8 ? octets : 8);
	words[1] = first_octets(words[1], octets < 8 ? 0 : octets - 8);
	__builtin_memcpy(key, words, sizeof(words));
	key->length = octets - 1;
	return 1;
}

#endif
