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

/* A range of addresses that have the same rule. */
struct pk_unwind_row {
	/* The first address to which the row applies, minus the base of the table. */
	uint32_t start;
	uint32_t rule; /* The index of the rule in pk_unwind_table.rules. The rule applies up to the
			* start of the next row. */
};

/* The rows and the rules for a range of addresses. */
struct pk_unwind_table {
	uint64_t base; /* the address in the object file that is added to the start of each row */
	struct pk_unwind_row *rows; /* sorted by start; the first row starts at 0 */
	size_t count;
	struct pk_unwind_rule *rules; /* each rule is stored only once; rule 0 is PK_UNWIND_NONE */
	size_t rules_count;
	size_t unsupported; /* the number of rows whose information is valid, but has an unsupported
			     * form (PK_UNWIND_BAD) */
};

/* Returns the limit for the number of call frame instructions that all tables of an object together
 * may execute. The limit depends on the size of the object's sections. */
uint64_t pk_unwind_table_work(const struct pk_cfi *cfi);
/* Makes the rows for the `size` addresses from `base` on. `size` is at most 4 GiB. The rows come
 * from the FDEs that start in this range, and from the last FDE that starts before it. Executes at
 * most *work call frame instructions, and subtracts the number of executed instructions from *work.
 * Free the table even if this function fails. */
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
