// SPDX-License-Identifier: BSD-2-Clause
#include <ctype.h>
#include <elf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pkprivate.h"
#include "probe_fetch.h"
#include "usdt.h"

/* Writes the name of a register as the kernel's definitions have it after %. number is the number
 * that perf uses. Returns false if the register is unknown. */
static bool register_name(unsigned int machine, unsigned int number, char room[8])
{
	const char *name = pk_register_name(machine, number);

	if (machine == EM_PPC64 && number < 32) {
		snprintf(room, 8, "gpr%u", number);
		return true;
	}
	if (!name || (machine == EM_S390 && number > 15))
		return false;
	snprintf(room, 8, "%s", name);
	for (char *c = room; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	return true;
}

/* Writes an address of the object. In a program, the kernel adds the difference between file offset
 * and memory address at the place of the probe. The place is in another segment than the data, so
 * the offset is computed relative to the place. */
static bool define_static(const struct probe_object *object, const struct probe_place *place,
			  const struct probe_value *value, struct buffer *text)
{
	const uint64_t address = (uint64_t)value->number;
	struct pk_symbol symbol;
	uint64_t lookup;

	if (!object->in_kernel) {
		buffer_format(text, "@+0x%" PRIx64, address - place->address + place->lookup);
		return true;
	}
	if (!pk_types_lookup(object->types, address, &lookup))
		return false;
	if (pk_object_lookup(object->object, lookup, &symbol))
		buffer_format(text, "@%s+%" PRIu64, symbol.name, lookup - symbol.start);
	else
		buffer_format(text, "@0x%" PRIx64, lookup);
	return true;
}

static bool define_base(const struct probe_object *object, const struct probe_place *place,
			const struct probe_value *value, struct buffer *text)
{
	char name[8];

	switch (value->base) {
	case PROBE_IN_REGISTER:
		if (value->reg.shift || !register_name(object->machine, value->reg.base, name))
			return false;
		buffer_format(text, "%%%s", name);
		return true;
	case PROBE_CONSTANT: buffer_format(text, "\\%" PRId64, value->number); return true;
	case PROBE_STATIC: return define_static(object, place, value, text);
	case PROBE_RETURNED: buffer_text(text, "$retval"); return true;
	case PROBE_PASSED: buffer_format(text, "$arg%" PRId64, value->number); return true;
	case PROBE_VERBATIM: buffer_text(text, value->text); return true;
	}
	return false;
}

bool pk_probe_value_define(const struct probe_object *object, const struct probe_place *place,
			   const struct probe_value *value, struct buffer *text)
{
	if (*value->name)
		buffer_format(text, "%s=", value->name);
	for (size_t i = value->reads; i--;)
		buffer_format(text, "%+" PRId64 "(", value->offsets[i]);
	if (!define_base(object, place, value, text))
		return false;
	for (size_t i = 0; i < value->reads; i++)
		buffer_char(text, ')');
	if (*value->type)
		buffer_format(text, ":%s", value->type);
	return true;
}

bool pk_probe_value_sampled(const struct probe_object *object, const struct probe_value *value,
			    struct pk_argument *argument)
{
	uint8_t stack = 0, reg = value->reg.base;

	*argument = value->reg;
	if (strlen(value->name) >= sizeof(argument->name))
		return false;
	memcpy(argument->name, value->name, strlen(value->name) + 1);
	argument->size = value->size;
	argument->flags = value->is_signed ? PK_ARGUMENT_SIGNED : 0;
	if (object->in_kernel || !value->size)
		return false;
	switch (value->base) {
	case PROBE_CONSTANT:
		argument->kind = PK_ARGUMENT_VALUE;
		argument->value = (uint64_t)value->number;
		return !value->reads;
	case PROBE_RETURNED:
		if (!pk_probe_passed_in(object->machine, 0, &reg))
			return false;
		break;
	case PROBE_IN_REGISTER: break;
	default: return false;
	}
	argument->base = reg;
	argument->index = PK_ARGUMENT_NO_REGISTER;
	argument->kind = value->reads ? PK_ARGUMENT_MEMORY : PK_ARGUMENT_REGISTER;
	argument->value = value->reads ? (uint64_t)value->offsets[0] : 0;
	return !value->reads ||
	       (value->reads == 1 && pk_probe_stack(object->machine, &stack) && reg == stack &&
		value->offsets[0] >= 0 && value->offsets[0] <= PK_PROBE_STACK_MOST - 8);
}

/* ---- Markers ---- */

static bool value_of(const struct pk_argument *argument, struct probe_value *value)
{
	*value = (struct probe_value){.base = PROBE_IN_REGISTER, .reg = *argument};
	snprintf(value->name, sizeof(value->name), "%s", argument->name);
	snprintf(value->type, sizeof(value->type), "%c%u",
		 argument->flags & PK_ARGUMENT_SIGNED ? 's' : 'u', argument->size * 8U);
	switch (argument->kind) {
	case PK_ARGUMENT_REGISTER: return !argument->shift;
	case PK_ARGUMENT_VALUE:
		value->base = PROBE_CONSTANT;
		value->number = (int64_t)argument->value;
		return true;
	case PK_ARGUMENT_MEMORY:
		value->offsets[value->reads++] = (int64_t)argument->value;
		return argument->index == PK_ARGUMENT_NO_REGISTER;
	default: return false;
	}
}

/* Replaces the type of the value by the type in the text of the probe. The types u, s and x keep
 * the size of the value. */
static void set_marker_type(struct probe_value *value, const char *type)
{
	if (strchr("usx", *type) && !type[1])
		*value->type = *type;
	else
		snprintf(value->type, sizeof(value->type), "%s", type);
	/* The argument is the address of the string, which must be read, too. */
	if (strstr(type, "string"))
		value->offsets[value->reads++] = 0;
}

void pk_probe_arguments_define(unsigned int machine, const struct pk_arguments *arguments,
			       const struct probe_text *probe, struct buffer *text)
{
	const struct probe_object object = {.machine = machine};
	struct probe_value value;

	for (size_t i = 0; i < arguments->count; i++) {
		const char *type = probe->argument_count ? probe->arguments[i].type : NULL;
		struct buffer one = {0};
		bool known = value_of(&arguments->items[i], &value);

		if (known && type)
			set_marker_type(&value, type);
		if (known && pk_probe_value_define(&object, NULL, &value, &one)) {
			buffer_char(text, ' ');
			buffer_add(text, one.data, one.size);
		}
		text->failed |= one.failed;
		free(one.data);
	}
}

/* Returns NULL if there is no argument with this name. */
static const struct pk_argument *find_argument(const struct pk_arguments *arguments,
					       const char *name)
{
	for (size_t i = 0; arguments && i < arguments->count; i++)
		if (!strcmp(arguments->items[i].name, name))
			return &arguments->items[i];
	return NULL;
}

const char *pk_probe_arguments_choose(const struct pk_arguments *all,
				      const struct probe_text *probe, struct pk_arguments *chosen)
{
	for (size_t i = 0; i < probe->argument_count; i++) {
		const struct probe_expression *x = &probe->arguments[i];
		const struct pk_argument *found = find_argument(all, x->variable);
		struct pk_argument *argument = &chosen->items[chosen->count];

		if (!found || find_argument(chosen, x->name ? x->name : x->variable))
			return x->text;
		*argument = *found;
		snprintf(argument->name, sizeof(argument->name), "%s",
			 x->name ? x->name : x->variable);
		chosen->count++;
	}
	return NULL;
}
