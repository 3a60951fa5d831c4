/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXPORT_PROTOBUF_H
#define EXPORT_PROTOBUF_H

/* Writes the wire format of Protocol Buffers. The fields of a message are written one after the
 * other. */

#include "buffer.h"

void protobuf_varint(struct buffer *out, uint64_t value);
/* Adds a field of type uint64, int64, bool or enum. The value 0 is the default, so it is not
 * written. */
void protobuf_number(struct buffer *out, unsigned int field, uint64_t value);
/* Adds a field of type fixed64. The value 0 is not written. */
void protobuf_fixed64(struct buffer *out, unsigned int field, uint64_t value);
/* Adds the start of a field of type message. The message has `size` bytes. The caller adds these
 * bytes after the call. */
void protobuf_start(struct buffer *out, unsigned int field, size_t size);
/* protobuf_varint_size() returns the size of a number as varint. protobuf_size() returns the size
 * of a whole field whose content has `size` bytes. Sizes are in bytes. */
size_t protobuf_varint_size(uint64_t value);
size_t protobuf_size(unsigned int field, size_t size);
/* Adds a field of type string, bytes, message, or packed numbers. */
void protobuf_bytes(struct buffer *out, unsigned int field, const void *data, size_t size);
/* Like protobuf_bytes(), for the content of a buffer. Empties the buffer. */
void protobuf_message(struct buffer *out, unsigned int field, struct buffer *message);

#endif
