// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>

#include "frame_table.h"
#include "vector.h"

static struct frame_key key_of(const struct frame_table *table, const struct pk_frame *frame)
{
	struct frame_key key = {.function = frame->function};
	const struct pk_dso *dso = pk_dictionary_get_dso(table->names, frame->dso);

	if (!key.function) {
		key.object = dso ? dso->path : 0;
		return key;
	}
	key.file = frame->file;
	if (table->lines) {
		key.line = frame->line;
		key.column = frame->column;
	}
	return key;
}

uint32_t frame_table_number(struct frame_table *table, uint32_t id)
{
	const struct pk_frame *frame = pk_dictionary_get_frame(table->names, id);
	struct frame_key key;

	if (!pk_extend(&table->numbers, &table->numbers_count, id))
		return 0;
	if (table->numbers[id])
		return table->numbers[id];
	key = key_of(table, frame);
	table->numbers[id] = pk_texts_add(&table->keys, (const char *)&key, sizeof(key));
	return table->numbers[id];
}

void frame_table_free(struct frame_table *table)
{
	pk_texts_free(&table->keys);
	free(table->numbers);
}
