// SPDX-License-Identifier: BSD-2-Clause
#include "protobuf.h"

#define VARINT_MAX 10 /* bytes of 64 bits, seven in each */

enum wire_type { WIRE_VARINT = 0, WIRE_BYTES = 2 };

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

void protobuf_bytes(struct buffer *out, unsigned int field, const void *data, size_t size)
{
	protobuf_varint(out, field << 3 | WIRE_BYTES);
	protobuf_varint(out, size);
	buffer_add(out, data, size);
}

void protobuf_message(struct buffer *out, unsigned int field, struct buffer *message)
{
	protobuf_bytes(out, field, message->data, message->size);
	out->failed |= message->failed;
	message->size = 0;
}
