/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SECOND_H
#define PK_SECOND_H

/* Second opinions: other libraries do the work of pk's own code. This is useful for data in a form
 * that pk does not know, and to find out whether pk or the other library is wrong. The libraries
 * are loaded when a user asks for them (--with), before the sandbox is entered. They are not
 * written for hostile input: some inputs crash the program or never end. */

#include <stdbool.h>
#include <string.h>

#include "messages.h"
#include "object_debug.h"
#include "options.h"
#include "tracepoint.h"

/* ---- Unwinding ---- */

#define PK_SECOND_FRAMES_MAX 4096

/* A frame of an unwound stack. */
struct pk_second_frame {
	uint64_t pc;
	bool exact; /* the pc is the address of an interrupted instruction; if not, the pc is a
		     * return address */
};

/* An object that is mapped at an address. */
struct pk_second_module {
	const struct pk_unwind_info *info;
	uint64_t bias; /* the address in the task minus the address in the file */
	uint64_t start, end;
};

/* A stack to unwind. */
struct pk_second_stack {
	const struct pk_cfi_machine *machine;
	struct pk_frame_state state; /* the registers of the innermost frame */
	struct pk_memory memory;
	const void *space; /* a value that is different for each address space; it identifies the
			    * address space of the task */
	/* Finds the object that contains the code at an address. Returns false if there is none. */
	bool (*find)(void *arg, uint64_t address, struct pk_second_module *module);
	void *arg;
	/* The unwinder sets the following members. */
	struct pk_second_frame frames[PK_SECOND_FRAMES_MAX];
	size_t count;
	bool complete; /* the last frame has no caller */
	bool faulted;  /* the word at memory.fault was needed, but is not known */
};

/* Reads a word of the memory of the task. Returns false if the word is not known. */
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

/* The functions of an unwinder. */
struct pk_second_unwinder {
	void *(*open)(void); /* returns NULL if memory is exhausted */
	void (*unwind)(void *unwinder, struct pk_second_stack *stack);
	void (*close)(void *unwinder);
};

/* ---- Libraries ---- */

/* The functions of other libraries that replace pk's own code. A member is NULL if pk uses its own
 * code. */
struct pk_second {
	const struct pk_debug_reader *reader;
	const struct pk_second_unwinder *unwinder;
	const struct pk_tracepoint_printer *printer;
};

/* The function of an option whose member is a struct pk_second. Loads the library. The value of the
 * option row is the list of possible libraries, such as "libdw|libunwind". */
int pk_second_parse(const struct pk_option *option, void *at, const char *text);

/* Each function loads a library, and sets the members for the work of that library. Returns
 * PK_FAILED after a message if the library cannot be loaded. */
PK_MUST_CHECK enum pk_status pk_second_libdw(struct pk_second *second,
					     struct pk_messages *messages);
PK_MUST_CHECK enum pk_status pk_second_libunwind(struct pk_second *second,
						 struct pk_messages *messages);
PK_MUST_CHECK enum pk_status pk_second_libtraceevent(struct pk_second *second,
						     struct pk_messages *messages);

#endif
