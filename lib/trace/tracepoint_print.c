// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "digits.h"
#include "tracepoint_format.h"

/* ---- Output ---- */

static void tp_put(struct tp_output *output, const char *data, size_t size)
{
	struct buffer *text = &output->text;
	char *p;

	if (size > output->limit - text->size) {
		size = output->limit - text->size;
		output->cut = true;
	}
	p = size ? buffer_room(text, size + 1) : NULL; /* one more byte for the NUL */
	if (!p)
		return;
	memcpy(p, data, size);
	text->size += size;
}

static void tp_put_text(struct tp_output *output, const char *text)
{
	tp_put(output, text, strlen(text));
}

static void put_padding(struct tp_output *output, char c, int count)
{
	char some[64];

	if (count <= 0)
		return;
	memset(some, c, sizeof(some));
	for (; count > 0; count -= (int)sizeof(some))
		tp_put(output, some, count < (int)sizeof(some) ? (size_t)count : sizeof(some));
}

/* Writes the digits of a number, and returns the address after the last digit. `conversion` is a
 * letter of printf(3). */
static char *digits(char *p, uint64_t value, char conversion)
{
	char octal[24], *first = octal + sizeof(octal), *begin = p;

	switch (conversion) {
	case 'x': return digits_hex(p, value, 0);
	case 'X':
		p = digits_hex(p, value, 0);
		for (; begin < p; begin++)
			*begin = (char)(*begin >= 'a' ? *begin - 'a' + 'A' : *begin);
		return p;
	case 'o':
		do
			*--first = (char)('0' + (value & 7));
		while (value >>= 3);
		return mempcpy(p, first, (size_t)(octal + sizeof(octal) - first));
	default: return digits_decimal(p, value, 0);
	}
}

static void tp_put_hex(struct tp_output *output, uint64_t value)
{
	char text[DIGITS_MAX];

	tp_put(output, text, (size_t)(digits_hex(text, value, 0) - text));
}

static void tp_put_dec(struct tp_output *output, uint64_t value)
{
	char text[DIGITS_MAX];

	tp_put(output, text, (size_t)(digits_decimal(text, value, 0) - text));
}

static void tp_put_byte(struct tp_output *output, uint8_t byte, bool capital)
{
	const char *letters = capital ? "0123456789ABCDEF" : "0123456789abcdef";
	const char text[2] = {letters[byte >> 4], letters[byte & 15]};

	tp_put(output, text, 2);
}

/* Writes a string with the width, precision and alignment of the piece. */
static void tp_put_string(struct tp_output *output, const struct tp_piece *piece, const char *data,
			  size_t size)
{
	int padding;

	if (piece->precision >= 0 && (size_t)piece->precision < size)
		size = (size_t)piece->precision;
	padding = piece->width > 0 && (size_t)piece->width > size ? piece->width - (int)size : 0;
	if (!piece->left)
		put_padding(output, ' ', padding);
	tp_put(output, data, size);
	if (piece->left)
		put_padding(output, ' ', padding);
}

static const char *prefix(const struct tp_piece *piece, uint64_t value, bool negative)
{
	bool is_signed = piece->conversion == 'd' || piece->conversion == 'i';

	if (negative)
		return "-";
	if (is_signed)
		return piece->plus ? "+" : piece->blank ? " " : "";
	if (!piece->alternate || !value)
		return "";
	return piece->conversion == 'x' ? "0x" : piece->conversion == 'X' ? "0X" : "0";
}

/* Writes a number directly into the buffer if the piece has no flags, width or precision. Otherwise
 * returns false. */
static bool put_plain_number(struct tp_output *output, const struct tp_piece *piece, uint64_t value)
{
	struct buffer *text = &output->text;
	char *p;

	if (piece->width > 0 || piece->precision >= 0 || piece->alternate || piece->plus ||
	    piece->blank || text->size + DIGITS_MAX > output->limit)
		return false;
	p = buffer_room(text, DIGITS_MAX + 1);
	if (p)
		text->size = (size_t)(digits(p, value, piece->conversion) - text->data);
	return true;
}

