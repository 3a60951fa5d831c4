/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXPORT_PROTOBUF_H
#define EXPORT_PROTOBUF_H

/* Writes the wire format of Protocol Buffers: the fields of a message, one after the other. */

#include "buffer.h"

void protobuf_varint(struct buffer *out, uint64_t value);
/* A field of type uint64, int64, bool or enum. 0 is the default, and is not written. */
void protobuf_number(struct buffer *out, unsigned int field, uint64_t value);
/* A field of type fixed64. 0 is not written. */
void protobuf_fixed64(struct buffer *out, unsigned int field, uint64_t value);
/* The start of a field of type message with `size` bytes, which the caller adds then. */
void protobuf_start(struct buffer *out, unsigned int field, size_t size);
/* The bytes of a number as varint, and of a field with `size` bytes and its start. */
size_t protobuf_varint_size(uint64_t value);
size_t protobuf_size(unsigned int field, size_t size);
/* A field of type string, bytes, message, or packed numbers. */
void protobuf_bytes(struct buffer *out, unsigned int field, const void *data, size_t size);
/* The same for the content of a buffer, which is emptied. */
void protobuf_message(struct buffer *out, unsigned int field, struct buffer *message);

#endif
