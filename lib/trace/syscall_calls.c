// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pkutil.h"
#include "syscall_calls.h"
#include "tracepoint_format.h"

/* ---- Values that arguments point to ---- */

#define TARGET_MAX 1024u /* the most bytes of a text that are printed */

/* ---- Addresses of sockets ---- */

/* Address families, with the numbers of the kernel. */
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

/* Appends a text such as "{ .family: INET, port: 80, addr: 127.0.0.1 }". `address` is the bytes of
 * a struct sockaddr. */
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
		/* The name of an abstract socket starts with a NUL, and can contain more of them.
		 */
		nul = *path ? memchr(path, 0, size) : NULL;
		buffer_text(out, ", path: ");
		buffer_quoted(out, (const char *)path, nul ? (size_t)(nul - path) : size);
	}
	buffer_text(out, " }");
}

/* ---- Texts ---- */

/* Appends a list such as ["ls", "-l"]. In `texts`, each text ends with a NUL. */
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

/* Returns whether the text of the argument is cut. The field `cut` of the sample has a bit for each
 * argument. */
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
	if (argument->field) { /* the format is from the kernel */
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

/* Finds the fields that contain what arguments point to. pk-record --strings adds such fields to
 * raw_syscalls:sys_enter. */
static void pk_call_find_targets(struct pk_call *call, const struct pk_call_sample *sample)
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

/* ---- Calls ---- */

#define RAW_ARGUMENTS 6
#define STORED_MAX    512u /* calls with larger numbers are not stored */

static const char named[] = "syscalls:sys_enter_", raw_start[] = "raw_syscalls:sys_enter";

/* ---- Names ---- */

/* Returns the name of the call, which is the end of the tracepoint's name. Returns NULL if the
 * tracepoint is not for one call. */
static const char *name_of(const struct pk_tracepoint *tracepoint)
{
	const char *name = pk_tracepoint_name(tracepoint);

	return !strncmp(name, named, sizeof(named) - 1) ? name + sizeof(named) - 1 : NULL;
}

bool pk_call_is_start(const struct pk_tracepoint *tracepoint)
{
	return name_of(tracepoint) || !strcmp(pk_tracepoint_name(tracepoint), raw_start);
}

/* ---- Arguments ---- */

/* The calls of an ABI, by number. An entry is NULL until the call is described. */
struct pk_known_calls {
	struct pk_call *calls[STORED_MAX];
};

void pk_call_set_kind(struct pk_call_argument *argument, const char *kind, size_t size)
{
	argument->kind = kind;
	argument->kind_size = (uint16_t)size;
	argument->words = size > 1 ? pk_syscall_words(kind, size) : NULL;
}

static void parse_signature(struct pk_call_arguments *arguments, const char *signature)
{
	struct pk_signature_part part;

	while (arguments->count < PK_CALL_ARGUMENTS_MAX && pk_signature_next(&signature, &part)) {
		struct pk_call_argument *argument = &arguments->items[arguments->count++];

		*argument = (struct pk_call_argument){.name = part.name,
						      .name_size = (uint16_t)part.name_size};
		pk_call_set_kind(argument, part.kind, part.kind_size);
	}
}

static bool is_one_of(const char *text, size_t size, const char *const *words)
{
	for (; *words; words++)
		if (strlen(*words) == size && !memcmp(*words, text, size))
			return true;
	return false;
}

/* Returns the kind of an argument. It depends on the C type in the declaration. */
static const char *kind_of(const struct pk_tracepoint_field *field)
{
	static const char *const ints[] = {"int", "pid_t", "key_t", "clockid_t", "timer_t",
					   "s32", "__s32", "rwf_t", NULL},
				 *const unsigneds[] = {"unsigned int", "unsigned", "u32",
						       "__u32",	       "uid_t",	   "gid_t",
						       "umode_t",      "uint32_t", NULL},
				 *const longs[] = {"long",  "loff_t", "off_t", "ssize_t",
						   "__s64", "s64",    NULL};
	static const char constant[] = "const ";
	const char *type = field->type;
	size_t size = field->type_size;

	if (field->is_pointer)
		return memmem(type, size, "char", 4) ? "s" : "p";
	if (size > sizeof(constant) - 1 && !memcmp(type, constant, sizeof(constant) - 1)) {
		type += sizeof(constant) - 1;
		size -= sizeof(constant) - 1;
	}
	if (is_one_of(type, size, ints))
		return "d";
	if (is_one_of(type, size, longs))
		return "l";
	return is_one_of(type, size, unsigneds) ? "u" : "U";
}

/* Returns the field that contains the bytes that a pointer points to. For the pointer "buf", this
 * is the field "__buf_val". */
static const struct pk_tracepoint_field *target_of(const struct pk_tracepoint *format,
						   const char *name)
{
	const struct pk_tracepoint_field *field;
	char target[80];

	snprintf(target, sizeof(target), "__%s_val", name);
	field = pk_tracepoint_find_field(format, target);
	return field && field->is_string ? field : NULL;
}

/* Makes the arguments from the fields that follow the number of the call in the format. If the
 * signature has an argument with the same name at the same position, the kind is from the
 * signature. */
static void parse_format(struct pk_call_arguments *arguments, const struct pk_tracepoint *format,
			 bool has_values)
{
	const struct pk_call_arguments own = *arguments;
	const struct pk_tracepoint_field *field;
	bool after_number = false;

	arguments->count = 0;
	for (size_t i = 0; (field = pk_tracepoint_field_at(format, i)); i++) {
		struct pk_call_argument *argument = &arguments->items[arguments->count];
		const struct pk_call_argument *same = argument - arguments->items + own.items;

		if (!strncmp(field->name, "common_", strlen("common_")) || field->is_dynamic)
			continue;
		if (!after_number) {
			after_number = true;
			continue;
		}
		if (arguments->count == PK_CALL_ARGUMENTS_MAX)
			return;
		*argument = (struct pk_call_argument){.name = field->name,
						      .name_size = (uint16_t)strlen(field->name)};
		pk_call_set_kind(argument, kind_of(field), 1);
		if (arguments->count < own.count && same->name_size == argument->name_size &&
		    !memcmp(same->name, argument->name, same->name_size))
			pk_call_set_kind(argument, same->kind, same->kind_size);
		if (has_values) {
			argument->field = field;
			argument->target = target_of(format, field->name);
		}
		arguments->count++;
	}
}

static bool is_kind(const struct pk_call_argument *argument, const char *kind)
{
	return argument->kind_size > 1 && argument->kind_size == strlen(kind) &&
	       !memcmp(argument->kind, kind, argument->kind_size);
}

static enum pk_call_rule rule_of(const struct pk_call_arguments *arguments, size_t i)
{
	const struct pk_call_argument *items = arguments->items;

	if (i && is_kind(&items[i], "fcntlarg"))
		return PK_CALL_OF_FCNTL;
	if (i && is_kind(&items[i], "mode") && is_kind(&items[i - 1], "open"))
		return PK_CALL_MODE_OF_OPEN;
	if (i > 3 && is_kind(&items[3], "map"))
		return PK_CALL_FILE_OF_MAP;
	if (i > 2 && is_kind(&items[1], "futex"))
		return PK_CALL_OF_FUTEX;
	if (i > 1 && is_kind(&items[0], "prctl"))
		return PK_CALL_OF_PRCTL;
	return is_kind(&items[i], "protocol") ? PK_CALL_PROTOCOL : PK_CALL_ALWAYS;
}

/* Sets the members that are equal for all samples of the call. */
static void complete(struct pk_call_arguments *arguments)
{
	for (size_t i = 0; i < arguments->count; i++) {
		struct pk_call_argument *argument = &arguments->items[i];

		argument->rule = rule_of(arguments, i);
		argument->shows_zero =
			!argument->name ||
			(argument->words && pk_syscall_word_for_zero(argument->words));
		if (argument->name_size && argument->name_size + 4u <= sizeof(argument->label))
			argument->label_size = (uint8_t)snprintf(
				argument->label, sizeof(argument->label),
				", %.*s: ", (int)argument->name_size, argument->name);
	}
}

static void describe_unknown(struct pk_call *call)
{
	for (size_t i = 0; i < RAW_ARGUMENTS; i++)
		pk_call_set_kind(&call->arguments.items[i], "p", 1);
	call->arguments.count = RAW_ARGUMENTS;
}

static void describe(struct pk_call *call, const struct pk_tracepoint *format, bool has_values)
{
	const char *signature = pk_syscall_signature(call->name);

	if (signature)
		parse_signature(&call->arguments, signature);
	if (format)
		parse_format(&call->arguments, format, has_values);
	if (!signature && !format)
		describe_unknown(call);
	complete(&call->arguments);
}

static void describe_number(struct pk_call *call, const struct pk_call_sample *sample,
			    uint64_t number)
{
	const struct pk_tracepoint *format = NULL;
	char name[96];

	call->name = pk_syscall_name(sample->abi, number);
	if (call->name) {
		call->name_size = strlen(call->name);
		snprintf(name, sizeof(name), "%s%s", named, call->name);
		format = pk_tracepoints_named(sample->tracepoints, name);
		describe(call, format, false);
		pk_call_find_targets(call, sample);
		return;
	}
	describe_unknown(call);
	complete(&call->arguments);
}

/* Finds where the elements of the field `args` are in the raw bytes. */
static void find_elements(struct pk_calls *calls, const struct pk_tracepoint_field *args)
{
	calls->elements_count = 0;
	if (!args || !args->is_array || args->is_dynamic || !args->element_size)
		return;
	while (calls->elements_count < PK_CALL_ARGUMENTS_MAX &&
	       (calls->elements_count + 1) * args->element_size <= args->size) {
		struct pk_tracepoint_field *element = &calls->elements[calls->elements_count];

		*element = *args;
		element->is_array = false;
		element->size = args->element_size;
		element->offset = args->offset + (uint32_t)calls->elements_count * element->size;
		calls->element_places[calls->elements_count++] =
			pk_tracepoint_place(calls->raw, element);
	}
}

bool pk_call_number(const struct pk_call_sample *sample, uint64_t *number)
{
	struct pk_calls *calls = sample->calls;
	const struct pk_tracepoint_field *cut;

	if (pk_unlikely(calls->raw != sample->tracepoint)) {
		calls->raw = sample->tracepoint;
		calls->id = pk_tracepoint_find_field(sample->tracepoint, "id");
		calls->id_place = calls->id ? pk_tracepoint_place(calls->raw, calls->id)
					    : (struct pk_raw_number){0};
		find_elements(calls, pk_tracepoint_find_field(sample->tracepoint, "args"));
		cut = pk_tracepoint_find_field(sample->tracepoint, "cut");
		calls->cut_place =
			cut ? pk_tracepoint_place(calls->raw, cut) : (struct pk_raw_number){0};
		calls->families = pk_syscall_words("family", strlen("family"));
	}
	if (pk_likely(calls->id_place.size))
		return pk_raw_number_load(&calls->id_place, sample->raw, number);
	return calls->id &&
	       pk_tracepoint_number(sample->tracepoint, calls->id, sample->raw, number);
}

/* Describes the call of a tracepoint syscalls:sys_enter_NAME, and stores the description. Returns
 * NULL if memory is exhausted. */
static const struct pk_call *call_of_event(const struct pk_call_sample *sample, const char *name)
{
	struct pk_call *call = pk_table_get_or_add(&sample->calls->by_event,
						   (uintptr_t)sample->tracepoint, sizeof(*call));

	if (!call)
		return NULL;
	call->name = name;
	call->name_size = strlen(name);
	describe(call, sample->tracepoint, true);
	return call;
}

/* Describes the call with this number, and stores the description. Returns NULL if memory is
 * exhausted. */
static const struct pk_call *make_call(const struct pk_call_sample *sample, uint64_t number)
{
	struct pk_known_calls **known = &sample->calls->by_number[sample->abi];
	struct pk_call *call;

	if (!*known)
		*known = calloc(1, sizeof(**known));
	if (!*known)
		return NULL;
	call = calloc(1, sizeof(*call));
	if (!call)
		return NULL;
	describe_number(call, sample, number);
	(*known)->calls[number] = call;
	return call;
}

const struct pk_call *pk_call_of(struct buffer *out, const struct pk_call_sample *sample,
				 struct pk_call *scratch)
{
	const struct pk_known_calls *known = sample->calls->by_number[sample->abi];
	const struct pk_call *call;
	const char *name;
	uint64_t number;

	if (sample->known && *sample->known)
		return *sample->known;
	if (sample->calls->raw != sample->tracepoint) {
		call = pk_table_get(&sample->calls->by_event, (uintptr_t)sample->tracepoint);
		if (call)
			return call;
		name = name_of(sample->tracepoint);
		if (name) {
			call = call_of_event(sample, name);
			out->failed |= !call;
			return call;
		}
	}
	if (!pk_call_number(sample, &number))
		return NULL;
	if (pk_likely(number < STORED_MAX && known && known->calls[number])) {
		call = known->calls[number];
		if (sample->known)
			*sample->known = call;
		return call;
	}
	if (number < STORED_MAX) {
		call = make_call(sample, number);
		out->failed |= !call;
		return call;
	}
	*scratch = (struct pk_call){0};
	describe_number(scratch, sample, number);
	return scratch;
}

static void free_known(struct pk_known_calls *known)
{
	for (size_t i = 0; known && i < STORED_MAX; i++)
		free(known->calls[i]);
	free(known);
}

void pk_calls_clear(struct pk_calls *calls)
{
	for (int abi = 0; abi < PK_ABIS; abi++)
		free_known(calls->by_number[abi]);
	pk_table_free_all(&calls->by_event);
	free(calls->texts);
	*calls = (struct pk_calls){0};
}
