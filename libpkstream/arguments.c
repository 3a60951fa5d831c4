// SPDX-License-Identifier: BSD-2-Clause
/* ARGUMENTS: where the arguments of a probe are in its samples (SPEC 9.14). */
#include <stdlib.h>

#include "dictionary_internal.h"

#define ENTRIES_AT 40u /* in the record */
#define ENTRY_SIZE 16u /* without the name */

/* ---- Reading ---- */

static bool is_sound(const struct pk_argument *argument)
{
	const uint8_t size = argument->size;

	return argument->kind <= PK_ARGUMENT_MEMORY && argument->shift < 64 &&
	       (size == 1 || size == 2 || size == 4 || size == 8);
}

/* What a later version may have, or nobody, is not to be had. */
static bool read_entry(struct pk_argument *argument, const uint8_t **at, const uint8_t *end)
{
	const uint8_t *p = *at;
	size_t length;

	if ((size_t)(end - p) < ENTRY_SIZE || p[7] > (size_t)(end - p) - ENTRY_SIZE)
		return false;
	*argument = (struct pk_argument){.kind = p[0],
					 .size = p[1],
					 .flags = p[2],
					 .base = p[3],
					 .index = p[4],
					 .scale = p[5],
					 .shift = p[6],
					 .value = pk_load_u64(p + 8)};
	length = p[7] < PK_ARGUMENT_NAME_MAX ? p[7] : PK_ARGUMENT_NAME_MAX - 1;
	memcpy(argument->name, p + ENTRY_SIZE, length);
	if (!is_sound(argument))
		argument->kind = PK_ARGUMENT_UNKNOWN;
	length = ENTRY_SIZE + PK_ALIGN8(p[7]);
	*at = length < (size_t)(end - p) ? p + length : end;
	return true;
}

enum pk_status pk_events_arguments(struct pk_events *events, const struct pk_record *record)
{
	const uint8_t *at = record->data + ENTRIES_AT, *end = record->data + record->size;
	const struct pk_event *event;
	struct pk_event_state *state;
	struct pk_arguments *arguments;
	uint64_t count;

	if (record->size < ENTRIES_AT)
		return PK_CORRUPT;
	event = pk_events_by_id(events, pk_load_u64(record->data + 24));
	count = pk_load_u32(record->data + 32);
	if (count > PK_ARGUMENTS_MAX || count * ENTRY_SIZE > record->size - (size_t)ENTRIES_AT)
		return PK_CORRUPT;
	if (!event || event->arguments)
		return PK_OK;
	arguments = calloc(1, sizeof(*arguments) + count * sizeof(arguments->items[0]));
	if (!arguments)
		return PK_NOMEM;
	arguments->stack = record->data[36];
	arguments->byte_order = record->data[37];
	for (arguments->count = 0; arguments->count < count; arguments->count++) {
		if (read_entry(&arguments->items[arguments->count], &at, end))
			continue;
		free(arguments);
		return PK_CORRUPT;
	}
	state = events->list[event->index];
	state->arguments = arguments;
	state->event.arguments = arguments;
	return PK_OK;
}

/* ---- Writing ---- */

enum pk_status pk_arguments_write(struct pk_writer *writer, uint64_t id,
				  const struct pk_arguments *arguments)
{
	size_t size = ENTRIES_AT - 24;
	uint8_t *body;

	for (size_t i = 0; i < arguments->count; i++)
		size += ENTRY_SIZE + PK_ALIGN8(strlen(arguments->items[i].name));
	body = pk_definition_begin(writer, PK_ARGUMENTS, size);
	if (!body)
		return pk_writer_status(writer);
	memset(body, 0, size);
	pk_store_u64(body, id);
	pk_store_u32(body + 8, (uint32_t)arguments->count);
	body[12] = arguments->stack;
	body[13] = arguments->byte_order;
	body += ENTRIES_AT - 24;
	for (size_t i = 0; i < arguments->count; i++) {
		const struct pk_argument *argument = &arguments->items[i];
		const size_t length = strlen(argument->name);

		body[0] = argument->kind;
		body[1] = argument->size;
		body[2] = argument->flags;
		body[3] = argument->base;
		body[4] = argument->index;
		body[5] = argument->scale;
		body[6] = argument->shift;
		body[7] = (uint8_t)length;
		pk_store_u64(body + 8, argument->value);
		memcpy(body + ENTRY_SIZE, argument->name, length);
		body += ENTRY_SIZE + PK_ALIGN8(length);
	}
	return PK_OK;
}

