// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "hash.h"
#include "pkutil.h"
#include "syscall_calls.h"

#define ERRNO_MAX 4095
#define TEXTS	  256 /* must be a power of two */

void pk_call_name(struct buffer *out, const struct pk_call_sample *sample)
{
	struct pk_call scratch;
	const struct pk_call *call = pk_call_of(out, sample, &scratch);
	uint64_t number;

	if (call && call->name)
		buffer_add(out, call->name, call->name_size);
	else if (call && pk_call_number(sample, &number))
		buffer_signed(out, (int64_t)number, 0);
}

/* ---- Arguments ---- */

/* Sets the values of the arguments. Stops at the first argument whose value is missing, and returns
 * the number of the arguments before it. */
static size_t read_values(const struct pk_call_arguments *arguments,
			  const struct pk_call_sample *sample, uint64_t *values)
{
	const struct pk_calls *calls = sample->calls;
	size_t i = 0;

	for (; i < arguments->count; i++) {
		const struct pk_tracepoint_field *field = arguments->items[i].field;

		if (!field && i >= calls->elements_count)
			break;
		if (pk_likely(!field && calls->element_places[i].size)) {
			if (!pk_raw_number_load(&calls->element_places[i], sample->raw, &values[i]))
				break;
			continue;
		}
		if (!pk_tracepoint_number(sample->tracepoint, field ? field : &calls->elements[i],
					  sample->raw, &values[i]))
			break;
	}
	return i;
}

static void add_hex(struct buffer *out, uint64_t value)
{
	buffer_text(out, "0x");
	buffer_hex(out, value, 0);
}

static bool is_32bit(enum pk_abi abi)
{
	return abi == PK_ABI_I386 || abi == PK_ABI_ARM;
}

static void add_value(struct buffer *out, const struct pk_call_sample *sample,
		      const struct pk_call_argument *argument, uint64_t whole)
{
	const uint64_t value = is_32bit(sample->abi) ? (uint32_t)whole : whole;

	if (argument->words) {
		if (!pk_syscall_word(out, argument->words, sample->abi, (uint32_t)value))
			buffer_signed(out, (int32_t)value, 0);
		return;
	}
	switch (*argument->kind) {
	case 'd': buffer_signed(out, (int32_t)value, 0); break;
	case 'u': buffer_decimal(out, (uint32_t)value, 0); break;
	case 'l':
		buffer_signed(out, is_32bit(sample->abi) ? (int32_t)value : (int64_t)value, 0);
		break;
	case 'U': buffer_decimal(out, value, 0); break;
	case 'o': buffer_format(out, "%#o", (unsigned int)value); break;
	default:
		if (!pk_call_add_target(out, sample, argument))
			add_hex(out, value);
	}
}

#define OPEN_CREATES	   0100u
#define MAP_ANONYMOUS_FLAG 0x20u
#define PR_SET_NAME_OPTION 15u
#define FAMILY_INET	   2u
#define FAMILY_INET6	   10u

/* Commands of fcntl(2). */
enum {
	F_DUPFD = 0,
	F_GETFD = 1,
	F_SETFD = 2,
	F_GETFL = 3,
	F_SETFL = 4,
	F_SETOWN = 8,
	F_GETOWN = 9,
	F_SETSIG = 10,
	F_GETSIG = 11,
	F_SETLEASE = 1024,
	F_GETLEASE = 1025,
	F_GETPIPE_SZ = 1032,
	F_GET_SEALS = 1034,
};

/* Sets the kind of fcntl's argument. Returns false if the command has no argument. */
static bool describe_fcntl(struct pk_call_argument *argument, uint64_t command)
{
	switch (command) {
	case F_GETFD:
	case F_GETFL:
	case F_GETOWN:
	case F_GETSIG:
	case F_GETLEASE:
	case F_GETPIPE_SZ:
	case F_GET_SEALS: return false;
	case F_SETFL: pk_call_set_kind(argument, "open", strlen("open")); break;
	case F_SETFD:
	case F_DUPFD:
	case F_SETOWN:
	case F_SETSIG: pk_call_set_kind(argument, "d", 1); break;
	default:
		pk_call_set_kind(argument, command < F_SETLEASE ? "p" : "d",
				 1); /* "p" for commands with a pointer to a lock or to an owner,
				      * "d" for commands with a number */
	}
	return true;
}

