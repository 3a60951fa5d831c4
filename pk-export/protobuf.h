/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXPORT_PROTOBUF_H
#define EXPORT_PROTOBUF_H

/* Writes the wire format of Protocol Buffers: the fields of a message, one after the other. */

#include "buffer.h"

void protobuf_varint(struct buffer *out, uint64_t value);
/* A field of type uint64, int64, bool or enum; 0 is the default, and is not written. */
void protobuf_number(struct buffer *out, unsigned int field, uint64_t value);
/* A field of type string, bytes, message, or packed numbers. */
void protobuf_bytes(struct buffer *out, unsigned int field, const void *data, size_t size);
/* The same for the content of a buffer, which is emptied. */
void protobuf_message(struct buffer *out, unsigned int field, struct buffer *message);

#endif
