/* SPDX-License-Identifier: BSD-2-Clause */
/* covers: lib/trace/tracepoint.c lib/trace/tracing_payload.c */
/* covers: lib/trace/tracepoint_print.c lib/trace/tracepoint_expr.c */
#include <string.h>

#include "check_that.h"
#include "tracepoint_format.h"

/* The input has the size of a sample's raw bytes in two bytes, the raw bytes, and a payload of
 * TRACING_DATA. The raw bytes are read with every format of the payload. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FORMATS_MAX 32

static const char *symbol(void *arg, uint64_t address, uint64_t *start)
{
	(void)arg;
	*start = address & ~(uint64_t)0xff;
	return address & 1 ? NULL : "symbol";
}

static void try_fields(struct pk_tracepoint *t, const struct pk_bytes *raw)
{
	for (uint32_t i = 0; i < t->fields_count; i++) {
		const struct pk_tracepoint_field *field = &t->fields[i];
		struct pk_bytes bytes =
			pk_tracepoint_shown(t, field, pk_tracepoint_shows(t, field), raw);
		uint64_t value;

		check_that(bytes.data[bytes.size] == '\0');
		check_that(pk_tracepoint_find_field(t, field->name) != NULL);
		if (pk_tracepoint_number(t, field, raw, &value))
			check_that(field->offset + field->size <= raw->size);
		if (pk_tracepoint_bytes(t, field, raw, &bytes)) {
			check_that(bytes.data >= raw->data);
			check_that(bytes.data + bytes.size <= raw->data + raw->size);
		}
	}
}

static void try_format(struct pk_tracepoint *t, const struct pk_bytes *raw)
{
	const struct pk_bytes nothing = {0};
	size_t length, again;
	const char *text = pk_tracepoint_text(t, raw, &length);

	check_that(text[length] == '\0');
	check_that(strchr(pk_tracepoint_name(t), ':') != NULL);
	try_fields(t, raw);
	try_fields(t, &nothing);
	pk_tracepoint_text(t, &nothing, &again);
	pk_tracepoint_text(t, raw, &again);
	check_that(length == again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pk_tracepoints *all = pk_tracepoints_new();
	struct pk_bytes raw = {0};
	uint8_t *copy = NULL;

	if (!all || size < 2)
		goto out;
	raw.size = (uint64_t)(data[0] | data[1] << 8);
	if (raw.size > size - 2)
		raw.size = size - 2;
	/* The bytes are copied, so that a sanitizer reports a read after their end. */
	copy = malloc(raw.size + 1);
	if (!copy)
		goto out;
	memcpy(copy + 1, data + 2, raw.size);
	raw.data = copy + 1;
	pk_tracepoints_resolver(all, symbol, NULL);
	if (pk_tracepoints_load(all, data + 2 + raw.size, size - 2 - raw.size) == PK_NOMEM)
		goto out;
	for (size_t i = 0; i < all->count && i < FORMATS_MAX; i++) {
		struct pk_tracepoint *t = pk_tracepoints_find(all, all->list[i].id);

		if (t)
			try_format(t, &raw);
	}
out:
	free(copy);
	pk_tracepoints_free(all);
	return 0;
}
