// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "otlp_tables.h"
#include "paths.h"
#include "protobuf.h"
#include "samples.h"
#include "vector.h"

/* ---- Stacks ---- */

#define FAILED UINT32_MAX

/* The innermost location of a stack. It is a function together with the functions that are inlined
 * into it at this address. */
struct run {
	uint32_t frames[LOCATION_MAX]; /* the frames of the location, the innermost frame first */
	size_t count;		       /* 0 if the stack has no locations */
	uint32_t caller; /* stack that consists of the callers of this location; 0 if there are none
			  */
};

static void read_run(const struct pk_dictionary *names, uint32_t id, struct run *run)
{
	struct pk_stack_walk frames = pk_stack_walk(names, id);

	run->count = stack_frames_location(&frames, run->frames);
	run->caller = run->count ? frames.rest : 0;
}

/* Returns the node of the stack that consists of a location and its caller, the node `parent`.
 * Returns FAILED if memory is exhausted. */
static uint32_t child_of(struct otlp_stacks *stacks, uint32_t parent, uint32_t location)
{
	const uint64_t key = (uint64_t)parent << 32 | location;
	const uint64_t known = pk_table_get_u64(&stacks->numbers, key);

	if (known)
		return (uint32_t)known;
	if (!stacks->count)
		stacks->count = 1;
	if (location == FAILED || stacks->count >= FAILED ||
	    pk_vector_reserve(stacks, 1) != PK_OK ||
	    pk_table_set_u64(&stacks->numbers, key, stacks->count) != PK_OK)
		return FAILED;
	stacks->items[stacks->count] = (struct otlp_node){
		.parent = parent,
		.location = location,
		.depth = (parent ? stacks->items[parent].depth : 0) + 1,
	};
	return (uint32_t)stacks->count++;
}

/* In of_stacks, 0 means unknown. So a stack without locations, whose node is 0, has this value
 * there. */
#define NO_LOCATIONS FAILED

static uint32_t known_node(const struct otlp_stacks *stacks, uint32_t stack)
{
	return stack < stacks->of_stacks_count ? stacks->of_stacks[stack] : 0;
}

static uint32_t location_of(struct otlp_tables *tables, const uint32_t *frames, size_t count);

static uint32_t node_of(struct otlp_tables *tables, uint32_t id)
{
	const struct pk_dictionary *names = tables->shared->names;
	struct otlp_stacks *stacks = &tables->stacks;
	size_t count = 0;
	uint32_t node;
	struct run run;

	for (; id && !known_node(stacks, id); id = run.caller) {
		if (pk_reserve(&stacks->way, &stacks->way_capacity, count, 1,
			       sizeof(*stacks->way)) != PK_OK)
			return FAILED;
		stacks->way[count++] = id;
		read_run(names, id, &run);
	}
	node = id ? known_node(stacks, id) : 0;
	if (node == NO_LOCATIONS)
		node = 0;
	while (count && node != FAILED) {
		id = stacks->way[--count];
		read_run(names, id, &run);
		if (run.count)
			node = child_of(stacks, node, location_of(tables, run.frames, run.count));
		if (node == FAILED ||
		    pk_extend(&stacks->of_stacks, &stacks->of_stacks_count, id) != PK_OK)
			return FAILED;
		stacks->of_stacks[id] = node ? node : NO_LOCATIONS;
	}
	return node;
}

/* Returns how many locations are written for a stack. `depth` is the number of its locations. */
static uint32_t depth_shown(struct otlp_stacks *stacks, uint32_t depth)
{
	if (depth > PK_PATH_DEPTH_MAX)
		depth = PK_PATH_DEPTH_MAX;
	if (depth > PK_STACK_SHORT &&
	    !pk_allowance_spend(stacks->allowance, (uint64_t)depth * PK_COST_STEP))
		return PK_STACK_SHORT;
	return depth;
}

/* Returns the index of a stack. *cut is set to true if the stack has more locations than are
 * written. Returns UINT32_MAX if memory is exhausted. */
static uint32_t stack_index(struct otlp_tables *tables, uint32_t stack, bool *cut)
{
	struct otlp_stacks *stacks = &tables->stacks;
	const uint32_t number = node_of(tables, stack);
	struct otlp_node *node;

	*cut = false;
	if (!number || number == FAILED)
		return number;
	node = &stacks->items[number];
	if (!node->index) {
		node->shown = depth_shown(stacks, node->depth);
		if (pk_reserve(&stacks->listed, &stacks->listed_capacity, stacks->listed_count, 1,
			       sizeof(*stacks->listed)) != PK_OK)
			return FAILED;
		stacks->listed[stacks->listed_count++] = number;
		node->index = (uint32_t)stacks->listed_count;
	}
	*cut = node->depth > node->shown;
	return node->index;
}

