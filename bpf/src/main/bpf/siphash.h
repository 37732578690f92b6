/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * SipHash-1-3 (Aumasson and Bernstein, "SipHash: a fast short-input PRF") of a flow key: one round a
 * word, three to finish. The agent computes the same in Java; both read the key as little-endian words.
 */
#ifndef L4LB_SIPHASH_H
#define L4LB_SIPHASH_H

#include <bpf/bpf_helpers.h>

#include "l4lb.h"

struct siphash {
	__u64 v0, v1, v2, v3;
};

static __always_inline __u64 from_little_endian(__u64 word)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	return word;
#else
	return __builtin_bswap64(word);
#endif
}

static __always_inline __u64 rotate_left(__u64 value, int bits)
{
	return (value << bits) | (value >> (64 - bits));
}

static __always_inline void siphash_round(struct siphash *s)
{
	s->v0 += s->v1;
	s->v2 += s->v3;
	s->v1 = rotate_left(s->v1, 13) ^ s->v0;
	s->v3 = rotate_left(s->v3, 16) ^ s->v2;
	s->v0 = rotate_left(s->v0, 32) + s->v3;
	s->v2 += s->v1;
	s->v3 = rotate_left(s->v3, 21) ^ s->v0;
	s->v1 = rotate_left(s->v1, 17) ^ s->v2;
	s->v2 = rotate_left(s->v2, 32);
}

static __always_inline void siphash_word(struct siphash *s, __u64 word)
{
	s->v3 ^= word;
	siphash_round(s);
	s->v0 ^= word;
}

static __always_inline __u64 siphash_flow(const __u64 seed[2], const struct flow_key *key)
{
	struct siphash s = {
		.v0 = seed[0] ^ 0x736f6d6570736575ull,
		.v1 = seed[1] ^ 0x646f72616e646f6dull,
		.v2 = seed[0] ^ 0x6c7967656e657261ull,
		.v3 = seed[1] ^ 0x7465646279746573ull,
	};
	__u64 words[sizeof(*key) / sizeof(__u64)];

	__builtin_memcpy(words, key, sizeof(words));
#pragma unroll
	for (int i = 0; i < (int)(sizeof(words) / sizeof(words[0])); i++)
		siphash_word(&s, from_little_endian(words[i]));
	siphash_word(&s, (__u64)sizeof(*key) << 56); /* nothing left over, and the length */
	s.v2 ^= 0xff;
	siphash_round(&s);
	siphash_round(&s);
	siphash_round(&s);
	return s.v0 ^ s.v1 ^ s.v2 ^ s.v3;
}

#endif
