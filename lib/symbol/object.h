/* SPDX-License-Identifier: BSD-2-Clause */
/* Inside the store. */
#ifndef PK_OBJECT_H
#define PK_OBJECT_H

#include "elf_image.h"
#include "kallsyms.h"
#include "search.h"
#include "symbols.h"
#include "symtable.h"
#include "table.h"

enum pk_object_kind {
	PK_KIND_FILE,
	PK_KIND_KERNEL,
	PK_KIND_PERF_MAP,
	PK_KIND_JITDUMP,
};

/* A list of kernel symbols, shared by the objects that differ only in where the kernel was. */
struct pk_kernel {
	struct pk_kernel *next;
	struct pk_build_id build_id;
	struct pk_kallsyms kallsyms;
	enum pk_object_state state;
	char *source;
};

/* What lib/dwarf keeps of an object; more follows it there. */
struct pk_object_debug {
	void (*free)(struct pk_object_debug *debug);
	uint64_t (*names_cut)(const struct pk_object_debug *debug);
};

struct pk_object {
	struct pk_symbols *store;
	enum pk_object_kind kind;
	enum pk_object_state state;

	/* what it was asked for by */
	char *path;
	struct pk_build_id build_id;
	uint64_t view; /* files: the mount namespace, if it matters; kernel: the reference's address
			*/

	pid_t pid;
	unsigned retries;
	char reference[16];

	char *source; /* or NULL */
	struct pk_symtable table;
	struct pk_elf_segment *loads;
	size_t load_count;
	struct pk_kernel *kernel;
	uint64_t shift; /* kernel: to be added to an address of the stream */

	struct pk_object_debug *debug; /* NULL until lib/dwarf has looked at the object */

	struct pk_jitdump *dump;

	/* perf map, jitdump: what was read, and when to look again */
	uint64_t file_size, file_time;
	uint64_t next_look;
};

struct pk_jitdump;

struct pk_symbols {
	struct pk_symbols_options options; /* no NULLs */
	struct pk_failures failures;
	struct pk_table objects; /* struct pk_object by path, build-id and view */
	struct pk_table builds;	 /* likewise, one of each build-id */
	struct pk_kernel *kernels;
	uint64_t perf_map_bytes; /* of memory */
	uint64_t perf_maps_left_out;
	uint64_t not_trusted;			  /* perf maps and jitdumps */
	char *distrust;				  /* the first of them and why; or NULL */
	struct pk_debuginfod *debuginfod;	  /* NULL until it is asked */
	struct pk_source sources[PK_SOURCES_MAX]; /* of the last pk_object_sources() */
};

/* To look for what an object was asked for by. */
struct pk_search pk_object_search(const struct pk_object *o);

bool pk_object_jit_line(const struct pk_object *o, uint64_t address, struct pk_source *source);
void pk_object_free_jitdump(struct pk_object *o);

/* Another process has the same file: if it was not found for the last one, it may be for this. */
void pk_object_retry(struct pk_object *o, pid_t pid);

#endif