static void tp_put_number(struct tp_output *output, const struct tp_piece *piece, uint64_t value)
{
	const char c = piece->conversion;
	const bool is_signed = c == 'd' || c == 'i';
	char text[DIGITS_MAX];
	bool negative;
	int count, zeros, padding;
	const char *before;

	value = pk_tp_extend(value, piece->size, is_signed);
	negative = is_signed && (int64_t)value < 0;
	if (!negative && put_plain_number(output, piece, value))
		return;
	before = prefix(piece, value, negative);
	count = (int)(digits(text, negative ? -value : value, c) - text);
	zeros = piece->precision > count ? piece->precision - count : 0;
	padding = piece->width - zeros - count - (int)strlen(before);
	if (piece->zero && !piece->left && piece->precision < 0 && padding > 0) {
		zeros += padding;
		padding = 0;
	}
	if (!piece->left)
		put_padding(output, ' ', padding);
	if (*before)
		tp_put_text(output, before);
	put_padding(output, '0', zeros);
	tp_put(output, text, (size_t)count);
	if (piece->left)
		put_padding(output, ' ', padding);
}

/* ---- %pI, %pM, %pU, %ph ---- */

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

/* Finds the longest run of zero words in the first `count` 16-bit words. Returns the length of the
 * run, which is at least 2, and sets *where to its first index. Returns 0 if there is no such run.
 */
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

/* Writes an IPv6 address as in RFC 5952. "::" replaces the longest run of zeros. An embedded IPv4
 * address is written in decimal with dots. */
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

/* Writes the address in a struct sockaddr_in or sockaddr_in6. */
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

/* Writes the bytes for %*ph. The width of the piece is the number of bytes. */
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