static uint64_t bit_of(uint8_t number)
{
	return number < 64 ? UINT64_C(1) << number : 0;
}

uint64_t pk_arguments_registers(const struct pk_arguments *arguments)
{
	uint64_t mask = 0;

	for (size_t i = 0; i < arguments->count; i++) {
		const struct pk_argument *argument = &arguments->items[i];

		if (argument->kind == PK_ARGUMENT_REGISTER)
			mask |= bit_of(argument->base);
		if (argument->kind == PK_ARGUMENT_MEMORY)
			mask |= bit_of(argument->base) | bit_of(argument->index) |
				bit_of(arguments->stack);
	}
	return mask;
}

/* ---- Values ---- */

const struct pk_argument *pk_argument_find(const struct pk_event *event, const char *name)
{
	const struct pk_arguments *arguments = event->arguments;

	for (size_t i = 0; arguments && i < arguments->count; i++)
		if (!strcmp(arguments->items[i].name, name))
			return &arguments->items[i];
	return NULL;
}

static bool register_of(const struct pk_event *event, const struct pk_sample *sample,
			uint8_t number, uint64_t *value)
{
	const uint64_t mask = event->attr.sample_regs_user, bit = bit_of(number);
	const uint64_t place = (uint64_t)__builtin_popcountll(mask & (bit - 1));

	if (!(mask & bit) || place >= sample->user_registers.values.count)
		return false;
	*value = pk_u64s_at(&sample->user_registers.values, place);
	return true;
}

/* A number as memory has it, of the machine that was recorded. */
static uint64_t load(const uint8_t *at, uint8_t size, bool big)
{
	uint64_t value = 0;

	for (uint8_t i = 0; i < size; i++)
		value = value << 8 | at[big ? i : size - 1 - i];
	return value;
}

static bool memory_of(const struct pk_event *event, const struct pk_argument *argument,
		      const struct pk_sample *sample, uint64_t *value)
{
	const struct pk_bytes *dump = &sample->user_stack;
	uint64_t address = argument->value, part, start;

	if (argument->base != PK_ARGUMENT_NO_REGISTER) {
		if (!register_of(event, sample, argument->base, &part))
			return false;
		address += part;
	}
	if (argument->index != PK_ARGUMENT_NO_REGISTER) {
		if (!register_of(event, sample, argument->index, &part))
			return false;
		address += part * argument->scale;
	}
	if (!register_of(event, sample, event->arguments->stack, &start))
		return false;
	address -= start;
	if (address > dump->size || argument->size > dump->size - address)
		return false;
	*value = load(dump->data + address, argument->size, event->arguments->byte_order == 2);
	return true;
}

bool pk_argument_get(const struct pk_event *event, const struct pk_argument *argument,
		     const struct pk_sample *sample, uint64_t *value)
{
	const unsigned int unused = 64 - 8u * argument->size;

	switch (argument->kind) {
	case PK_ARGUMENT_VALUE: *value = argument->value; break;
	case PK_ARGUMENT_REGISTER:
		if (!register_of(event, sample, argument->base, value))
			return false;
		*value >>= argument->shift;
		break;
	case PK_ARGUMENT_MEMORY:
		if (!memory_of(event, argument, sample, value))
			return false;
		break;
	default: return false;
	}
	*value <<= unused;
	if (argument->flags & PK_ARGUMENT_SIGNED)
		*value = (uint64_t)((int64_t)*value >> unused);
	else
		*value >>= unused;
	return true;
}