/* Adds the locations of a stack as packed varints, the innermost first. index is 1 to listed_count.
 */
static void otlp_stacks_locations(const struct otlp_stacks *stacks, size_t index,
				  struct buffer *out)
{
	uint32_t number = stacks->listed[index - 1], left = stacks->items[number].shown;

	for (; number && left; left--) {
		protobuf_varint(out, stacks->items[number].location);
		number = stacks->items[number].parent;
	}
}

static void otlp_stacks_free(struct otlp_stacks *stacks)
{
	pk_table_free(&stacks->numbers);
	free(stacks->items);
	free(stacks->of_stacks);
	free(stacks->listed);
	free(stacks->way);
}

/* ---- Tables ---- */

/* The numbers of the fields of messages in profiles/v1development of opentelemetry-proto 1.11.0. */
enum {
	DICTIONARY_MAPPING = 1,
	DICTIONARY_LOCATION = 2,
	DICTIONARY_FUNCTION = 3,
	DICTIONARY_LINK = 4,
	DICTIONARY_STRING = 5,
	DICTIONARY_ATTRIBUTE = 6,
	DICTIONARY_STACK = 7,
};
enum { MAPPING_START = 1, MAPPING_LIMIT = 2, MAPPING_FILE = 4, MAPPING_ATTRIBUTES = 5 };
enum { LOCATION_MAPPING = 1, LOCATION_ADDRESS = 2, LOCATION_LINE = 3, LOCATION_ATTRIBUTES = 4 };
enum { LINE_FUNCTION = 1, LINE_LINE = 2, LINE_COLUMN = 3 };
enum { FUNCTION_NAME = 1, FUNCTION_SYSTEM_NAME = 2, FUNCTION_FILE = 3 };
enum { ATTRIBUTE_KEY = 1, ATTRIBUTE_VALUE = 2, ATTRIBUTE_UNIT = 3 };
enum { VALUE_TEXT = 1, VALUE_INT = 3 };
enum { LINK_TRACE = 1, LINK_SPAN = 2 };
enum { STACK_LOCATIONS = 1 };

/* Adds an item to its table, and returns its number. The bytes of the item are in the buffer
 * `item`, which is emptied. An item without bytes has the number 0. */
static uint32_t add_item(struct otlp_tables *tables, struct pk_texts *table, struct buffer *item)
{
	uint32_t number = 0;

	if (item->size && !item->failed)
		number = profile_number(tables->shared, table, item->data, item->size);
	tables->shared->failed |= item->failed || number > INT32_MAX;
	item->size = 0;
	return number;
}

/* ---- Strings and attributes ---- */

static uint32_t text_of(struct otlp_tables *tables, const char *text)
{
	return profile_string(tables->shared, text, strlen(text));
}

/* Adds an attribute. Its value is in tables->value. */
static uint32_t add_attribute(struct otlp_tables *tables, const char *key, const char *unit)
{
	protobuf_number(&tables->part, ATTRIBUTE_KEY, text_of(tables, key));
	protobuf_message(&tables->part, ATTRIBUTE_VALUE, &tables->value);
	protobuf_number(&tables->part, ATTRIBUTE_UNIT, text_of(tables, unit));
	return add_item(tables, &tables->attributes, &tables->part);
}

uint32_t otlp_text_attribute(struct otlp_tables *tables, const char *key, const char *text,
			     size_t size)
{
	tables->text.size = 0;
	buffer_valid(&tables->text, text, size, SIZE_MAX);
	protobuf_message(&tables->value, VALUE_TEXT, &tables->text);
	return add_attribute(tables, key, "");
}

/* The value is written even if it is 0, because it is a member of a `oneof`. */
uint32_t otlp_number_attribute(struct otlp_tables *tables, const char *key, uint64_t number,
			       const char *unit)
{
	protobuf_varint(&tables->value, VALUE_INT << 3);
	protobuf_varint(&tables->value, number);
	return add_attribute(tables, key, unit);
}

/* Adds a list of indexes that contains only one index. */
static void put_attribute(struct buffer *message, unsigned int field, uint32_t attribute)
{
	protobuf_start(message, field, protobuf_varint_size(attribute));
	protobuf_varint(message, attribute);
}

