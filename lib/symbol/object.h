/* SPDX-License-Identifier: BSD-2-Clause */
/* The structs of a store and its objects. Only lib/symbol, lib/dwarf and lib/code use them. */
#ifndef PK_OBJECT_H
#define PK_OBJECT_H

#include "elf_image.h"
#include "kallsyms.h"
#include "search.h"
#include "symbol_cache.h"
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

/* The symbols of a kernel. Objects that differ only in the address of the kernel share these
 * symbols. */
struct pk_kernel {
	struct pk_kernel *next;
	struct pk_build_id build_id;
	const struct pk_symbols_options *where;
	struct pk_kallsyms kallsyms;
	enum pk_object_state state;
	char *source;
	struct pk_cache_key cache_key; /* empty if the symbols are not kept in the cache */
	int fd; /* If the text is a copy from the cache, this is /proc/kallsyms, which was not read
		 * yet. It is -1 if the text is complete. */
};

/* The data that lib/dwarf keeps for an object. lib/dwarf extends this struct. */
struct pk_object_debug {
	void (*free)(struct pk_object_debug *debug);
	uint64_t (*names_cut)(const struct pk_object_debug *debug);
};

/* The files of a virtual machine. */
struct pk_guest_files {
	uint32_t pid; /* 0 for all guests that have no entry */
	/* Options of the store, changed for the files of the guest. */
	struct pk_symbols_options where;
	char *modules;	       /* path of the list of modules, or "" if there is none */
	char *root, *kallsyms; /* `root` is the folder of the guest's files, `kallsyms` is the path
				* of its list of symbols. NULL for pid 0. */
	/* `files` is the content of modules.dep of the guest's kernel, whose paths are relative to
	 * `folder`. It is NULL if the file was not read yet, or if there is none. */
	char *folder, *files;
	bool looked;
};

/* An object: its key, its file and its symbols. */
struct pk_object {
	struct pk_symbols *store;
	enum pk_object_kind kind;
	enum pk_object_state state;

	/* The key of the object in pk_symbols.objects: */
	char *path;
	struct pk_build_id build_id;
	/* For a file without build-id: the inode of the process's mount namespace. It is 0 if this
	 * program is in the same namespace, if the namespace is unknown, or with symfs. For a
	 * kernel: the address of the reference symbol in the recording. For a jitdump: the pid. */
	uint64_t view;

	uint32_t major, minor; /* for files without build-id: device and inode of the recorded file,
				* or 0 if they are unknown */
	uint64_t inode;

	/* The options of the store, or the options of a guest for its objects. */
	const struct pk_symbols_options *where;
	pid_t pid;
	unsigned retries;
	char reference[16];

	char *source; /* path of the file with the symbols, or NULL if there is none */
	struct pk_symtable table;
	struct pk_cache_key cache_key; /* empty if the table is not kept in the cache */
	struct pk_elf_segment *loads;
	size_t load_count;
	struct pk_kernel *kernel;
	uint64_t shift; /* for a kernel: what is added to an address of the stream to get the
			 * address in kallsyms */

	struct pk_object_debug *debug; /* NULL until lib/dwarf uses the object */
	bool has_no_dwarf;	       /* pk_found.has_no_dwarf of the file */

	struct pk_jitdump *dump;

	/* For a perf map: size in bytes and mtime in ns of the file that was read. next_look is
	 * also used for jitdumps. It is the CLOCK_MONOTONIC time in ms when the next read is
	 * allowed. */
	uint64_t file_size, file_time;
	uint64_t next_look;
};

struct pk_jitdump;
struct pk_jit_unwinding;

/* A store of objects. */
struct pk_symbols {
	/* The options of the caller, with the defaults instead of NULL. */
	struct pk_symbols_options options;
	struct pk_guest_files *guests; /* sorted by pid */
	size_t guest_count, guest_capacity;
	struct pk_failures failures;
	struct pk_table objects; /* all struct pk_object, by path, build-id and view */
	struct pk_table builds;	 /* by build-id: one of the objects that have this build-id */
	struct pk_kernel *kernels;
	uint64_t perf_map_bytes; /* memory of all perf maps, in bytes */
	uint64_t perf_maps_left_out;
	uint64_t not_trusted; /* number of perf maps and jitdumps that were ignored because their
			       * owner is not trusted */
	char *distrust; /* text with the path of the first file that `not_trusted` counts, and the
			 * reason; NULL if none */
	struct pk_symbol_cache cache;
	/* The inode of this process's mount namespace, or 0 if it is not known. */
	uint64_t own_view;
	struct pk_source sources[PK_SOURCES_MAX]; /* the result of the last pk_object_sources() */
};

/* Finds the guests that the options of the store name. */
PK_MUST_CHECK enum pk_status pk_guests_find(struct pk_symbols *s);
void pk_guests_free(struct pk_symbols *s);
/* Returns the guest with this pid, or the default guest. */
struct pk_guest_files *pk_guests_of(struct pk_symbols *s, uint32_t pid);
/* Returns the path of a module's file below the guest's root. The caller frees it. Returns NULL if
 * the path is unknown. */
char *pk_guests_find_file(struct pk_symbols *s, struct pk_guest_files *guest, const char *name);

/* Returns the struct pk_search with which the pk_search_...() functions search the files of an
 * object. */
struct pk_search pk_object_search(const struct pk_object *o);

bool pk_object_jit_line(const struct pk_object *o, uint64_t address, struct pk_source *source);
/* Reads the unwinding information of the code at an offset in a jitdump. The caller frees the
 * bytes. Returns NULL if there is no information, or if it cannot be read. */
uint8_t *pk_object_jit_unwinding(struct pk_object *o, uint64_t address,
				 struct pk_jit_unwinding *unwinding);
void pk_object_free_jitdump(struct pk_object *o);

/* Says that process `pid` has mapped the file of the object, too. If the file was not found with
 * the previous process, or had another build, the next lookup searches for it again. This happens
 * at most 8 times. */
void pk_object_retry(struct pk_object *o, pid_t pid);

#endif
