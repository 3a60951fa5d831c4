// SPDX-License-Identifier: BSD-2-Clause
#include "tracepoint_internal.h"

enum {
	FAMILY_IPV4 = 2,
	FAMILY_IPV6 = 10,
};

static void put_mac(struct tp_output *output, const char *letters, const struct pk_bytes *bytes)
{
	bool reverse = letters[1] == 'R';

	if (bytes->size != 6) {
		tp_put_text(output, "INVALIDMAC");
		return;
	}
	for (unsigned int i = 0; i < 6; i++) {
		if (i && letters[0] == 'M')
			tp_put_text(output, letters[1] == 'F' ? "-" : ":");
		tp_put_byte(output, bytes->data[reverse ? 5 - i : i], false);
	}
}

static void put_ipv4(struct tp_output *output, const uint8_t *address, bool reverse, bool zeros)
{
	for (unsigned int i = 0; i < 4; i++) {
		uint8_t value = address[reverse ? 3 - i : i];

		if (i)
			tp_put_text(output, ".");
		if (zeros)
			tp_put_text(output, value < 10 ? "00" : value < 100 ? "0" : "");
		tp_put_dec(output, value);
	}
}

static void put_ipv6_plain(struct tp_output *output, const uint8_t *address, bool colons)
{
	for (unsigned int i = 0; i < 16; i++) {
		if (i && !(i & 1) && colons)
			tp_put_text(output, ":");
		tp_put_byte(output, address[i], false);
	}
}

/* The longest run of zero words among the first count, of two at least; its length. */
static unsigned int longest_zeros(const uint8_t *address, unsigned int count, unsigned int *where)
{
	unsigned int longest = 1;

	for (unsigned int i = 0; i < count; i++) {
		unsigned int run = 0;

		while (i + run < count && !address[2 * (i + run)] && !address[2 * (i + run) + 1])
			run++;
		if (run > longest) {
			longest = run;
			*where = i;
		}
	}
	return longest > 1 ? longest : 0;
}

/* With the longest run of zeros left out, and an IPv4 address inside as such (RFC 5952). */
static void put_ipv6(struct tp_output *output, const uint8_t *address)
{
	static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff}, isatap[] = {0, 0x5e, 0xfe};
	bool ipv4 = !memcmp(address, mapped, 12) ||
		    ((address[8] & ~2) == 0 && !memcmp(address + 9, isatap, 3));
	unsigned int count = ipv4 ? 6 : 8, gap = 0, run = longest_zeros(address, count, &gap);
	bool colon = false;

	for (unsigned int i = 0; i < count; i++) {
		if (run && i == gap) {
			tp_put_text(output, colon || !i ? "::" : ":");
			colon = false;
			i += run - 1;
			continue;
		}
		if (colon)
			tp_put_text(output, ":");
		tp_put_hex(output, (uint64_t)(address[2 * i] << 8 | address[2 * i + 1]));
		colon = true;
	}
	if (ipv4) {
		if (colon)
			tp_put_text(output, ":");
		put_ipv4(output, address + 12, false, false);
	}
}

static void put_port(struct tp_output *output, const uint8_t *port)
{
	tp_put_text(output, ":");
	tp_put_dec(output, (uint64_t)(port[0] << 8 | port[1]));
}

/* A struct sockaddr_in or sockaddr_in6. */
static void put_socket(struct tp_output *output, const char *letters, const struct pk_bytes *bytes,
		       bool big_endian)
{
	bool port = strchr(letters, 'p') != NULL, compressed = strchr(letters, 'c') != NULL;
	unsigned int family = bytes->size < 2 ? 0 : bytes->data[big_endian ? 1 : 0];

	if (family == FAMILY_IPV4 && bytes->size >= 8) {
		put_ipv4(output, bytes->data + 4, false, letters[0] == 'i');
		if (port)
			put_port(output, bytes->data + 2);
	} else if (family == FAMILY_IPV6 && bytes->size >= 24) {
		tp_put_text(output, port ? "[" : "");
		if (compressed)
			put_ipv6(output, bytes->data + 8);
		else
			put_ipv6_plain(output, bytes->data + 8, letters[0] == 'I');
		if (port) {
			tp_put_text(output, "]");
			put_port(output, bytes->data + 2);
		}
	}
}

static void put_ip(struct tp_output *output, const char *letters, const struct pk_bytes *bytes,
		   bool big_endian)
{
	bool reverse = letters[2] == 'l' || (letters[2] == 'h' && !big_endian);

	if (letters[1] == 'S')
		put_socket(output, letters, bytes, big_endian);
	else if (letters[1] == '4' && bytes->size == 4)
		put_ipv4(output, bytes->data, reverse, letters[0] == 'i');
	else if (letters[1] == '6' && bytes->size == 16 && letters[2] == 'c')
		put_ipv6(output, bytes->data);
	else if (letters[1] == '6' && bytes->size == 16)
		put_ipv6_plain(output, bytes->data, letters[0] == 'I');
	else
		tp_put_text(output, letters[1] == '4' ? "INVALIDIPv4" : "INVALIDIPv6");
}

static void put_uuid(struct tp_output *output, const char *letters, const struct pk_bytes *bytes)
{
	static const uint8_t guid[16] = {3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15};
	bool little = letters[1] == 'l' || letters[1] == 'L';

	if (bytes->size != 16) {
		tp_put_text(output, "INVALIDUUID");
		return;
	}
	for (unsigned int i = 0; i < 16; i++) {
		if (i == 4 || i == 6 || i == 8 || i == 10)
			tp_put_text(output, "-");
		tp_put_byte(output, bytes->data[little ? guid[i] : i],
			    letters[1] == 'L' || letters[1] == 'B');
	}
}

/* As many bytes as the width says. */
static void put_bytes(struct tp_output *output, const struct tp_piece *piece,
		      const struct pk_bytes *bytes)
{
	const char c = piece->pointer[1];
	const char *between = c == 'C' ? ":" : c == 'D' ? "-" : c == 'N' ? "" : " ";
	uint64_t count = piece->width < 1 ? 1 : (uint64_t)piece->width;

	for (uint64_t i = 0; i < count && i < bytes->size; i++) {
		tp_put_text(output, i ? between : "");
		tp_put_byte(output, bytes->data[i], false);
	}
}

void tp_put_special(struct tp_output *output, const struct tp_piece *piece,
		    const struct pk_bytes *bytes, bool big_endian)
{
	switch (piece->pointer[0]) {
	case 'M':
	case 'm': put_mac(output, piece->pointer, bytes); break;
	case 'I':
	case 'i': put_ip(output, piece->pointer, bytes, big_endian); break;
	case 'U': put_uuid(output, piece->pointer, bytes); break;
	default: put_bytes(output, piece, bytes);
	}
}
