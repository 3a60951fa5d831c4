/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_CODE_READER_H
#define PK_CODE_READER_H

/* Reads instructions at addresses of the recorded tasks. The code comes from the objects of the
 * resolver. */

#include "insn.h"
#include "resolve.h"

struct code_reader;

/* no_memory is described at struct disasm_options. Returns NULL if memory is exhausted. */
struct code_reader *pk_code_reader_new(struct resolver *resolver, void (*no_memory)(void));
/* Call it before the resolver's symbols are freed. */
void pk_code_reader_free(struct code_reader *reader);
bool pk_code_reader_failed(const struct code_reader *reader);

/* Copies up to size bytes at a location. Returns the number of copied bytes. Returns 0 if there is
 * no code. If `disasm` is not NULL, sets *disasm to the disassembler of the code, which is valid
 * until pk_code_reader_free(). Then it also returns 0 if there is no disassembler for its machine.
 */
size_t pk_code_reader_read(struct code_reader *reader, const struct pk_location *location, void *to,
			   size_t size, struct disasm **disasm);

#endif
