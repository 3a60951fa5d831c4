/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PPROF_TABLES_H
#define PPROF_TABLES_H

/* The tables of a pprof profile that its samples refer to: mappings, locations, functions and
 * strings. Numbers of mappings are ids of objects. */

#include "locations.h"
#include "export_output.h"
#include "mapping_range.h"

/* The numbers of a Profile's fields, in profile.proto of pprof. */
enum {
	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLE = 2,
	PROFILE_MAPPING = 3,
	PROFILE_LOCATION = 4,
	PROFILE_FUNCTION = 5,
	PROFILE_STRING = 6,
	PROFILE_DROP_FRAMES = 7,
	PROFILE_KEEP_FRAMES = 8,
	PROFILE_TIME = 9,
	PROFILE_DURATION = 10,
	PROFILE_PERIOD_TYPE = 11,
	PROFILE_PERIOD = 12,
	PROFILE_DEFAULT_TYPE = 14,
};

struct pprof_tables {
	struct export_output *out;   /* set by the caller */
	struct locations *locations; /* likewise */
	struct pk_texts strings;
	bool failed; /* out of memory */
	/* Private to the tables: */
	struct buffer text, line, message;
	struct pprof_mapping {
		struct mapping_range range;
		bool has_functions, has_files, has_lines, has_inlines;
	} * mappings; /* by id of the object */
	size_t mappings_count;
	struct pk_table functions; /* number, by the ids of its name and file */
};

/* The index of a text in the table of strings. */
uint64_t pprof_string(struct pprof_tables *tables, const char *text, size_t size);
/* Writes the tables; after that, no more strings can be added. */
void pprof_tables_write(struct pprof_tables *tables);
void pprof_tables_free(struct pprof_tables *tables);

#endif
