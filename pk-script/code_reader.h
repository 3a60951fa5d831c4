/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef CODE_READER_H
#define CODE_READER_H

/* Reads instructions at addresses of the recorded tasks, from the objects of the resolver. */

#include "insn.h"
#include "resolve.h"

struct code_reader;

/* struct disasm_options explains no_memory. NULL: out of memory. */
struct code_reader *code_reader_new(struct resolver *resolver, void (*no_memory)(void));
/* Call it before the symbols of the resolver are freed. */
void code_reader_free(struct code_reader *reader);
bool code_reader_failed(const struct code_reader *reader);

/* Copies up to size bytes at a location. Returns their number, or 0 if there is no code, or no
 * disassembler for its machine. *disasm decodes them. It is valid until code_reader_free(). */
size_t code_reader_read(struct code_reader *reader, const struct pk_location *location, void *to,
			size_t size, struct disasm **disasm);

#endif