/* Returns a bit set of the arguments of futex(2) that a command does not use. The bit numbers are
 * the positions of the arguments: 3 is utime, 4 is uaddr2, 5 is val3. */
static unsigned int unused_by_futex(uint64_t op)
{
	enum { UTIME = 1 << 3, UADDR2 = 1 << 4, VAL3 = 1 << 5 };
	static const uint8_t unused[] = {UADDR2 | VAL3,
					 UTIME | UADDR2 | VAL3,
					 UTIME | UADDR2 | VAL3,
					 UTIME | VAL3,
					 UTIME,
					 0,
					 UADDR2 | VAL3,
					 UTIME | UADDR2 | VAL3,
					 UADDR2 | VAL3,
					 UADDR2,
					 UTIME | UADDR2};
	const uint64_t command = op & 127;

	return command < sizeof(unused) ? unused[command] : 0;
}

/* Returns whether to print an argument. If the kind of the argument depends on another argument,
 * *argument is set to `own`, which is a copy with the right kind. */
static bool is_shown(const struct pk_call_argument **argument, const uint64_t *values, size_t i,
		     struct pk_call_argument *own)
{
	const uint64_t value = values[i];

	switch ((*argument)->rule) {
	case PK_CALL_ALWAYS: break;
	case PK_CALL_OF_FCNTL:
		*own = **argument;
		*argument = own;
		return describe_fcntl(own, values[i - 1]) &&
		       (value || values[i - 1] == F_SETFD || values[i - 1] == F_SETFL);
	case PK_CALL_MODE_OF_OPEN:
		if (!(values[i - 1] & OPEN_CREATES))
			return false;
		break;
	case PK_CALL_FILE_OF_MAP:
		if (values[3] & MAP_ANONYMOUS_FLAG)
			return false;
		break;
	case PK_CALL_OF_FUTEX:
		if (unused_by_futex(values[1]) & 1u << i)
			return false;
		break;
	case PK_CALL_OF_PRCTL:
		if (values[0] == PR_SET_NAME_OPTION)
			return false;
		break;
	case PK_CALL_PROTOCOL:
		if (values[0] == FAMILY_INET || values[0] == FAMILY_INET6)
			break;
		*own = **argument;
		*argument = own;
		pk_call_set_kind(own, "d", 1);
		return value;
	}
	return value || (*argument)->shows_zero;
}

/* Appends ", name: ". The comma is left out for the first argument. */
static void add_label(struct buffer *out, const struct pk_call_argument *argument, bool first)
{
	const size_t comma = first ? 2 : 0;

	if (pk_likely(argument->label_size)) {
		buffer_add(out, argument->label + comma, argument->label_size - comma);
		return;
	}
	if (!first)
		buffer_text(out, ", ");
	if (!argument->name)
		return;
	buffer_add(out, argument->name, argument->name_size);
	buffer_text(out, ": ");
}

static void add_arguments(struct buffer *out, const struct pk_call_sample *sample,
			  const struct pk_call *call, const uint64_t *values, size_t count)
{
	const size_t before = out->size;

	for (size_t i = 0; i < count; i++) {
		const struct pk_call_argument *argument = &call->arguments.items[i];
		struct pk_call_argument own;

		if (!is_shown(&argument, values, i, &own))
			continue;
		add_label(out, argument, out->size == before);
		add_value(out, sample, argument, values[i]);
	}
}

/* Returns the place where the text of a call with these values is stored. If memory is exhausted,
 * returns NULL and sets out->failed. */
