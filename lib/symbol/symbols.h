/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Names for addresses. A store (struct pk_symbols) hands out objects: a file, the kernel, a
 * process's perf map. An object costs nothing until its first lookup, which finds and reads its
 * symbols. All of it belongs to the store and lives as long; nothing here is thread-safe.
 *
 *     struct pk_symbols *s = pk_symbols_new(&(struct pk_symbols_options){ .symfs = dir });
 *     struct pk_object *o = pk_symbols_file(s, map_path, &build_id, pid);
 *     struct pk_symbol sym;
 *
 *     if (pk_object_lookup(o, ip - map_start + map_pgoff, &sym))
 *             printf("%s+0x%llx", sym.name, address - sym.start);
 *     else if (pk_object_state(o) != PK_OBJECT_READY)
 *             say pk_object_reason(o), once
 *
 * The names and extents of symbols are those perf shows. Paths may come from a hostile stream:
 * nothing but regular files is opened, and nothing is written but in own_cache.
 */
#ifndef PK_SYMBOLS_H
#define PK_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "build_id.h"
#include "failures.h"
#include "range.h"

struct pk_symbols;
struct pk_object;

struct pk_symbols_options {
	const char *symfs;     /* put before every path, as perf does; NULL or "": none */
	const char *kallsyms;  /* NULL: /proc/kallsyms, and only for the kernel that runs */
	const char *vmlinux;   /* the kernel's ELF file; NULL: one of its build-id, if there is */
	const char *debug_dir; /* before /usr/lib/debug; NULL: that alone */
	const char *cache_dir; /* perf's build-id cache; NULL: $PERF_BUILDID_DIR, or ~/.debug */
	const char *own_cache; /* of ours; NULL: $XDG_CACHE_HOME/pk, or ~/.cache/pk */
	bool no_cache;	       /* neither read nor written */
	/* Ask the servers of DEBUGINFOD_URLS for what is not here, each file for so long; 0: do
	 * not. */
	unsigned debuginfod_seconds;
	/* Told of every file that was looked for, and what came of it. NULL: nobody. */
	void (*tried)(void *arg, const char *path, const char *result);
	void *arg;
	bool no_demangle;
	bool no_lines;	 /* pk_object_sources() tells of functions alone, which costs less */
	bool no_inlines; /* nobody asks for inlined functions: a hint to whoever asks us */
};

enum {
	PK_SYMBOL_WEAK = 1 << 0,
	PK_SYMBOL_LABEL = 1 << 1, /* of no type: an assembler label */
	PK_SYMBOL_IFUNC = 1 << 2,
	PK_SYMBOL_PLT = 1 << 3, /* made up for an entry of the procedure linkage table: name@plt */
};

struct pk_symbol {
	const char *name;   /* demangled; borrowed until the next call that gets the same store */
	const char *module; /* kernel only: without its brackets; NULL: the kernel proper */
	uint64_t start,
		end; /* in the address space of the lookup; the address is in [start, end) */
	unsigned flags;
};

enum pk_object_state {
	PK_OBJECT_UNREAD,      /* no lookup yet */
	PK_OBJECT_READY,       /* symbols are there */
	PK_OBJECT_NO_FILE,     /* no such file, here or in symfs */
	PK_OBJECT_DENIED,      /* it is there, and may not be read */
	PK_OBJECT_NOT_TRUSTED, /* a perf map or jitdump of a user who has no say in it */
	PK_OBJECT_UNUSABLE,    /* not a regular file, not ELF, or damaged */
	PK_OBJECT_OTHER_BUILD, /* it is there with another build-id: not used */
	PK_OBJECT_STRIPPED,    /* no symbols in it, and no debug file found */
	PK_OBJECT_NOT_A_FILE,  /* anonymous memory, a deleted file, [heap] ... */
	PK_OBJECT_HIDDEN,      /* kallsyms shows only zeros (kptr_restrict) */
	PK_OBJECT_NO_MEMORY,
	PK_OBJECT_FAILED, /* it is there, and could not be read: see pk_symbols_failures() */
};

/* Copies the options. NULL: out of memory. */
struct pk_symbols *pk_symbols_new(const struct pk_symbols_options *options);
void pk_symbols_free(struct pk_symbols *s);

/* What limits on memory and work have left out so far. */
struct pk_symbols_limits {
	uint64_t names_cut;	     /* names and paths that are shown in part */
	uint64_t perf_maps_left_out; /* maps that would need more memory than all may have */
	uint64_t not_trusted;	     /* perf maps and jitdumps whose owner may not name code */
	const char *distrust;	     /* a sentence about the first of them; the store's */
};
void pk_symbols_limits(const struct pk_symbols *s, struct pk_symbols_limits *limits);

/*
 * The failures of everything that was looked up in the store so far: where there are some, an
 * answer may be missing or another one than it should be. Who looks up on his own for the same
 * purpose may count his failures there, too.
 */
struct pk_failures *pk_symbols_failures(struct pk_symbols *s);
/* The folder of perf's build-id cache; "": there is none. */
const char *pk_symbols_cache_dir(const struct pk_symbols *s);
struct pk_failures *pk_object_failures(struct pk_object *o);

