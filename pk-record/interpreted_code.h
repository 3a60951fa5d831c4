/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_INTERPRETED_CODE_H
#define PK_RECORD_INTERPRETED_CODE_H

/* A function of an interpreted program, as the interpreter's objects in the memory of a process
 * describe it. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "buffer.h"
#include "pkstream.h"

#define INTERPRETED_TEXT_MAX                                                                       \
	1024u /* maximum number of characters of a text; longer texts are cut                      \
	       */

/* Members of the object that describes a function. If they change, the address has another object
 * than before. */
struct code_identity {
	uint64_t words[10];
};

/* A part of a function: the instructions from the index `start` on. They end at the start of the
 * next part. */
struct code_line {
	uint32_t start;
	uint32_t line; /* 0 if the instructions have no line */
};

struct interpreted_code {
	/* Texts in UTF-8 without control characters. `name` is the qualified name, such as
	 * "Class.method", if the interpreter has one. */
	struct buffer file, name;
	uint32_t first_line;
	bool internal;	     /* the interpreter runs this code between two frames of the program */
	uint64_t base;	     /* the index of the first instruction; other indexes count from it */
	uint64_t size;	     /* number of indexes; 0 if the lines are unknown */
	struct buffer lines; /* struct code_line, sorted by start */
};

/* Reads memory of a process. Returns PK_IO if not all of it can be read, for example because the
 * process has ended. */
PK_MUST_CHECK enum pk_status interpreted_read(pid_t pid, uint64_t address, void *to, size_t size);
/* Reads a pointer or another number of 8 bytes. Returns 0 if it cannot be read. */
uint64_t interpreted_word(pid_t pid, uint64_t address);

/* Adds a part to the lines. Does nothing if it has the same line as the part before it. */
void interpreted_code_add_line(struct interpreted_code *code, uint32_t start, uint32_t line);
/* Frees the members. */
void interpreted_code_free(struct interpreted_code *code);

/* The first and the last line of a function. */
struct code_range {
	uint32_t first, last;
};
/* Returns the smallest and the largest line of the code. If no lines are known, or if there are
 * more than a million lines between them, both are the first line of the code. */
struct code_range interpreted_code_range(const struct interpreted_code *code);
/* Sets *line to the line of an instruction, or to 0 if the instruction has no line. `index` is the
 * index in a word, see INTERPRETED_WORD. Returns false if the code does not have this instruction.
 */
bool interpreted_code_line(const struct interpreted_code *code, uint64_t index, uint32_t *line);

#endif
