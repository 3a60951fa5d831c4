// SPDX-License-Identifier: BSD-2-Clause
#include "protobuf.h"

#define VARINT_MAX 10 /* each byte has 7 of the 64 bits */

enum wire_type { WIRE_VARINT = 0, WIRE_FIXED64 = 1, WIRE_BYTES = 2 };

void protobuf_varint(struct buffer *out, uint64_t value)
{
	char *p = buffer_room(out, VARINT_MAX);

	if (!p)
		return;
	for (; value >= 0x80; value >>= 7)
		*p++ = (char)(value | 0x80);
	*p++ = (char)value;
	buffer_end(out, p);
}

void protobuf_number(struct buffer *out, unsigned int field, uint64_t value)
{
	if (!value)
		return;
	protobuf_varint(out, field << 3 | WIRE_VARINT);
	protobuf_varint(out, value);
}

void protobuf_fixed64(struct buffer *out, unsigned int field, uint64_t value)
{
	uint8_t bytes[8];

	if (!value)
		return;
	for (unsigned int i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)(value >> 8 * i);
	protobuf_varint(out, field << 3 | WIRE_FIXED64);
	buffer_add(out, bytes, sizeof(bytes));
}

size_t protobuf_varint_size(uint64_t value)
{
	size_t size = 1;

	for (; value >= 0x80; value >>= 7)
		size++;
	return size;
}

size_t protobuf_size(unsigned int field, size_t size)
{
	return protobuf_varint_size(field << 3) + protobuf_varint_size(size) + size;
}

void protobuf_start(struct buffer *out, unsigned int field, size_t size)
{
	protobuf_varint(out, field << 3 | WIRE_BYTES);
	protobuf_varint(out, size);
}

void protobuf_bytes(struct buffer *out, unsigned int field, const void *data, size_t size)
{
	protobuf_start(out, field, size);
	buffer_add(out, data, size);
}

void protobuf_message(struct buffer *out, unsigned int field, struct buffer *message)
{
	protobuf_bytes(out, field, message->data, message->size);
	out->failed |= message->failed;
	message->size = 0;
}
