/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Addresses as the maps hold them: 16 bytes, IPv4 as ::ffff:a.b.c.d. */
#ifndef L4LB_ADDRESS_H
#define L4LB_ADDRESS_H

#include <linux/in6.h>

#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

#include "l4lb.h"

static __always_inline __u32 address_word(const struct address *address, int word)
{
	__u32 value;

	__builtin_memcpy(&value, &address->bytes[word * 4], sizeof(value));
	return value;
}

static __always_inline void address_from_ipv4(struct address *address, __be32 ipv4)
{
	const __be32 words[4] = {0, 0, bpf_htonl(0xffff), ipv4};

	__builtin_memcpy(address, words, sizeof(*address));
}

static __always_inline void address_from_ipv6(struct address *address, const struct in6_addr *ipv6)
{
	__builtin_memcpy(address, ipv6, sizeof(*address));
}

static __always_inline int address_is_ipv4(const struct address *address)
{
	return address_word(address, 0) == 0 && address_word(address, 1) == 0 &&
	       address_word(address, 2) == bpf_htonl(0xffff);
}

static __always_inline int address_is_zero(const struct address *address)
{
	return (address_word(address, 0) | address_word(address, 1) | address_word(address, 2) |
		address_word(address, 3)) == 0;
}

static __always_inline int address_equal(const struct address *one, const struct address *other)
{
	__u64 a[2], b[2];

	__builtin_memcpy(a, one, sizeof(a));
	__builtin_memcpy(b, other, sizeof(b));
	return ((a[0] ^ b[0]) | (a[1] ^ b[1])) == 0;
}

static __always_inline __be32 address_to_ipv4(const struct address *address)
{
	return address_word(address, 3);
}

#endif