static struct pk_call_text *text_of(struct buffer *out, struct pk_calls *calls,
				    const struct pk_call *call, const uint64_t *values,
				    size_t count)
{
	uint64_t hash = (uintptr_t)call;

	if (pk_unlikely(!calls->texts)) {
		calls->texts = calloc(TEXTS, sizeof(*calls->texts));
		out->failed |= !calls->texts;
		if (!calls->texts)
			return NULL;
	}
	for (size_t i = 0; i < count; i++)
		hash = pk_mix64(hash ^ values[i], UINT64_C(0xe7037ed1a0b428db));
	return &calls->texts[hash & (TEXTS - 1)];
}

/* Appends the arguments of a call that is stored by its number. Their text depends only on the
 * values, so it is stored, too. */
static void add_stored(struct buffer *out, const struct pk_call_sample *sample,
		       const struct pk_call *call, const uint64_t *values)
{
	const size_t count = call->arguments.count, before = out->size;
	struct pk_call_text *text = text_of(out, sample->calls, call, values, count);

	if (!text)
		return;
	if (text->call == call && !memcmp(text->values, values, count * sizeof(*values))) {
		buffer_add(out, text->text, text->size);
		return;
	}
	add_arguments(out, sample, call, values, count);
	if (out->failed || out->size == before || out->size - before > sizeof(text->text))
		return;
	text->call = call;
	memcpy(text->values, values, count * sizeof(*values));
	text->size = (uint8_t)(out->size - before);
	memcpy(text->text, out->data + before, text->size);
}

void pk_call_arguments(struct buffer *out, const struct pk_call_sample *sample)
{
	struct pk_call scratch;
	const struct pk_call *call = pk_call_of(out, sample, &scratch);
	uint64_t values[PK_CALL_ARGUMENTS_MAX];
	size_t count;

	if (!call)
		return;
	count = read_values(&call->arguments, sample, values);
	if (count && count == call->arguments.count && call != &scratch &&
	    sample->calls->raw == sample->tracepoint && !pk_call_has_texts(call, sample))
		add_stored(out, sample, call, values);
	else
		add_arguments(out, sample, call, values, count);
}

/* ---- Results ---- */

static bool is_one_of(const char *name, const char *const *names)
{
	while (*names && strcmp(*names, name))
		names++;
	return *names;
}

/* Appends the result of fcntl(2) as flags. Returns false if the result for this command is a
 * number. */
static bool add_flags(struct buffer *out, const struct pk_bytes *arguments, enum pk_abi abi,
		      int64_t result)
{
	static const char of_file[] = "cmd: GETFL", of_fd[] = "cmd: GETFD";
	const struct pk_bytes *text = arguments;

	if (!text->size)
		return false;
	if (memmem(text->data, text->size, of_file, sizeof(of_file) - 1))
		return pk_syscall_word(out, pk_syscall_words("open", 4), abi, (uint64_t)result);
	if (result != 1 || !memmem(text->data, text->size, of_fd, sizeof(of_fd) - 1))
		return false;
	buffer_text(out, "CLOEXEC");
	return true;
}

void pk_call_result(struct buffer *out, const char *name, const struct pk_bytes *arguments,
		    enum pk_abi abi, int64_t result)
{
	static const char *const addresses[] = {"brk", "mmap", "mmap2", "mremap", "shmat", NULL},
				 *const waits[] = {"poll", "ppoll", "select", NULL};
	const char *error;

	if (result < 0 && result >= -ERRNO_MAX) {
		error = pk_errno_name((uint64_t)-result);
		if (error)
			buffer_format(out, "-1 %s (%s)", error, strerror((int)-result));
		else
			buffer_signed(out, result, 0);
	} else if (is_one_of(name, addresses)) {
		add_hex(out, (uint64_t)result);
	} else if (strcmp(name, "fcntl") || !add_flags(out, arguments, abi, result)) {
		buffer_signed(out, result, 0);
		if (!result && is_one_of(name, waits))
			buffer_text(out, " (Timeout)");
	}
}
