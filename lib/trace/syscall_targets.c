// SPDX-License-Identifier: BSD-2-Clause
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include "pkutil.h"
#include "syscall_calls.h"
#include "tracepoint_format.h"

#define TARGET_MAX 1024u /* bytes of a text that an argument points to */

/* ---- Addresses of sockets ---- */

/* Families, as in the kernel. */
enum { LOCAL = 1, INET = 2, INET6 = 10 };

static void add_ip(struct buffer *out, int family, const struct pk_bytes *address, size_t port,
		   size_t ip, size_t size)
{
	char text[INET6_ADDRSTRLEN];

	if (address->size < ip + size ||
	    !inet_ntop(family == INET ? AF_INET : AF_INET6, address->data + ip, text, sizeof(text)))
		return;
	buffer_format(out, ", port: %u, addr: %s",
		      (unsigned int)address->data[port] << 8 | address->data[port + 1], text);
}

/* Adds "{ .family: INET, port: 80, addr: 127.0.0.1 }", from the bytes of a struct sockaddr. */
static void add_address(struct buffer *out, const struct pk_call_sample *sample,
			const struct pk_bytes *address)
{
	const uint32_t head = sizeof(uint16_t);
	const uint64_t family = pk_tp_load(sample->tracepoint->all, address, 0, head);
	const uint8_t *path = address->data + head, *nul;
	size_t size = address->size < head ? 0 : (size_t)address->size - head;

	buffer_text(out, "{ .family: ");
	if (!pk_syscall_word(out, sample->calls->families, sample->abi, family))
		buffer_decimal(out, family, 0);
	if (family == INET)
		add_ip(out, INET, address, 2, 4, 4);
	if (family == INET6)
		add_ip(out, INET6, address, 2, 8, 16);
	if (family == LOCAL && size) {
		/* The names of abstract sockets start with a NUL. */
		nul = *path ? memchr(path, 0, size) : NULL;
		buffer_text(out, ", path: ");
		buffer_quoted(out, (const char *)path, nul ? (size_t)(nul - path) : size);
	}
	buffer_text(out, " }");
}

/* ---- Texts ---- */

/* Adds ["ls", "-l"], from texts with a NUL after each. */
static void add_texts(struct buffer *out, const struct pk_bytes *texts)
{
	const char *at = (const char *)texts->data, *const end = at + texts->size;
	size_t size;

	buffer_char(out, '[');
	for (; at < end; at += size + 1) {
		if (at != (const char *)texts->data)
			buffer_text(out, ", ");
		size = strnlen(at, (size_t)(end - at));
		buffer_quoted(out, at, size < TARGET_MAX ? size : TARGET_MAX);
	}
	buffer_char(out, ']');
}

static void add_text(struct buffer *out, const struct pk_bytes *text, bool ends)
{
	const uint8_t *nul = ends && text->size ? memchr(text->data, 0, text->size) : NULL;
	const size_t size = nul ? (size_t)(nul - text->data) : (size_t)text->size;

	buffer_quoted(out, (const char *)text->data, size < TARGET_MAX ? size : TARGET_MAX);
}

/* Whether the bit of the argument is set in the field `cut` of the sample. */
static bool is_cut(const struct pk_call_sample *sample, size_t index)
{
	uint64_t cut;

	return pk_raw_number_load(&sample->calls->cut_place, sample->raw, &cut) && cut >> index & 1;
}

bool pk_call_add_target(struct buffer *out, const struct pk_call_sample *sample,
			const struct pk_call_argument *argument)
{
	struct pk_bytes text = {0};

	if (!argument->target)
		return false;
	if (argument->field) { /* of a format of the kernel */
		if (!pk_tracepoint_bytes(sample->tracepoint, argument->target, sample->raw, &text))
			return false;
		add_text(out, &text, true);
		return true;
	}
	text = pk_tp_field_bytes(sample->tracepoint->all, argument->target, sample->raw);
	if (!text.size)
		return false;
	switch (argument->target_kind) {
	case PK_TARGET_ADDRESS: add_address(out, sample, &text); break;
	case PK_TARGET_ARGV: add_texts(out, &text); break;
	default: add_text(out, &text, argument->target_kind == PK_TARGET_TEXT);
	}
	if (sample->calls->cut_place.size && is_cut(sample, argument->index))
		buffer_text(out, "...");
	return true;
}

void pk_call_find_targets(struct pk_call *call, const struct pk_call_sample *sample)
{
	char name[8];

	for (size_t i = 0; i < call->arguments.count; i++) {
		struct pk_call_argument *argument = &call->arguments.items[i];
		const struct pk_tracepoint_field *field;

		snprintf(name, sizeof(name), "arg%zu", i);
		field = pk_tracepoint_find_field(sample->tracepoint, name);
		argument->target_kind = pk_target_of(argument->kind, argument->kind_size);
		argument->target =
			argument->target_kind && field && field->is_string && field->is_dynamic
				? field
				: NULL;
		argument->index = (uint8_t)i;
		call->has_targets |= argument->target != NULL;
	}
}

bool pk_call_has_texts(const struct pk_call *call, const struct pk_call_sample *sample)
{
	for (size_t i = 0; call->has_targets && i < call->arguments.count; i++) {
		const struct pk_tracepoint_field *target = call->arguments.items[i].target;

		if (target && pk_tp_field_bytes(sample->tracepoint->all, target, sample->raw).size)
			return true;
	}
	return false;
}