/* Writes the bytes for %pI, %pM, %pU or %ph. */
static void tp_put_special(struct tp_output *output, const struct tp_piece *piece,
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

/* ---- Pieces ---- */

struct sample {
	const struct pk_tracepoint *tracepoint;
	const struct pk_bytes *raw;
	struct tp_output *output;
};

static const struct tp_node *node_at(const struct sample *sample, uint32_t number)
{
	return &sample->tracepoint->nodes[number];
}

static void put_prefixed_hex(struct tp_output *output, uint64_t value)
{
	tp_put_text(output, "0x");
	tp_put_hex(output, value);
}

/* ---- The text of %s ---- */

static size_t until_nul(const struct pk_bytes *bytes)
{
	const uint8_t *nul = bytes->size ? memchr(bytes->data, 0, bytes->size) : NULL;

	return nul ? (size_t)(nul - bytes->data) : (size_t)bytes->size;
}

static void put_bytes_as_text(const struct sample *sample, const struct tp_piece *piece,
			      const struct pk_bytes *bytes)
{
	tp_put_string(sample->output, piece, (const char *)bytes->data, until_nul(bytes));
}

static int compare_strings(const void *a, const void *b)
{
	const struct tp_string *x = a, *y = b;

	return (x->address > y->address) - (x->address < y->address);
}

/* Writes the string of the kernel at an address. If the payload does not contain the string, writes
 * the address. */
static void put_kernel_string(const struct sample *sample, uint64_t address)
{
	const struct pk_tracepoints *all = sample->tracepoint->all;
	const struct tp_string key = {.address = address}, *found = NULL;

	if (all->strings_count)
		found = bsearch(&key, all->strings, all->strings_count, sizeof(key),
				compare_strings);
	if (found)
		tp_put(sample->output, found->text.data, found->text.size);
	else
		tp_put_hex(sample->output, address);
}

static void put_field_as_text(const struct sample *sample, const struct tp_piece *piece,
			      const struct pk_tracepoint_field *field)
{
	const struct pk_tracepoints *all = sample->tracepoint->all;
	struct pk_bytes bytes;

	if (!field->is_array && field->size == all->long_size) {
		put_kernel_string(sample, pk_tp_load(all, sample->raw, field->offset, field->size));
		return;
	}
	bytes = pk_tp_field_bytes(all, field, sample->raw);
	put_bytes_as_text(sample, piece, &bytes);
}

static void put_flags(const struct sample *sample, const struct tp_piece *piece,
		      const struct tp_node *node)
{
	uint64_t value = pk_tp_eval_unsigned(sample->tracepoint, node->a, sample->raw);
	bool any = false;

	for (uint32_t i = node->b; i; i = node_at(sample, i)->b) {
		const struct tp_node *flag = node_at(sample, i);

		if (!value && !flag->known) {
			tp_put_string(sample->output, piece, flag->text.data, flag->text.size);
			break;
		}
		if (!flag->known || !flag->value || (value & flag->value) != flag->value)
			continue;
		if (any)
			tp_put(sample->output, node->text.data, node->text.size);
		tp_put_string(sample->output, piece, flag->text.data, flag->text.size);
		any = true;
		value &= ~flag->value;
	}
	if (value) {
		if (any)
			tp_put(sample->output, node->text.data, node->text.size);
		put_prefixed_hex(sample->output, value);
	}
}

static void put_symbolic(const struct sample *sample, const struct tp_piece *piece,
			 const struct tp_node *node)
{
	uint64_t value = pk_tp_eval(sample->tracepoint, node->a, sample->raw);

	for (uint32_t i = node->b; i; i = node_at(sample, i)->b) {
		const struct tp_node *symbol = node_at(sample, i);

		if ((symbol->known ? symbol->value : UINT64_MAX) == value) {
			tp_put_string(sample->output, piece, symbol->text.data, symbol->text.size);
			return;
		}
	}
	put_prefixed_hex(sample->output,
			 pk_tp_eval_unsigned(sample->tracepoint, node->a, sample->raw));
}

static void put_hex_bytes(const struct sample *sample, const struct tp_node *node)
{
	struct pk_bytes bytes = pk_tp_bytes(sample->tracepoint, node->a, sample->raw);
	uint64_t count = pk_tp_eval(sample->tracepoint, node->b, sample->raw);

	for (uint64_t i = 0; i < count && i < bytes.size; i++) {
		if (i && node->kind == TP_HEX)
			tp_put_text(sample->output, " ");
		tp_put_byte(sample->output, bytes.data[i], false);
	}
}

static void put_array(const struct sample *sample, const struct tp_node *node)
{
	const struct pk_tracepoint *t = sample->tracepoint;
	const bool counted = node->kind == TP_ARRAY;
	uint64_t size = pk_tp_eval(t, counted ? node->c : node->b, sample->raw);
	uint64_t count = counted ? pk_tp_eval(t, node->b, sample->raw) : UINT64_MAX;
	struct pk_bytes bytes = counted ? pk_tp_bytes(t, node->a, sample->raw)
					: pk_tp_field_bytes(t->all, node->field, sample->raw);

	if (size != 1 && size != 2 && size != 4 && size != 8)
		return;
	tp_put_text(sample->output, "{");
	for (uint64_t i = 0; i < count && i < bytes.size / size; i++) {
		tp_put_text(sample->output, i ? ",0x" : "0x");
		tp_put_hex(sample->output, pk_tp_load(t->all, &bytes, i * size, (uint32_t)size));
	}
	tp_put_text(sample->output, "}");
}

/* Writes 32-bit words in hexadecimal, from the highest to the lowest, as the kernel prints a mask
 * of longs. */
static void put_bitmask(const struct sample *sample, const struct pk_bytes *bytes)
{
	const uint64_t swap = sample->tracepoint->all->big_endian
				      ? (uint64_t)sample->tracepoint->all->long_size - 1
				      : 0;

	for (uint64_t i = bytes->size; i-- > 0;) {
		tp_put_byte(sample->output, (i ^ swap) < bytes->size ? bytes->data[i ^ swap] : 0,
			    false);
		if (i && !(i & 3))
			tp_put_text(sample->output, ",");
	}
}

/* Returns the number of the first bit from i on that is set. If `set` is false, returns the number
 * of the first bit that is clear. Returns the number of bits if there is no such bit. */
static uint64_t next_bit(const struct sample *sample, const struct pk_bytes *bytes, uint64_t i,
			 bool set)
{
	const struct pk_tracepoints *all = sample->tracepoint->all;
	const uint64_t size = all->long_size, bits = 8 * bytes->size;

	while (i < bits) {
		uint64_t at = i % (8 * size), word, rest;

		word = pk_tp_load(all, bytes, i / (8 * size) * size, (uint32_t)size);
		rest = (set ? word : ~word) >> at;
		if (rest && at + (uint64_t)__builtin_ctzll(rest) < 8 * size) {
			i += (uint64_t)__builtin_ctzll(rest);
			break;
		}
		i += 8 * size - at;
	}
	return i < bits ? i : bits;
}

/* Writes the set bits as a list of ranges, such as 0-3,7. */
static void put_bit_list(const struct sample *sample, const struct pk_bytes *bytes)
{
	const uint64_t bits = 8 * bytes->size;
	uint64_t i = next_bit(sample, bytes, 0, true), end;

	while (i < bits) {
		end = next_bit(sample, bytes, i, false);
		tp_put_dec(sample->output, i);
		if (end - i > 1) {
			tp_put_text(sample->output, "-");
			tp_put_dec(sample->output, end - 1);
		}
		i = next_bit(sample, bytes, end, true);
		tp_put_text(sample->output, i < bits ? "," : "");
	}
}

static void put_mask(const struct sample *sample, const struct tp_node *node)
{
	struct pk_bytes bytes =
		pk_tp_field_bytes(sample->tracepoint->all, node->field, sample->raw);

	if (node->kind == TP_CPUMASK)
		put_bit_list(sample, &bytes);
	else
		put_bitmask(sample, &bytes);
}

static void put_text(const struct sample *sample, const struct tp_piece *piece, uint32_t number)
{
	const struct tp_node *node = node_at(sample, number);

	while (node->kind == TP_CHOICE)
		node = node_at(sample, pk_tp_eval(sample->tracepoint, node->a, sample->raw)
					       ? node->b
					       : node->c);
	switch (node->kind) {
	case TP_NUMBER:
	case TP_NAME:
	case TP_STRING:
		tp_put_string(sample->output, piece, node->text.data, node->text.size);
		break;
	case TP_FIELD:
	case TP_GET_STR: put_field_as_text(sample, piece, node->field); break;
	case TP_FLAGS: put_flags(sample, piece, node); break;
	case TP_SYMBOLIC: put_symbolic(sample, piece, node); break;
	case TP_HEX:
	case TP_HEX_STR: put_hex_bytes(sample, node); break;
	case TP_ARRAY:
	case TP_DYNAMIC_ARRAY: put_array(sample, node); break;
	case TP_BITMASK:
	case TP_CPUMASK: put_mask(sample, node); break;
	default: break;
	}
}

/* ---- The text of %p ---- */

static void put_symbol(const struct sample *sample, const struct tp_piece *piece, uint64_t address)
{
	const struct pk_tracepoints *all = sample->tracepoint->all;
	uint64_t start = address;
	const char *name = all->symbol ? all->symbol(all->symbol_arg, address, &start) : NULL;

	if (!name) {
		put_prefixed_hex(sample->output, address);
		return;
	}
	tp_put_text(sample->output, name);
	if (piece->pointer[0] == 'S' || piece->pointer[0] == 'F' || piece->pointer[0] == 'B') {
		tp_put_text(sample->output, "+");
		put_prefixed_hex(sample->output, address - start);
	}
}

static void put_pointer(const struct sample *sample, const struct tp_piece *piece)
{
	struct pk_bytes bytes;
	uint64_t address;

	if (piece->pointer[0] && !strchr("sSfFB", piece->pointer[0])) {
		bytes = pk_tp_bytes(sample->tracepoint, piece->node, sample->raw);
		if (piece->pointer[0] != 'b')
			tp_put_special(sample->output, piece, &bytes,
				       sample->tracepoint->all->big_endian);
		else if (piece->pointer[1] == 'l')
			put_bit_list(sample, &bytes);
		else
			put_bitmask(sample, &bytes);
		return;
	}
	address = pk_tp_eval_unsigned(sample->tracepoint, piece->node, sample->raw);
	if (piece->pointer[0]) {
		put_symbol(sample, piece, address);
	} else if (!address) {
		tp_put_string(sample->output, piece, "(nil)", 5);
	} else {
		struct tp_piece number = *piece;

		number.conversion = 'x';
		number.size = 8;
		number.alternate = true;
		tp_put_number(sample->output, &number, address);
	}
}

/* ---- A whole sample ---- */

static int amount(const struct sample *sample, uint32_t node)
{
	int64_t value = (int32_t)pk_tp_eval(sample->tracepoint, node, sample->raw);

	return value < 0 ? -1 : value > TP_WIDTH_MAX ? TP_WIDTH_MAX : (int)value;
}

static void put_piece(const struct sample *sample, const struct tp_piece *given)
{
	struct tp_piece changed;
	const struct tp_piece *piece = given;
	char c;

	tp_put(sample->output, piece->literal.data, piece->literal.size);
	if (!piece->conversion)
		return;
	if (piece->width_node || piece->precision_node) {
		changed = *piece;
		if (piece->width_node)
			changed.width = amount(sample, piece->width_node);
		if (piece->precision_node)
			changed.precision = amount(sample, piece->precision_node);
		piece = &changed;
	}
	switch (piece->conversion) {
	case 's': put_text(sample, piece, piece->node); break;
	case 'p': put_pointer(sample, piece); break;
	case 'c':
		c = (char)pk_tp_eval(sample->tracepoint, piece->node, sample->raw);
		tp_put_string(sample->output, piece, &c, 1);
		break;
	default:
		tp_put_number(sample->output, piece,
			      pk_tp_eval(sample->tracepoint, piece->node, sample->raw));
	}
}

static bool is_printable(const struct pk_bytes *bytes)
{
	size_t size = until_nul(bytes);

	for (size_t i = 0; i < size; i++)
		if ((bytes->data[i] < ' ' || bytes->data[i] > '~') &&
		    !(bytes->data[i] >= '\t' && bytes->data[i] <= '\r'))
			return false;
	return true;
}

static void put_field_array(const struct sample *sample, const struct pk_tracepoint_field *field)
{
	struct pk_bytes bytes = pk_tp_field_bytes(sample->tracepoint->all, field, sample->raw);

	if (field->is_string && is_printable(&bytes)) {
		tp_put(sample->output, (const char *)bytes.data, until_nul(&bytes));
		return;
	}
	tp_put_text(sample->output, "ARRAY[");
	for (uint64_t i = 0; i < bytes.size; i++) {
		if (i)
			tp_put_text(sample->output, ", ");
		tp_put_byte(sample->output, bytes.data[i], false);
	}
	tp_put_text(sample->output, "]");
}

static void put_field_number(const struct sample *sample, const struct pk_tracepoint_field *field)
{
	struct tp_piece piece = {.conversion = field->is_signed ? 'd' : 'u',
				 .size = 8,
				 .width = -1,
				 .precision = -1};
	uint64_t value =
		pk_tp_load(sample->tracepoint->all, sample->raw, field->offset, field->size);

	if (field->is_pointer || (field->is_long && (!field->is_signed || field->size == 4))) {
		put_prefixed_hex(sample->output, value);
		return;
	}
	if (field->is_signed && field->size == 2)
		piece.width = 2;
	tp_put_number(sample->output, &piece, pk_tp_extend(value, field->size, field->is_signed));
}

static void put_field(const struct sample *sample, const struct pk_tracepoint_field *field)
{
	if (field->is_array)
		put_field_array(sample, field);
	else
		put_field_number(sample, field);
}

/* Writes all fields, except the common ones, as name=value. It is used if "print fmt" cannot be
 * evaluated. */
static void put_fields(const struct sample *sample)
{
	const struct pk_tracepoint *t = sample->tracepoint;

	tp_put_text(sample->output, "[FAILED TO PARSE]");
	for (uint32_t i = t->common_count; i < t->fields_count; i++) {
		tp_put_text(sample->output, " ");
		tp_put_text(sample->output, t->fields[i].name);
		tp_put_text(sample->output, "=");
		put_field(sample, &t->fields[i]);
	}
}

static struct tp_output *start_output(struct pk_tracepoint *tracepoint, const struct pk_bytes *raw)
{
	struct tp_output *output = &tracepoint->all->output;
	const uint64_t limit = TP_OUTPUT_MIN + TP_OUTPUT_PER_BYTE * raw->size;

	output->text.size = 0;
	output->cut = false;
	output->limit = limit < TP_OUTPUT_MAX ? limit : TP_OUTPUT_MAX;
	return output;
}

static const char *end_output(struct tp_output *output)
{
	if (output->cut) {
		output->limit += 5;
		tp_put_text(output, "[...]");
	}
	if (!output->text.data)
		return "";
	output->text.data[output->text.size] = '\0';
	return output->text.data;
}

/* Returns the text of the other printer, or NULL if it has none. */
static const char *other_text(const struct pk_tracepoint *t, const struct pk_bytes *raw,
			      size_t *size)
{
	struct pk_tracepoints *all = t->all;
	const struct pk_tracepoint_origin origin = {
		.system = t->system,
		.format = {(const uint8_t *)t->format.data, t->format.size},
		.id = t->id,
		.big_endian = all->big_endian,
		.long_size = all->long_size,
		.symbol = all->symbol,
		.symbol_arg = all->symbol_arg,
	};

	if (!all->printer_state)
		all->printer_state = all->printer->open();
	if (!all->printer_state)
		all->failed = true;
	return all->printer_state ? all->printer->text(all->printer_state, &origin, raw, size)
				  : NULL;
}

const char *pk_tracepoint_text(struct pk_tracepoint *tracepoint, const struct pk_bytes *raw,
			       size_t *size)
{
	struct tp_output *output = start_output(tracepoint, raw);
	const struct sample sample = {tracepoint, raw, output};
	size_t other = 0;
	const char *text = tracepoint->all->printer ? other_text(tracepoint, raw, &other) : NULL;

	if (text) {
		if (size)
			*size = other;
		return text;
	}
	if (tracepoint->unprintable)
		put_fields(&sample);
	else
		for (uint32_t i = 0; i < tracepoint->pieces_count && !output->cut; i++)
			put_piece(&sample, &tracepoint->pieces[i]);
	text = end_output(output);
	if (size)
		*size = output->text.size;
	return text;
}

/* ---- One field ---- */

/* Returns whether the value of an expression contains the field. The condition of ?: only chooses
 * the value, so the fields in a condition are ignored. */
static bool contains(const struct pk_tracepoint *t, uint32_t number,
		     const struct pk_tracepoint_field *field)
{
	const struct tp_node *node = &t->nodes[number];

	if (!number)
		return false;
	switch (node->kind) {
	case TP_CAST:
	case TP_UNARY:
	case TP_INDEX:
	case TP_FLAGS:
	case TP_SYMBOLIC:
	case TP_HEX:
	case TP_HEX_STR:
	case TP_ARRAY: return contains(t, node->a, field);
	case TP_BINARY: return contains(t, node->a, field) || contains(t, node->b, field);
	case TP_CHOICE: return contains(t, node->b, field) || contains(t, node->c, field);
	default: return node->field == field;
	}
}

/* If "print fmt" prints a field as a number and as a word, as in "vec=%u [action=%s]", the word is
 * preferred. */
uint32_t pk_tracepoint_shows(const struct pk_tracepoint *tracepoint,
			     const struct pk_tracepoint_field *field)
{
	uint32_t as_number = 0;

	for (uint32_t i = 0; !tracepoint->unprintable && i < tracepoint->pieces_count; i++) {
		const struct tp_piece *piece = &tracepoint->pieces[i];

		if (!piece->conversion || !contains(tracepoint, piece->node, field))
			continue;
		if (piece->conversion == 's' || piece->conversion == 'p')
			return i + 1;
		if (!as_number)
			as_number = i + 1;
	}
	return as_number;
}

struct pk_bytes pk_tracepoint_shown(struct pk_tracepoint *tracepoint,
				    const struct pk_tracepoint_field *field, uint32_t shown,
				    const struct pk_bytes *raw)
{
	struct tp_output *output = start_output(tracepoint, raw);
	const struct sample sample = {tracepoint, raw, output};
	struct tp_piece piece;
	const char *text;

	if (shown) {
		piece = tracepoint->pieces[shown - 1];
		piece.literal.size = 0;
		piece.width_node = 0;
		piece.width = -1;
		put_piece(&sample, &piece);
	} else {
		put_field(&sample, field);
	}
	text = end_output(output);
	return (struct pk_bytes){(const uint8_t *)text, output->text.size};
}

/* Stores the lowest `size` bytes of a number, in the byte order of the recording. */
static void store_number(const struct pk_tracepoints *all, uint8_t *at, uint32_t size,
			 uint64_t number)
{
	for (uint32_t i = 0; i < size; i++, number >>= 8)
		at[all->big_endian ? size - 1 - i : i] = (uint8_t)number;
}

struct pk_bytes pk_tracepoint_words(struct pk_tracepoint *tracepoint,
				    const struct pk_tracepoint_field *field, uint64_t number)
{
	struct pk_tracepoints *all = tracepoint->all;
	struct pk_bytes raw = {.size = field->offset + (uint64_t)field->size};
	struct tp_output *output = start_output(tracepoint, &raw);
	const struct sample sample = {tracepoint, &raw, output};
	const char *text;

	all->words.size = 0;
	if (!buffer_room(&all->words, (size_t)raw.size + 1))
		return (struct pk_bytes){0};
	memset(all->words.data, 0, (size_t)raw.size);
	raw.data = (const uint8_t *)all->words.data;
	store_number(all, (uint8_t *)all->words.data + field->offset, field->size, number);
	for (uint32_t i = 0; i < field->words_count; i++) {
		struct tp_piece piece = tracepoint->pieces[field->words - 1 + i];

		if (!i)
			piece.literal.size = 0;
		put_piece(&sample, &piece);
	}
	text = end_output(output);
	return (struct pk_bytes){(const uint8_t *)text, output->text.size};
}
