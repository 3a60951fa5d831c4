/* SPDX-License-Identifier: BSD-2-Clause */
/* Evaluates expressions of call frame information (DWARF 5, 2.5). */
#ifndef CFI_EXPRESSION_H
#define CFI_EXPRESSION_H

#include "cfi_table.h"

/* The inputs of an expression. */
struct cfi_context {
	const struct pk_cfi *cfi;
	const struct cfi_table *table;
	struct pk_memory *memory;
	const struct pk_frame_state *state;
};

/* Evaluates an expression in the section of the table. The length of the expression (ULEB128) is at
 * `offset`, and its bytes follow. At first, the stack contains *initial, or nothing if `initial` is
 * NULL. */
enum pk_cfi_status pk_cfi_evaluate(const struct cfi_context *context, uint64_t offset,
				   const uint64_t *initial, uint64_t *result);

/* Reads a number of `size` bytes (1, 2, 4 or 8) at an address. If the address is not in the known
 * memory, sets memory->fault to the address and returns PK_CFI_MEMORY. */
static inline enum pk_cfi_status cfi_read_memory(const struct cfi_context *context,
						 uint64_t address, unsigned int size,
						 uint64_t *value)
{
	struct pk_memory *memory = context->memory;
	const uint64_t at = address - memory->start;
	struct pk_cursor bytes;

	if (address < memory->start || at > memory->size || memory->size - at < size) {
		memory->fault = address;
		return PK_CFI_MEMORY;
	}
	bytes = (struct pk_cursor){memory->data + at, memory->data + memory->size,
				   context->cfi->machine->swapped, false};
	*value = pk_cursor_uint(&bytes, size);
	return PK_CFI_OK;
}

#endif
