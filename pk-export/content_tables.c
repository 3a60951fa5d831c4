// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <string.h>

#include "content_tables.h"

const struct content_columns content_tables[CONTENT_TABLES] = {
	[CONTENT_OBJECTS] = {"objects",
			     4,
			     {{"object", ROW_KEY, CONTENT_OBJECTS},
			      {"path", ROW_ANY_TEXT, 0},
			      {"build_id", ROW_ANY_TEXT, 0},
			      {"kind", ROW_NUMBER, 0}}},
	[CONTENT_FRAMES] = {"frames",
			    8,
			    {{"frame", ROW_KEY, CONTENT_FRAMES},
			     {"object", ROW_ANY_KEY, CONTENT_OBJECTS},
			     {"function", ROW_ANY_TEXT, 0},
			     {"file", ROW_ANY_TEXT, 0},
			     {"line", ROW_ANY_NUMBER, 0},
			     {"address", ROW_ANY_NUMBER, 0},
			     {"mode", ROW_TEXT, 0},
			     {"inlined", ROW_NUMBER, 0}}},
	[CONTENT_STACKS] = {"stacks",
			    4,
			    {{"stack", ROW_KEY, CONTENT_STACKS},
			     {"parent", ROW_ANY_KEY, CONTENT_STACKS},
			     {"frame", ROW_KEY, CONTENT_FRAMES},
			     {"depth", ROW_NUMBER, 0}}},
};

static struct content_value item_value(const struct content_item *item)
{
	return (struct content_value){.kind = item ? CONTENT_ITEM : CONTENT_NONE, .item = item};
}

static struct content_value number_value(uint64_t number)
{
	return (struct content_value){.kind = CONTENT_NUMBER, .number = number};
}

/* Returns the value for a text. If text is NULL, the value is missing. */
static struct content_value text_value(const char *text, size_t size)
{
	return (struct content_value){
		.kind = text ? CONTENT_TEXT : CONTENT_NONE, .text = text, .size = size};
}

static struct content_value string_value(const struct pk_dictionary *names, uint32_t id)
{
	size_t size;
	const char *text = pk_dictionary_get_string(names, id, &size);

	return text_value(text, text ? size : 0);
}

/* Returns the path of an object, or NULL if the object has no path. Code of a JIT compiler has no
 * path, or a path with the name of its process. The JIT code of all processes is treated as one
 * object with the path "[jit]". */
static const char *path_of(const struct pk_dictionary *names, const struct pk_dso *dso,
			   size_t *size)
{
	static const char jit[] = "[jit]";

	*size = strlen(jit);
	return content_is_jit(dso) ? jit : pk_dictionary_get_string(names, dso->path, size);
}

void content_object_row(struct content_row *row, const struct pk_dictionary *names,
			const struct content_item *item, const struct pk_dso *dso)
{
	size_t size;
	const char *path = path_of(names, dso, &size);

	for (uint32_t i = 0; i < dso->build_id_size; i++)
		snprintf(row->build_id + (size_t)2 * i, 3, "%02x", dso->build_id[i]);
	row->values[0] = item_value(item);
	row->values[1] = text_value(path, size);
	row->values[2] = text_value(dso->build_id_size ? row->build_id : NULL,
				    (size_t)2 * dso->build_id_size);
	row->values[3] = number_value(dso->kind);
}

/* Returns the word for the frame's processor mode. It is the same word as in the field "mode". */
static const char *mode_of(const struct pk_frame *frame)
{
	switch (frame->flags & CONTENT_MODES) {
	case PK_FRAME_KERNEL: return "kernel";
	case PK_FRAME_USER: return "user";
	case PK_FRAME_HYPERVISOR: return "hypervisor";
	case PK_FRAME_GUEST | PK_FRAME_KERNEL: return "guest_kernel";
	case PK_FRAME_GUEST | PK_FRAME_USER: return "guest_user";
	default: return "unknown";
	}
}

void content_frame_row(struct content_row *row, const struct pk_dictionary *names,
		       const struct content_item *item, const struct content_item *object,
		       const struct pk_frame *frame)
{
	const bool address = !frame->function;
	const char *mode = mode_of(frame);
	const struct content_value no_value = {.kind = CONTENT_NONE};

	row->values[0] = item_value(item);
	row->values[1] = item_value(object);
	row->values[2] = address ? no_value : string_value(names, frame->function);
	row->values[3] = address ? no_value : string_value(names, frame->file);
	row->values[4] = address || !frame->line ? no_value : number_value(frame->line);
	row->values[5] = address ? number_value(frame->address) : no_value;
	row->values[6] = text_value(mode, strlen(mode));
	row->values[7] = number_value((frame->flags & PK_FRAME_INLINED) != 0);
}

void content_stack_row(struct content_row *row, const struct content_item *item,
		       const struct content_item *parent, const struct content_item *frame)
{
	row->values[0] = item_value(item);
	row->values[1] = item_value(parent);
	row->values[2] = item_value(frame);
	row->values[3] = number_value(item->depth);
}
