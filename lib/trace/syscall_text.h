/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SYSCALL_TEXT_H
#define PK_SYSCALL_TEXT_H

/* System calls as text, like perf trace: the name and the arguments of a call, from the sample of
 * its start, and its result. */

#include "buffer.h"
#include "syscall_table.h"
#include "table.h"
#include "tracepoint.h"

#define PK_CALL_ARGUMENTS_MAX 8

/* What is known about calls, found once for each. It is zero at first. Clear it when the formats
 * change. */
struct pk_calls {
	struct pk_known_calls *by_number[PK_ABIS]; /* of raw_syscalls:sys_enter */
	struct pk_table by_event;		   /* of syscalls:sys_enter_NAME */
	/* The fields of raw_syscalls:sys_enter. */
	const struct pk_tracepoint *raw;
	const struct pk_tracepoint_field *id;
	struct pk_raw_number id_place, cut_place;
	struct pk_tracepoint_field elements[PK_CALL_ARGUMENTS_MAX]; /* of `args` */
	struct pk_raw_number element_places[PK_CALL_ARGUMENTS_MAX];
	size_t elements_count;
	const struct pk_syscall_words *families; /* of sockets */
	/* Texts of the arguments of recent calls: programs repeat them. */
	struct pk_call_text {
		const struct pk_call *call; /* NULL: none */
		uint64_t values[PK_CALL_ARGUMENTS_MAX];
		uint8_t size;
		char text[119];
	} * texts;
};

struct pk_call;

void pk_calls_clear(struct pk_calls *calls);

/* Whether samples of the tracepoint are starts of system calls: syscalls:sys_enter_NAME, or
 * raw_syscalls:sys_enter. */
bool pk_call_is_start(const struct pk_tracepoint *tracepoint);

/* A call, as a sample of its start describes it. */
struct pk_call_sample {
	struct pk_calls *calls;
	struct pk_tracepoints *tracepoints; /* of the session */
	const struct pk_tracepoint *tracepoint;
	const struct pk_bytes *raw;
	enum pk_abi abi;
	/* NULL, or a pointer that is NULL before the first function for a sample: the functions
	 * keep its call there. */
	const struct pk_call **known;
};

/* Adds the name of the call, or if it is unknown its number. Both functions set out->failed if
 * memory is exhausted. */
void pk_call_name(struct buffer *out, const struct pk_call_sample *sample);
/* Adds the arguments: "fd: 3, buf: 0x7ffd8c0, count: 832". Arguments that are 0 are left out,
 * except constants that have a name. Numbers have the declared C type. Texts that arguments point
 * to are printed if the format has them (Linux 7.2, pk-record --strings). "..." follows those that
 * are cut. Arguments of unknown calls are six numbers. */
void pk_call_arguments(struct buffer *out, const struct pk_call_sample *sample);
/* Adds the result of a call: "3", "0x7f9ab2c41000", "-1 ENOENT (No such file or directory)", "0
 * (Timeout)", "RDWR|APPEND". name is that of the call. arguments are as pk_call_arguments() adds
 * them. */
void pk_call_result(struct buffer *out, const char *name, const struct pk_bytes *arguments,
		    enum pk_abi abi, int64_t result);

#endif
