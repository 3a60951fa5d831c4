/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_UNWIND_TABLE_H
#define PK_UNWIND_TABLE_H

/* All rows of an object's call frame information in a compact form. With this table, a lookup need
 * not execute call frame instructions. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cfi.h"
#include "unwind_rule.h"

struct pk_unwind_row {
	uint32_t start; /* the first address, minus the base of the table */
	uint32_t rule;	/* the index of the rule, which applies up to the start of the next row */
};

struct pk_unwind_table {
	uint64_t base;		    /* an address in the object file */
	struct pk_unwind_row *rows; /* sorted by start; the first row starts at 0 */
	size_t count;
	struct pk_unwind_rule *rules; /* each rule is stored only once; rule 0 is PK_UNWIND_NONE */
	size_t rules_count;
	size_t unsupported; /* the number of rows whose information is valid, but has an unsupported
			       form (PK_UNWIND_BAD) */
};

/* Returns the limit for the instructions of all tables of an object. It depends on the size of its
 * sections. */
uint64_t pk_unwind_table_work(const struct pk_cfi *cfi);
/* Makes the rows for `size` addresses from `base` on, at most 4 GiB, of the FDEs that start there
 * and of the last one that starts before. Executes at most *work instructions, and subtracts the
 * executed ones from *work. Free the table even if this function fails. */
PK_MUST_CHECK enum pk_status pk_unwind_table_make(struct pk_unwind_table *table,
						  const struct pk_cfi *cfi, uint64_t base,
						  uint64_t size, uint64_t *work);
void pk_unwind_table_free(struct pk_unwind_table *table);
/* Returns the rule for an address in the object file. */
const struct pk_unwind_rule *pk_unwind_table_find(const struct pk_unwind_table *table,
						  uint64_t address);

/* Returns the compact form of a row. */
struct pk_unwind_rule pk_unwind_rule_of(const struct pk_cfi *cfi, const struct pk_cfi_row *row);

#endif
