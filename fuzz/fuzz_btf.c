/* SPDX-License-Identifier: BSD-2-Clause */
/* covers: lib/trace/btf.c lib/trace/raw_format.c */
#include <stdlib.h>
#include <string.h>

#include "btf.h"
#include "check_that.h"

/* The input: 64 bytes of a record, and a section .BTF. Every type is described, and its format is
 * read back. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define RECORD 64
#define TYPES  64

static void try_fields(const struct pk_raw_layout *layout, const uint8_t *record)
{
	for (size_t i = 0; i < layout->count; i++) {
		const struct pk_raw_field *field = &layout->fields[i];
		const uint64_t count = field->count ? field->count : 1;

		check_that(field->offset + field->size * count <= layout->size);
		check_that(pk_raw_layout_find(layout, field->name) == field);
		if (pk_raw_is_number(field))
			pk_raw_number(field, record, RECORD);
	}
}

static void try_type(const struct pk_btf *btf, uint32_t type, struct pk_raw_layout *layout,
		     const uint8_t *record)
{
	struct buffer text = {0};

	memset(layout, 0, sizeof(*layout));
	if (!pk_btf_describe(btf, type, "value", layout))
		return;
	check_that(layout->count <= PK_RAW_FIELDS_MAX);
	check_that(layout->size <= PK_BTF_SIZE_MAX);
	try_fields(layout, record);
	pk_raw_format_text(layout, "record", 1, PK_ABI_X86_64, &text);
	free(text.data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pk_raw_layout *layout = malloc(sizeof(*layout));
	struct pk_btf_variable variable;
	uint8_t *copy = size > RECORD ? malloc(size - RECORD) : NULL;
	struct pk_btf *btf = NULL;

	if (copy && layout) {
		memcpy(copy, data + RECORD, size - RECORD);
		btf = pk_btf_open(copy, size - RECORD);
	}
	for (uint32_t type = 0; btf && type < TYPES; type++)
		try_type(btf, type, layout, data);
	if (btf) {
		pk_btf_find_struct(btf, "record_event");
		pk_btf_find_variable(btf, "lost", &variable);
	}
	pk_btf_free(btf);
	free(copy);
	free(layout);
	return 0;
}
