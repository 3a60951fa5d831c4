/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * assemble reads a text in the layout of `pk-script --dump` from stdin, and writes the stream to
 * stdout.
 *
 *   BEGIN byte_order=little
 *   HEADER_ATTR attr_type=1 sample_type=(IP TID TIME IDENTIFIER) flags=(sample_id_all) id=7
 *   COMM pid=5 tid=5 comm="prog"
 *   SAMPLE misc=(user) ip=0x401000 pid=5 tid=5 time=10
 *
 * A record consists of its name and its fields. The fields are on the line of the name, or on
 * indented lines after this line. A dump has an offset before the name, and names in parentheses
 * after a number. assemble ignores these.
 *
 * If the text does not have a field, the field is 0 or empty. Some of these fields depend on other
 * fields: counts and lengths, the id in the record of an event, and the size of the record. The
 * event of a record is the event with the number in the field `event`. Without this field, it is
 * the event with the id of the record, or the first event. If `size` is larger than the record,
 * zeros are added. If `size` is smaller, zeros at the end are removed.
 *
 * The fields sample_type, read_format, flags, branch_sample_type, misc and feature accept names in
 * parentheses instead of a number. Definitions (SESSION, STRING ...) can be written as records.
 * Bytes are hexadecimal, with or without their size and a colon before them, or a "text", the
 * content of @FILE, or {WIDTH:NUMBER ...}. The bytes of `unknown` follow all other fields.
 * `trailer=0` leaves out the trailer of a record of the kernel. In texts, \n, \e, \xHH, \" and
 * \\ have the same meaning as in C. Comments start with '#'.
 */
#include <stdlib.h>
#include <string.h>

#include "assemble_body.h"

static void begin(struct assembly *assembly)
{
	const struct text_field *order = text_find(&assembly->text, "byte_order");

	assembly->big = order && !strcmp(order->value, "big");
	assembly->events_count = 0;
	assembly->payload.size = 0;
	put_number(assembly, PERF_MAGIC2, 8);
	put_number(assembly, PERF_PIPE_HEADER_SIZE, 8);
}

/* Returns the type of the record with the name of the text. The type of a definition is
 * EVENT_UPDATE, and *definition is then its kind. */
static uint32_t find_type(const struct text_record *text, unsigned int *definition)
{
	*definition = 0;
	for (uint32_t type = 1; type < PERF_RECORD_USER_MAX; type++) {
		const struct pk_record_layout *layout = pk_record_layout(type, 0);

		if (layout && !strcmp(layout->name, text->name))
			return type;
	}
	for (unsigned int kind = 1; kind < 64; kind++) {
		const struct pk_record_layout *layout = pk_definition_layout(kind);

		if (layout && !strcmp(layout->name, text->name)) {
			*definition = kind;
			return PERF_RECORD_EVENT_UPDATE;
		}
	}
	if (strcmp(text->name, "UNKNOWN") != 0)
		text_fail(text, "no such record", "of kernel, tools or pk");
	return 0;
}

static uint64_t optional(struct text_record *text, const char *name, uint64_t otherwise)
{
	/* Bits 0 to 2 of misc are one number. These are the names of its values from 0 on. */
	static const char *const modes[] = {"unknown",	  "kernel",	  "user",
					    "hypervisor", "guest-kernel", "guest-user"};
	const struct text_field *field = text_find(text, name);

	for (unsigned int mode = 0; field && *field->value == '(' && mode < 6; mode++)
		if (!strncmp(field->value + 1, modes[mode], strlen(field->value) - 2))
			return mode;
	return field ? text_number(text, field, NULL, 0) : otherwise;
}