/* ---- Mappings ---- */

/* Returns the index of an object's mapping. The mapping is extended so that it contains the
 * address. */
static uint32_t mapping_of(struct otlp_tables *tables, uint32_t dso, uint64_t address)
{
	struct profile_object *object = profile_object(tables->shared, dso);

	if (!object)
		return 0;
	profile_object_add(object, address);
	return object->number;
}

static void add_build_id(struct otlp_tables *tables, const struct pk_dso *dso)
{
	struct buffer hex = {0};

	if (!dso->build_id_size)
		return;
	buffer_hex_bytes(&hex, dso->build_id, dso->build_id_size);
	tables->shared->failed |= hex.failed;
	put_attribute(&tables->message, MAPPING_ATTRIBUTES,
		      otlp_text_attribute(tables, "process.executable.build_id.gnu",
					  hex.data ? hex.data : "", hex.size));
	free(hex.data);
}

static void add_mapping(struct otlp_tables *tables, uint32_t id)
{
	const struct pk_dso *dso = pk_dictionary_get_dso(tables->shared->names, id);
	const struct profile_object *object = &tables->shared->objects[id];
	struct buffer *message = &tables->message;

	protobuf_number(message, MAPPING_START, profile_object_start(object, dso));
	protobuf_number(message, MAPPING_LIMIT, profile_object_limit(object));
	protobuf_number(message, MAPPING_FILE, profile_string_of(tables->shared, dso->path));
	add_build_id(tables, dso);
	protobuf_message(&tables->mapping_messages, DICTIONARY_MAPPING, message);
}

/* ---- Locations ---- */

static uint32_t function_of(struct otlp_tables *tables, const struct pk_frame *frame)
{
	const uint32_t name = profile_string_of(tables->shared, frame->function);
	const uint32_t file = profile_string_of(tables->shared, frame->file);
	struct buffer *function = &tables->part;

	protobuf_number(function, FUNCTION_NAME, name);
	protobuf_number(function, FUNCTION_SYSTEM_NAME, name);
	protobuf_number(function, FUNCTION_FILE, file);
	return add_item(tables, &tables->functions, function);
}

static void add_line(struct otlp_tables *tables, const struct pk_frame *frame)
{
	uint32_t function;

	if (!frame->function)
		return;
	function = function_of(tables, frame);
	protobuf_number(&tables->part, LINE_FUNCTION, function);
	protobuf_number(&tables->part, LINE_LINE, frame->line);
	protobuf_number(&tables->part, LINE_COLUMN, frame->column);
	protobuf_message(&tables->message, LOCATION_LINE, &tables->part);
}

/* Returns the name of OpenTelemetry's semantic conventions for the kind of frame. They have no name
 * for code of an unknown JIT compiler. */
static const char *frame_type(const struct pk_frame *frame, const struct pk_dso *dso)
{
	if (frame->flags & PK_FRAME_KERNEL)
		return "kernel";
	return dso && dso->kind == PK_DSO_FILE ? "native" : NULL;
}

static uint32_t add_location(struct otlp_tables *tables, const uint32_t *frames, size_t count)
{
	const struct pk_frame *outer =
		pk_dictionary_get_frame(tables->shared->names, frames[count - 1]);
	const char *type =
		frame_type(outer, pk_dictionary_get_dso(tables->shared->names, outer->dso));

	protobuf_number(&tables->message, LOCATION_MAPPING,
			mapping_of(tables, outer->dso, outer->address));
	protobuf_number(&tables->message, LOCATION_ADDRESS, outer->address);
	for (size_t i = 0; i < count; i++)
		add_line(tables, pk_dictionary_get_frame(tables->shared->names, frames[i]));
	if (type)
		put_attribute(
			&tables->message, LOCATION_ATTRIBUTES,
			otlp_text_attribute(tables, "profile.frame.type", type, strlen(type)));
	return add_item(tables, &tables->locations, &tables->message);
}

/* Returns the index of a location. `frames` has the ids of its frames, the innermost first. Returns
 * UINT32_MAX if memory is exhausted. */
static uint32_t location_of(struct otlp_tables *tables, const uint32_t *frames, size_t count)
{
	uint32_t *known = profile_of_frame(tables->shared, frames[0]), number;

	if (!known)
		return UINT32_MAX;
	if (count == 1 && *known)
		return *known;
	number = add_location(tables, frames, count);
	if (count == 1)
		*known = number;
	return tables->shared->failed ? UINT32_MAX : number;
}

