// SPDX-License-Identifier: BSD-2-Clause
/* ARGUMENTS records. Such a record tells where the arguments of a probe are in the samples of the
 * probe (SPEC 9.14). */
#include <stdlib.h>

#include "events.h"
#include "pkprivate.h"
#include "records.h"

/* ---- Reading ---- */

static bool is_sound(const struct pk_argument *argument)
{
	const uint8_t size = argument->size;

	return argument->kind <= PK_ARGUMENT_MEMORY && argument->shift < 64 &&
	       (size == 1 || size == 2 || size == 4 || size == 8);
}

/* Returns false if the record ends within the entry. An argument with an unknown kind or invalid
 * numbers gets the kind PK_ARGUMENT_UNKNOWN. */
static bool read_entry(struct pk_argument *argument, const uint8_t **at, const uint8_t *end)
{
	const struct pk_argument_entry *entry = (const void *)*at;
	const size_t left = (size_t)(end - *at);
	size_t length;

	if (left < sizeof(*entry) || entry->length > left - sizeof(*entry))
		return false;
	*argument = (struct pk_argument){.kind = entry->kind,
					 .size = entry->size,
					 .flags = entry->flags & PK_ARGUMENT_SIGNED,
					 .base = entry->base,
					 .index = entry->index,
					 .scale = entry->scale,
					 .shift = entry->shift,
					 .value = entry->value};
	length = entry->length < PK_ARGUMENT_NAME_MAX ? entry->length : PK_ARGUMENT_NAME_MAX - 1;
	memcpy(argument->name, entry->name, length);
	if (!is_sound(argument))
		argument->kind = PK_ARGUMENT_UNKNOWN;
	length = sizeof(*entry) + PK_ALIGN8(entry->length);
	*at = length < left ? *at + length : end;
	return true;
}

enum pk_status pk_events_arguments(struct pk_events *events, const struct pk_record *record)
{
	const struct pk_record_arguments *from = (const void *)record->data;
	const uint8_t *at = from->entries, *end = record->data + record->size;
	const struct pk_event *event;
	struct pk_event_state *state;
	struct pk_arguments *arguments;
	uint64_t count;

	if (record->size < sizeof(*from))
		return PK_CORRUPT;
	event = pk_events_by_id(events, from->event);
	count = from->count;
	if (count > PK_ARGUMENTS_MAX ||
	    count * sizeof(struct pk_argument_entry) > record->size - sizeof(*from))
		return PK_CORRUPT;
	if (!event || event->arguments)
		return PK_OK;
	arguments = calloc(1, sizeof(*arguments) + count * sizeof(arguments->items[0]));
	if (!arguments)
		return PK_NOMEM;
	arguments->stack = from->stack;
	arguments->byte_order = from->byte_order;
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
	struct pk_record_arguments *record;
	struct pk_argument_entry *entry;
	size_t size = sizeof(*record);
	uint8_t *at;

	for (size_t i = 0; i < arguments->count; i++)
		size += sizeof(*entry) + PK_ALIGN8(strlen(arguments->items[i].name));
	record = pk_definition_append(writer, PK_ARGUMENTS, size);
	if (!record)
		return pk_writer_status(writer);
	*record = (struct pk_record_arguments){.head = record->head,
					       .event = id,
					       .count = (uint32_t)arguments->count,
					       .stack = arguments->stack,
					       .byte_order = arguments->byte_order};
	at = record->entries;
	memset(at, 0, size - sizeof(*record));
	for (size_t i = 0; i < arguments->count; i++) {
		const struct pk_argument *argument = &arguments->items[i];
		const size_t length = strlen(argument->name);

		entry = (void *)at;
		*entry = (struct pk_argument_entry){.kind = argument->kind,
						    .size = argument->size,
						    .flags = argument->flags,
						    .base = argument->base,
						    .index = argument->index,
						    .scale = argument->scale,
						    .shift = argument->shift,
						    .length = (uint8_t)length,
						    .value = argument->value};
		memcpy(entry->name, argument->name, length);
		at += sizeof(*entry) + PK_ALIGN8(length);
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

/* Loads a number in the byte order of the recorded machine. */
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
	case PK_ARGUMENT_IBS: return pk_ibs_get(argument, &sample->raw, value);
	default: return false;
	}
	*value <<= unused;
	if (argument->flags & PK_ARGUMENT_SIGNED)
		*value = (uint64_t)((int64_t)*value >> unused);
	else
		*value >>= unused;
	return true;
}
