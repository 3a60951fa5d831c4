/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SYSCALL_TEXT_H
#define PK_SYSCALL_TEXT_H

/* Prints system calls as text, like perf trace. The name and the arguments of a call are from the
 * sample of its start. The result is printed separately. */

#include "buffer.h"
#include "syscall_table.h"
#include "table.h"
#include "tracepoint.h"

#define PK_CALL_ARGUMENTS_MAX 8

/* The calls that were described so far. Each call is described only once. It must be all zero at
 * first. Clear it when the formats change. */
struct pk_calls {
	struct pk_known_calls *by_number[PK_ABIS]; /* calls of raw_syscalls:sys_enter */
	struct pk_table by_event;		   /* calls of syscalls:sys_enter_NAME */
	/* The tracepoint raw_syscalls:sys_enter and its fields: */
	const struct pk_tracepoint *raw;
	const struct pk_tracepoint_field *id;
	struct pk_raw_number id_place, cut_place;
	struct pk_tracepoint_field elements[PK_CALL_ARGUMENTS_MAX]; /* elements of `args` */
	struct pk_raw_number element_places[PK_CALL_ARGUMENTS_MAX];
	size_t elements_count;
	const struct pk_syscall_words *families; /* names of the address families of sockets */
	/* The texts of the arguments of recent calls. They are kept because programs repeat calls
	 * with the same arguments. */
	struct pk_call_text {
		const struct pk_call *call; /* NULL if the entry is empty */
		uint64_t values[PK_CALL_ARGUMENTS_MAX];
		uint8_t size;
		char text[119];
	} * texts;
};

struct pk_call;

void pk_calls_clear(struct pk_calls *calls);

/* Returns whether the samples of a tracepoint are starts of system calls. These tracepoints are
 * syscalls:sys_enter_NAME and raw_syscalls:sys_enter. */
bool pk_call_is_start(const struct pk_tracepoint *tracepoint);

/* The sample of the start of a call. */
struct pk_call_sample {
	struct pk_calls *calls;
	struct pk_tracepoints *tracepoints; /* the formats of the session */
	const struct pk_tracepoint *tracepoint;
	const struct pk_bytes *raw;
	enum pk_abi abi;
	/* May be NULL. Otherwise it points to a pointer in which the functions keep the description
	 * of the sample's call. The caller must set this pointer to NULL before the first call for
	 * a sample. */
	const struct pk_call **known;
};

/* Appends the name of the call. If the name is unknown, appends the number of the call. If memory
 * is exhausted, this function and the next one set out->failed. */
void pk_call_name(struct buffer *out, const struct pk_call_sample *sample);
/* Appends the arguments, such as "fd: 3, buf: 0x7ffd8c0, count: 832". Arguments that are 0 are left
 * out, except if 0 is a constant that has a name. Numbers are printed by their declared C types.
 * Texts that arguments point to are printed if the format contains them (Linux 7.2, pk-record
 * --strings). A text that is cut ends with "...". If the call is unknown, six numbers are printed.
 */
void pk_call_arguments(struct buffer *out, const struct pk_call_sample *sample);
/* Appends the result of a call: "3", "0x7f9ab2c41000", "-1 ENOENT (No such file or directory)", "0
 * (Timeout)", "RDWR|APPEND". `name` is the name of the call. `arguments` is the text of
 * pk_call_arguments(). */
void pk_call_result(struct buffer *out, const char *name, const struct pk_bytes *arguments,
		    enum pk_abi abi, int64_t result);

#endif
