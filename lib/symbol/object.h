/* SPDX-License-Identifier: BSD-2-Clause */
/* The structs of a store and its objects, for lib/symbol, lib/dwarf and lib/code. */
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
	PK_KIND_MODULE,
	PK_KIND_KERNEL,
	PK_KIND_PERF_MAP,
	PK_KIND_JITDUMP,
};

/* The symbols of a kernel. Objects that differ only in the kernel's address share them. */
struct pk_kernel {
	struct pk_kernel *next;
	struct pk_build_id build_id;
	const struct pk_symbols_options *where;
	struct pk_kallsyms kallsyms;
	enum pk_object_state state;
	char *source;
	int fd; /* the text is a copy from the cache: of /proc/kallsyms, unread; -1: it is complete
		 */
};

/* The part of an object for lib/dwarf, which extends this struct. */
struct pk_object_debug {
	void (*free)(struct pk_object_debug *debug);
	uint64_t (*names_cut)(const struct pk_object_debug *debug);
};

/* A virtual machine. */
struct pk_guest_files {
	uint32_t pid;			 /* 0: all without an entry */
	struct pk_symbols_options where; /* those of the store, for the guest's files */
	char *modules;			 /* path of the list; "": none */
	char *root, *kallsyms;		 /* NULL: pid 0 */
	/* modules.dep of the running kernel, below folder. NULL if it was not yet read, or there is
	 * none. */
	char *folder, *files;
	bool looked;
};

struct pk_object {
	struct pk_symbols *store;
	enum pk_object_kind kind;
	enum pk_object_state state;

	/* the key of the object in pk_symbols.objects */
	char *path;
	struct pk_build_id build_id;
	uint64_t view; /* files without build-id: the inode of the process's mount namespace, 0:
			* ours, unknown, or with symfs; kernel: the reference's address in the
			* recording; jitdumps: the pid */

	uint32_t major, minor; /* files without build-id: the device and inode of the recorded
				* file; 0: unknown */
	uint64_t inode;

	const struct pk_symbols_options *where; /* of the store, or of a guest */
	pid_t pid;
	unsigned retries;
	char reference[16];

	char *source; /* path of the file with the symbols; NULL: none */
	struct pk_symtable table;
	struct pk_elf_segment *loads;
	size_t load_count;
	struct pk_kernel *kernel;
	uint64_t shift; /* kernel: address in kallsyms minus address in the stream */

	struct pk_object_debug *debug; /* NULL: not yet used by lib/dwarf */

	struct pk_jitdump *dump;

	/* perf map: size (bytes) and mtime (ns) of the file that was read. next_look, also for
	 * jitdumps: time of the next allowed read (CLOCK_MONOTONIC, ms) */
	uint64_t file_size, file_time;
	uint64_t next_look;
};

struct pk_jitdump;
struct pk_jit_unwinding;

struct pk_symbols {
	struct pk_symbols_options options; /* with defaults instead of NULL */
	struct pk_guest_files *guests;	   /* by pid */
	size_t guest_count, guest_capacity;
	struct pk_failures failures;
	struct pk_table objects; /* struct pk_object by path, build-id and view */
	struct pk_table builds;	 /* one of these objects for each build-id */
	struct pk_kernel *kernels;
	uint64_t perf_map_bytes; /* memory of all perf maps */
	uint64_t perf_maps_left_out;
	uint64_t not_trusted; /* number of perf maps and jitdumps that were not used because of
			       * their owner */
	char *distrust;	      /* the first of them and the reason; or NULL */
	struct pk_kallsyms_cache kallsyms_cache;
	struct pk_source sources[PK_SOURCES_MAX]; /* result of the last pk_object_sources() */
};

/* Finds the guests of the options, which the store has already. */
PK_MUST_CHECK enum pk_status pk_guests_find(struct pk_symbols *s);
void pk_guests_free(struct pk_symbols *s);
/* The guest of the pid, or the default. */
struct pk_guest_files *pk_guests_of(struct pk_symbols *s, uint32_t pid);
/* The path of a module's file below the guest's root. The caller frees it. Returns NULL if it is
 * unknown. */
char *pk_guests_find_file(struct pk_symbols *s, struct pk_guest_files *guest, const char *name);

/* The parameters for pk_search_...() of an object. */
struct pk_search pk_object_search(const struct pk_object *o);

bool pk_object_jit_line(const struct pk_object *o, uint64_t address, struct pk_source *source);
/* The bytes of the unwinding information of the code at an offset in a jitdump. The caller frees
 * them. Returns NULL if there is none, or it cannot be read. */
uint8_t *pk_object_jit_unwinding(struct pk_object *o, uint64_t address,
				 struct pk_jit_unwinding *unwinding);
void pk_object_free_jitdump(struct pk_object *o);

/* Process pid has mapped the same file. If the file (or its build) was not found with the previous
 * process, the next lookup searches it again, at most 8 times. */
void pk_object_retry(struct pk_object *o, pid_t pid);

#endif
