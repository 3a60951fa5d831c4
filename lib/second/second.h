/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SECOND_H
#define PK_SECOND_H

/* Second opinions: other libraries answer in place of ours, for a form of data that ours does not
 * know, and to find out which of the two is wrong. They are loaded when a user asks for them
 * (--with), before the sandbox is entered. They are not written for hostile input: some input ends
 * the program or takes it forever. */

#include <stdbool.h>
#include <string.h>

#include "messages.h"
#include "object_debug.h"
#include "options.h"
#include "tracepoint.h"

/* ---- Unwinding ---- */

#define PK_SECOND_FRAMES_MAX 4096

struct pk_second_frame {
	uint64_t pc;
	bool exact; /* the pc is an interrupted instruction, not a return address */
};

/* An object that is mapped at an address. */
struct pk_second_module {
	const struct pk_unwind_info *info;
	uint64_t bias; /* address in the task minus address as in the file */
	uint64_t start, end;
};

/* A stack to unwind. */
struct pk_second_stack {
	const struct pk_cfi_machine *machine;
	struct pk_frame_state state; /* registers of the leaf */
	struct pk_memory memory;
	const void *space; /* identifies the task's address space */
	/* The object with the code at an address. Returns false if there is none. */
	bool (*find)(void *arg, uint64_t address, struct pk_second_module *module);
	void *arg;
	/* The answer. */
	struct pk_second_frame frames[PK_SECOND_FRAMES_MAX];
	size_t count;
	bool complete; /* the last frame has no caller */
	bool faulted;  /* the word at memory.fault was needed, and is not known */
};

/* Reads a word of the task's memory. Returns false if it is not known. */
static inline bool pk_second_read(struct pk_second_stack *stack, uint64_t address, void *word,
				  size_t size)
{
	struct pk_memory *memory = &stack->memory;

	if (address < memory->start || memory->size < size ||
	    address - memory->start > memory->size - size) {
		stack->faulted = true;
		memory->fault = address;
		return false;
	}
	memcpy(word, memory->data + (address - memory->start), size);
	return true;
}

struct pk_second_unwinder {
	void *(*open)(void); /* NULL: out of memory */
	void (*unwind)(void *unwinder, struct pk_second_stack *stack);
	void (*close)(void *unwinder);
};

/* ---- Libraries ---- */

/* The work that libraries do on request. A member is NULL if pk does it. */
struct pk_second {
	const struct pk_debug_reader *reader;
	const struct pk_second_unwinder *unwinder;
	const struct pk_tracepoint_printer *printer;
};

/* For the row of an option, whose member is a struct pk_second: loads the library. The row's value
 * has the names of the libraries that are possible: "libdw|libunwind". */
int pk_second_parse(const struct pk_option *option, void *at, const char *text);

/* Each sets what the library does. Returns PK_FAILED after a message: it cannot be loaded. */
PK_MUST_CHECK enum pk_status pk_second_libdw(struct pk_second *second,
					     struct pk_messages *messages);
PK_MUST_CHECK enum pk_status pk_second_libunwind(struct pk_second *second,
						 struct pk_messages *messages);
PK_MUST_CHECK enum pk_status pk_second_libtraceevent(struct pk_second *second,
						     struct pk_messages *messages);

#endif