/*
 * The object of a map, the same one for equal arguments; NULL: out of memory. The build-id may be
 * NULL or of size 0: none known. pid > 0: if the path leads nowhere, the root of that process is
 * tried; 0: not live. "[vdso]" and its like are known.
 */
struct pk_object *pk_symbols_file(struct pk_symbols *s, const char *path,
				  const struct pk_build_id *build_id, pid_t pid);

/*
 * A kernel and its modules, for absolute addresses. reference is the symbol named behind the ']'
 * of the stream's kernel map ("_text", "_stext"), address that map's pgoff: where it was when the
 * stream was recorded. NULL or 0: addresses are taken as they stand.
 */
struct pk_object *pk_symbols_kernel(struct pk_symbols *s, const struct pk_build_id *build_id,
				    const char *reference, uint64_t address);

/*
 * /tmp/perf-PID.map of that process, for absolute addresses; read again when it has changed and a
 * lookup finds nothing. Root, this user and, while the process lives, its user may own the file;
 * below symfs everybody may.
 */
struct pk_object *pk_symbols_perf_map(struct pk_symbols *s, pid_t pid);

/*
 * A jitdump, for offsets of code in it: the file that a process has mapped under that path, from
 * its own view of files if it lives. Owners as above. It is read again when it has grown, but not
 * more often than is bearable.
 */
struct pk_object *pk_symbols_jitdump(struct pk_symbols *s, const char *path, pid_t pid);

/* Code that was loaded, or moved, to an address; its bytes are at an offset of the jitdump. */
struct pk_code {
	uint64_t time; /* of CLOCK_MONOTONIC; 0 where the jitdump has another clock */
	uint64_t start, size, offset;
	bool moved;
};

/* All that a jitdump tells of so far, in its order, after a look at what is new in it. *codes:
 * until the next call that gets the same store. */
size_t pk_object_codes(struct pk_object *o, const struct pk_code **codes);

/*
 * The symbol at address: for files, the offset in the file. False: none; pk_object_state() tells
 * whether that is because the object has no symbols at all.
 */
bool pk_object_lookup(struct pk_object *o, uint64_t address, struct pk_symbol *symbol);
/* Likewise; *same: the addresses around it that have the same answer, now and later. */
bool pk_object_lookup_range(struct pk_object *o, uint64_t address, struct pk_symbol *symbol,
			    struct pk_range *same);

/* The symbols one by one, index 0, 1 ... until it says false. Pieces of one that others lie in are
 * told one by one, too. */
bool pk_object_symbol(struct pk_object *o, size_t index, struct pk_symbol *symbol);

/* The build-id in the file of a map, as found for pk_symbols_file(), but without its symbols. */
bool pk_symbols_build_id(struct pk_symbols *s, const char *path, pid_t pid, struct pk_build_id *id);
/* That of "[kernel.kallsyms]", of a module ("[ext4]", ".../ext4.ko") or of "[vdso]", where that is
 * the running system's. */
bool pk_running_build_id(struct pk_symbols *s, const char *path, struct pk_build_id *id);

/* The files that pk_symbols_file() would read. */
struct pk_files {
	char *file;  /* "[vdso]": it is in the memory of every process; NULL: not found */
	char *debug; /* another one, with symbols or debugging information; or NULL */
	struct pk_build_id build_id; /* of the file */
};

/* READY, or why there is none. To be released. */
enum pk_object_state pk_symbols_files(struct pk_symbols *s, const char *path,
				      const struct pk_build_id *build_id, pid_t pid,
				      struct pk_files *files);
void pk_files_release(struct pk_files *files);
/* Opens the list that pk_symbols_kernel() would read; READY, or why there is none. */
enum pk_object_state pk_symbols_kallsyms(struct pk_symbols *s, const struct pk_build_id *build_id,
					 int *fd);
/* This process's vDSO; NULL: it has none, or a failure. */
const void *pk_symbols_own_vdso(struct pk_symbols *s, size_t *size);

/* A function at an address as the debugging information has it, and the place in its source. */
struct pk_source {
	const char *function;  /* demangled; NULL: unknown, the symbol's name has to do */
	const char *file;      /* as the compiler was given it, below its folder; NULL: unknown */
	uint32_t line, column; /* 0: unknown */
	uint64_t start;	       /* of the function, in the address space of the lookup; 0: unknown */
	bool inlined;	       /* into the next one */
};

#define PK_SOURCES_MAX 64 /* of one address */

/* These read the object if that has not been done. */
enum pk_object_state pk_object_state(struct pk_object *o);
const char *pk_state_text(enum pk_object_state state);
/* The state in words, for "PATH: REASON". */
const char *pk_object_reason(struct pk_object *o);
/* Where the symbols were found; "" if nowhere. */
const char *pk_object_source(struct pk_object *o);

/* As given to pk_symbols_file(); "[kernel.kallsyms]"; the perf map's path. */
const char *pk_object_path(const struct pk_object *o);

/*
 * The address that the file itself (its debug information, nm) has for the byte at offset, by
 * the program headers. False: in no segment, or no such file.
 */
bool pk_object_elf_address(struct pk_object *o, uint64_t offset, uint64_t *address);

#endif