static void put_definition_head(struct assembly *assembly, unsigned int kind)
{
	char value[32];
	struct text_field *fields;

	snprintf(value, sizeof(value), "0x%llx", (unsigned long long)(PK_SUBTYPE_BASE + kind));
	fields = reallocarray(assembly->text.fields, assembly->text.count + 2, sizeof(*fields));
	if (!fields)
		exit(1);
	memmove(fields + 2, fields, assembly->text.count * sizeof(*fields));
	fields[0] = (struct text_field){.name = strdup("subtype"), .value = strdup(value)};
	fields[1] = (struct text_field){.name = strdup("id"), .value = strdup("0")};
	assembly->text.fields = fields;
	assembly->text.count += 2;
	assembly->text.capacity = assembly->text.count;
}

/* Sets the size of the record. Without the field `size`, the size is the size of the fields,
 * rounded up to a multiple of 8. With `size`, zeros are added or removed before the trailer. */
static void finish(struct assembly *assembly, uint64_t size)
{
	struct buffer *out = &assembly->out;
	uint8_t trailer[64];

	if (!size)
		size = (out->size + 7) & ~(uint64_t)7;
	if (size > UINT16_MAX || assembly->trailer > sizeof(trailer))
		text_fail(&assembly->text, "size", "too large");
	memcpy(trailer, out->data + out->size - assembly->trailer, assembly->trailer);
	out->size -= assembly->trailer;
	while (out->size + assembly->trailer > size && !out->data[out->size - 1])
		out->size--;
	if (out->size + assembly->trailer > size)
		text_fail(&assembly->text, "size", "less than its fields have");
	put_zeros(assembly, size - assembly->trailer - out->size);
	buffer_add(out, trailer, assembly->trailer);
	out->size = 0;
	put_number(assembly, assembly->type, 4);
	put_number(assembly, assembly->misc, 2);
	put_number(assembly, size, 2);
	out->size = size;
}

static uint64_t read_head(struct assembly *assembly, uint32_t type)
{
	const struct text_record *text = &assembly->text;

	for (size_t i = 0; i < text->count; i++)
		text->fields[i].used = false;
	/* Branches of a sample also have a field `type`. The type of the sample's record is the
	 * first field of the sample, if the text has it. */
	assembly->type = type;
	if (type != PERF_RECORD_SAMPLE || (text->count && !strcmp(text->fields[0].name, "type")))
		assembly->type = (uint32_t)optional(&assembly->text, "type", type);
	assembly->misc = (uint16_t)optional(&assembly->text, "misc", 0);
	assembly->out.size = assembly->trailer = 0;
	put_zeros(assembly, sizeof(struct perf_header));
	return optional(&assembly->text, "size", 0);
}

static void assemble(struct assembly *assembly)
{
	unsigned int definition;
	uint32_t type;
	uint64_t size;

	assembly->out.size = assembly->payload.size = assembly->trailer = 0;
	assembly->stack_slack = assembly->stack_head = 0;
	assembly->has_stack = assembly->stack_again = false;
	if (!strcmp(assembly->text.name, "BEGIN")) {
		begin(assembly);
		return;
	}
	type = find_type(&assembly->text, &definition);
	if (definition)
		put_definition_head(assembly, definition);
	size = read_head(assembly, type);
	put_body(assembly);
	if (assembly->has_stack && size >= assembly->out.size + 8) {
		/* A dump has only the valid bytes of the stack. The other bytes of the record are
		 * bytes of the stack that are not valid. */
		assembly->stack_slack = size - assembly->out.size - assembly->stack_head;
		assembly->stack_again = true;
		read_head(assembly, type);
		put_body(assembly);
	}
	finish(assembly, size);
}

static void write_out(const struct buffer *buffer)
{
	if (buffer->size && fwrite(buffer->data, 1, buffer->size, stdout) != buffer->size) {
		perror("assemble");
		exit(1);
	}
}

int main(void)
{
	struct assembly assembly = {0};

	for (;;) {
		text_read(stdin, &assembly.text);
		if (!assembly.text.name)
			break;
		assemble(&assembly);
		text_check_used(&assembly.text);
		write_out(&assembly.out);
		write_out(&assembly.payload);
	}
	free(assembly.out.data);
	free(assembly.payload.data);
	free(assembly.events);
	free(assembly.text.fields);
	return fflush(stdout) ? 1 : 0;
}