uint32_t otlp_stack(struct otlp_tables *tables, uint32_t stack, bool *cut)
{
	const uint32_t index = stack_index(tables, stack, cut);

	tables->shared->failed |= index > INT32_MAX;
	return index;
}

/* ---- Output ---- */

static void start_table(struct export_output *out, unsigned int field)
{
	protobuf_bytes(&out->text, field, "", 0);
}

static size_t table_size(const struct pk_texts *table, unsigned int field)
{
	size_t sum = protobuf_size(field, 0), size;

	for (uint32_t i = 1; i <= table->count; i++) {
		pk_texts_get(table, i, &size);
		sum += protobuf_size(field, size);
	}
	return sum;
}

static void write_table(struct export_output *out, const struct pk_texts *table, unsigned int field)
{
	size_t size;

	start_table(out, field);
	for (uint32_t i = 1; i <= table->count; i++) {
		const char *item = pk_texts_get(table, i, &size);

		protobuf_bytes(&out->text, field, item, size);
		output_part(out);
	}
}

/* Encodes the message of a stack in tables->message. */
static void make_stack(struct otlp_tables *tables, size_t index)
{
	otlp_stacks_locations(&tables->stacks, index, &tables->part);
	protobuf_message(&tables->message, STACK_LOCATIONS, &tables->part);
}

static size_t stacks_size(struct otlp_tables *tables)
{
	size_t sum = protobuf_size(DICTIONARY_STACK, 0);

	for (size_t i = 1; i <= tables->stacks.listed_count; i++) {
		make_stack(tables, i);
		sum += protobuf_size(DICTIONARY_STACK, tables->message.size);
		tables->message.size = 0;
	}
	return sum;
}

static void write_stacks(struct otlp_tables *tables, struct export_output *out)
{
	start_table(out, DICTIONARY_STACK);
	for (size_t i = 1; i <= tables->stacks.listed_count; i++) {
		make_stack(tables, i);
		protobuf_message(&out->text, DICTIONARY_STACK, &tables->message);
		output_part(out);
	}
}

/* Encodes the item without a value of the table of links. Its identifiers are zeros, as the schema
 * recommends. */
static void make_link(struct otlp_tables *tables)
{
	static const char zeros[16];

	protobuf_bytes(&tables->value, LINK_TRACE, zeros, 16);
	protobuf_bytes(&tables->value, LINK_SPAN, zeros, 8);
}

void otlp_tables_write(struct otlp_tables *tables, unsigned int field, struct export_output *out)
{
	const struct {
		const struct pk_texts *table;
		unsigned int field;
	} all[] = {
		{&tables->locations, DICTIONARY_LOCATION},
		{&tables->functions, DICTIONARY_FUNCTION},
		{&tables->shared->strings, DICTIONARY_STRING},
		{&tables->attributes, DICTIONARY_ATTRIBUTE},
	};
	const size_t count = sizeof(all) / sizeof(all[0]);
	size_t size = stacks_size(tables);

	protobuf_bytes(&tables->mapping_messages, DICTIONARY_MAPPING, "", 0);
	for (size_t i = 0; i < tables->shared->used_count; i++)
		add_mapping(tables, tables->shared->used[i]);
	make_link(tables);
	size += tables->mapping_messages.size + protobuf_size(DICTIONARY_LINK, tables->value.size);
	for (size_t i = 0; i < count; i++)
		size += table_size(all[i].table, all[i].field);
	protobuf_start(&out->text, field, size);
	buffer_add(&out->text, tables->mapping_messages.data, tables->mapping_messages.size);
	protobuf_message(&out->text, DICTIONARY_LINK, &tables->value);
	for (size_t i = 0; i < count; i++)
		write_table(out, all[i].table, all[i].field);
	write_stacks(tables, out);
	tables->shared->failed |=
		tables->message.failed || tables->part.failed || tables->mapping_messages.failed;
}

void otlp_tables_free(struct otlp_tables *tables)
{
	pk_texts_free(&tables->functions);
	pk_texts_free(&tables->attributes);
	pk_texts_free(&tables->locations);
	otlp_stacks_free(&tables->stacks);
	free(tables->text.data);
	free(tables->message.data);
	free(tables->part.data);
	free(tables->value.data);
	free(tables->mapping_messages.data);
}
