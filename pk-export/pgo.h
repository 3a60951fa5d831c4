/* SPDX-License-Identifier: BSD-2-Clause */
/* The common code of the formats for optimizers. It counts the branches of all objects, selects the
 * objects that the user wants, finds their files, and opens an output for each of them. */
#ifndef PGO_H
#define PGO_H

#include "export.h"
#include "pgo_counts.h"

/* The common part of a format. It is the first member of the struct of each format. */
struct pgo {
	struct exporter base;
	struct pgo_counts counts;
	const char *wanted;	     /* the file of --object; NULL if it was not given */
	char *wanted_path;	     /* its absolute path */
	struct pk_symbols *symbols;  /* for the object of --object; NULL without --object */
	struct pk_build_id build_id; /* its build-id */
	const char *folder;	     /* the folder of -o; NULL if there is only one output */
};

/* An object that is written, and its output. */
struct pgo_target {
	struct pgo_object *counts;
	struct pk_object *object;
	struct buffer *out;
	struct export_output *output;
	uint64_t unplaced; /* sum of the counts whose offsets are in no segment of the file */
};

/* The options of these formats, for struct pgo. */
extern const struct pk_option pgo_rows[];

/* The functions of struct export_format. */
int pgo_start(void *format);
PK_MUST_CHECK enum pk_status pgo_sample(void *format, const struct export_sample *sample);
int pgo_end(void *format, int result);
/* Calls write() for each object that is wanted. `extension` is a part of the names of files in the
 * folder. Then reports problems. */
void pgo_write(struct pgo *pgo, const char *extension,
	       void (*write)(struct pgo *pgo, struct pgo_target *target));

/* Converts an offset in the file to the address that the file itself uses. PGO_NONE becomes 0.
 * Returns false if the offset is in no segment. */
bool pgo_address(const struct pgo_target *target, uint32_t offset, uint64_t *address);

/* What these formats have in common in struct export_format. */
#define PGO_FUNCTIONS                                                                              \
	.output = OUTPUT_TEXT, .needs = PK_NEED_TASKS | PK_NEED_SYMBOLS, .no_stacks = true,        \
	.stackless = true, .sample = pgo_sample, .end = pgo_end

#endif
