/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Names of addresses. A store (struct pk_symbols) returns objects: a file, the kernel, a process's
 * perf map or jitdump. The first lookup in an object, or question about its state, finds and reads
 * its symbols. Objects belong to the store and live as long as it does; so do results, unless their
 * comment says otherwise. Nothing is thread-safe.
 *
 *     struct pk_symbols *s = pk_symbols_new(&(struct pk_symbols_options){ .symfs = dir });
 *     struct pk_object *o = pk_symbols_file(s, map_path, &build_id, pid);
 *     struct pk_symbol sym;
 *
 *     if (pk_object_lookup(o, ip - map_start + map_pgoff, &sym))
 *             printf("%s+0x%llx", sym.name, address - sym.start);
 *     else if (pk_object_state(o) != PK_OBJECT_READY)
 *             report pk_object_reason(o), once
 *
 * Names and extents of symbols are as in perf. Paths can come from an untrusted stream: only
 * regular files are opened, and only own_cache is written.
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
struct pk_debuginfod;	/* debuginfod.h */
struct pk_debug_reader; /* object_debug.h */

struct pk_symbols_options {
	const char *symfs;    /* prefix of every path, as in perf; NULL or "": none */
	const char *kallsyms; /* NULL: /proc/kallsyms for the running kernel, for others perf's
			       * build-id cache. A kernel whose build-id is unknown is that of
			       * vmlinux; without vmlinux, the running one */
	const char *vmlinux;  /* the kernel's ELF file; NULL: one of its build-id, if found */
	/* Of a virtual machine's kernel: NULL or "": none. guest_modules is a copy of its
	 * /proc/modules. guest_symfs: the folder PID there has the root of the guest that the
	 * process PID runs. The other three are for guests without such a folder. */
	const char *guest_kallsyms, *guest_vmlinux, *guest_modules, *guest_symfs;
	const char *debug_dir; /* searched before /usr/lib/debug; NULL: only that */
	const char *cache_dir; /* perf's build-id cache; NULL: $PERF_BUILDID_DIR, or ~/.debug */
	const char *own_cache; /* pk's cache; NULL: $XDG_CACHE_HOME/pk, or ~/.cache/pk */
	bool no_cache;	       /* own_cache is neither read nor written */
	/* Requests missing files from servers. NULL disables requests. It is borrowed until the
	 * store is freed. Several stores can share it. */
	struct pk_debuginfod *debuginfod;
	const struct pk_debug_reader *reader; /* of debugging information; NULL: ours */
	/* Called with the path and the result of every ELF file that was searched, and with the
	 * results and the progress of requests to servers. May be NULL. */
	void (*tried)(void *arg, const char *path, const char *result);
	void *arg;
	bool no_demangle;
	bool all_names;	 /* of ELF files: keep several symbols with the same start, for
			  * pk_object_symbol(); addresses are not looked up */
	bool no_lines;	 /* pk_object_sources() returns only functions, which is faster */
	bool no_inlines; /* inlined functions are not needed: a hint for the callers */
	bool no_files;	 /* names of the stream are enough: another hint */
};

enum {
	PK_SYMBOL_WEAK = 1 << 0,
	PK_SYMBOL_LABEL = 1 << 1, /* without a type: an assembler label */
	PK_SYMBOL_IFUNC = 1 << 2,
	PK_SYMBOL_DATA = 1 << 4, /* not in a section of code */
	PK_SYMBOL_PLT = 1 << 3,	 /* generated for an entry of the procedure linkage table:
				  * name@plt */
};

struct pk_symbol {
	const char *name;   /* demangled; borrowed until the next call for the same store */
	const char *module; /* kernel only: without its brackets; NULL: the kernel itself */
	uint64_t start,
		end; /* in the address space of the lookup; the address is in [start, end) */
	unsigned flags;
};

/* A live process of this machine that has mapped a file. The file can have been deleted or replaced
 * since: then it is found through the process. */
struct pk_mapped {
	pid_t pid;	       /* 0: no live process */
	uint32_t major, minor; /* of the device of the file */
	uint64_t inode;	       /* of the file; these three are 0 if unknown */
};

enum pk_object_state {
	PK_OBJECT_UNREAD,      /* no lookup yet */
	PK_OBJECT_READY,       /* symbols were read */
	PK_OBJECT_NO_FILE,     /* no such file in any of the searched places */
	PK_OBJECT_DENIED,      /* no permission to read it */
	PK_OBJECT_NOT_TRUSTED, /* a perf map or jitdump of another user */
	PK_OBJECT_UNUSABLE,    /* not a regular file, not ELF, or damaged */
	PK_OBJECT_OTHER_BUILD, /* its build-id differs: not used */
	PK_OBJECT_STRIPPED,    /* no symbols, and no debug file found */
	PK_OBJECT_GONE,	       /* deleted or replaced, and no live process has it */
	PK_OBJECT_NOT_A_FILE,  /* anonymous memory, [heap] ... */
	PK_OBJECT_HIDDEN,      /* kallsyms shows only zeros (kptr_restrict) */
	PK_OBJECT_NO_MEMORY,
	PK_OBJECT_FAILED, /* it could not be read: see pk_symbols_failures() */
};

/* Copies the options. NULL: out of memory. */
struct pk_symbols *pk_symbols_new(const struct pk_symbols_options *options);
void pk_symbols_free(struct pk_symbols *s);

/* What was skipped so far, because of limits on memory and work or because of untrusted owners. */
struct pk_symbols_limits {
	uint64_t names_cut;	     /* names and paths that were cut */
	uint64_t perf_maps_left_out; /* maps that did not fit into the memory for all maps */
	uint64_t not_trusted;	     /* perf maps and jitdumps with an untrusted owner */
	const char *distrust;	     /* a sentence about the first of them; owned by the store */
};
void pk_symbols_limits(const struct pk_symbols *s, struct pk_symbols_limits *limits);

/* The failures of all lookups in the store so far. After a failure, an answer can be missing or
 * wrong. Callers can count failures of their own in it, too. */
struct pk_failures *pk_symbols_failures(struct pk_symbols *s);
/* The folder of perf's build-id cache, or "" if there is none. */
const char *pk_symbols_cache_dir(const struct pk_symbols *s);
struct pk_failures *pk_object_failures(struct pk_object *o);

/* The object of a mapped file. It is the same one for equal arguments, and for another path of a
 * build that was found. The build-id is NULL or of size 0 if it is unknown. Without symfs, the path
 * is also searched in the root of the process that has mapped it, and then the mapped file itself
 * is tried. This comes first if the build-id is unknown. `by` is NULL without a live process.
 * "[vdso]", "[vdso32]", "[vdsox32]" and "[vdso64]" have the symbols of the vDSO. Other names that
 * are not paths, such as "[heap]", have no symbols. NULL: out of memory. */
struct pk_object *pk_symbols_file(struct pk_symbols *s, const char *path,
				  const struct pk_build_id *build_id, const struct pk_mapped *by);

/* A kernel and its modules, for absolute addresses. reference is the symbol after the ']' in the
 * name of the stream's kernel map ("_text", "_stext"). address is that map's pgoff: the symbol's
 * address at recording time. If reference is NULL or address is 0, addresses are used unchanged. */
struct pk_object *pk_symbols_kernel(struct pk_symbols *s, const struct pk_build_id *build_id,
				    const char *reference, uint64_t address);

/* The file of a module. path is that of the file, or "[NAME]". Addresses are counted from the start
 * of the module's code in memory, as the kernel loads it. pk_symbols_kernel() has the symbols of
 * the loaded modules. The file has debugging information, and symbols if there is no list of the
 * kernel's. */
struct pk_object *pk_symbols_module(struct pk_symbols *s, const char *path,
				    const struct pk_build_id *build_id);

/* ---- Virtual machines ---- */

/* The pid of guest number i: the process that runs it. A pid of 0, which comes first, means all
 * guests without an entry of their own. Returns false if there are no more guests. For i = 0, that
 * means that no options name symbols of guests. */
bool pk_symbols_guest(const struct pk_symbols *s, size_t i, uint32_t *pid);
/* Calls add() for each module in the guest's list, if there is one, until it returns false. name is
 * as "[nf_nat]". A list that an option names but that cannot be read is a failure. */
void pk_symbols_guest_modules(struct pk_symbols *s, uint32_t pid,
			      bool (*add)(void *arg, const char *name, uint64_t start,
					  uint64_t size),
			      void *arg);
/* pk_symbols_kernel() and pk_symbols_module() for the guest that the process pid runs. There must
 * be a guest. Returns NULL if memory is exhausted, or if the file of a module is not known. */
struct pk_object *pk_symbols_guest_kernel(struct pk_symbols *s, uint32_t pid, const char *reference,
					  uint64_t address);
struct pk_object *pk_symbols_guest_module(struct pk_symbols *s, uint32_t pid, const char *name);

/*
 * /tmp/perf-PID.map of that process, for absolute addresses. If a lookup finds nothing and the file
 * has changed, it is read again, at limited intervals. The file must belong to root, to this user
 * or, while the process is alive, to the process's user; below symfs the owner does not matter.
 */
struct pk_object *pk_symbols_perf_map(struct pk_symbols *s, pid_t pid);

/*
 * A jitdump: the file that a process has mapped under that path. With symfs, only symfs is
 * searched. Otherwise the root of the process, if it is alive, and then this program's own are
 * searched. Lookups use offsets of code in the file. The owner must be as for a perf map. After the
 * file has grown, pk_object_codes() reads it again, at limited intervals.
 */
struct pk_object *pk_symbols_jitdump(struct pk_symbols *s, const char *path, pid_t pid);

/* Code that was loaded at, or moved to, an address. Its bytes are at an offset of the jitdump. */
struct pk_code {
	uint64_t time; /* of CLOCK_MONOTONIC; 0 if the jitdump has another clock */
	uint64_t start, size, offset;
	bool moved;
};

/* All codes of a jitdump so far, in its order, after reading its new records. *codes is valid until
 * the next call for the same store. */
size_t pk_object_codes(struct pk_object *o, const struct pk_code **codes);

/* The symbol at address, which is the offset in the file for files. Returns false if there is none.
 * pk_object_state() tells whether the object has no symbols at all. */
bool pk_object_lookup(struct pk_object *o, uint64_t address, struct pk_symbol *symbol);
/* The same. *same is the range around the address that has the same result, now and later. Later
 * results can differ if the file was not found, and for a perf map or a jitdump. For these, the
 * range is the address itself. */
bool pk_object_lookup_range(struct pk_object *o, uint64_t address, struct pk_symbol *symbol,
			    struct pk_range *same);

/* Whether a symbol covers a part of [start, end). */
bool pk_object_covers(struct pk_object *o, uint64_t start, uint64_t end);

/* The symbols one by one, index 0, 1 ... until it returns false. A symbol that other symbols
 * interrupt is returned once for each of its parts. */
bool pk_object_symbol(struct pk_object *o, size_t index, struct pk_symbol *symbol);

/* The build-id of the file that pk_symbols_file() would read for an unknown build-id. Returns false
 * if the file has none, or does not exist. */
bool pk_symbols_build_id(struct pk_symbols *s, const char *path, const struct pk_mapped *by,
			 struct pk_build_id *id);
/* The running system's build-id of "[kernel.kallsyms]", of a module ("[ext4]", ".../ext4.ko") or of
 * "[vdso]". Returns false if there is none. */
bool pk_running_build_id(struct pk_symbols *s, const char *path, struct pk_build_id *id);

/* The files that pk_symbols_file() would read without requests to servers. */
struct pk_files {
	char *file;  /* its path; "[vdso]": in the memory of every process; NULL: not found */
	char *debug; /* a different file with symbols or debugging information; or NULL */
	struct pk_build_id build_id; /* of the file */
};

/* Returns READY, or the reason for failure. The caller must release *files in any case. */
enum pk_object_state pk_symbols_files(struct pk_symbols *s, const char *path,
				      const struct pk_build_id *build_id,
				      const struct pk_mapped *by, struct pk_files *files);
void pk_files_release(struct pk_files *files);
/* Opens the list that pk_symbols_kernel() would read. Returns READY, or the reason for failure. */
enum pk_object_state pk_symbols_kallsyms(struct pk_symbols *s, const struct pk_build_id *build_id,
					 int *fd);
/* This process's vDSO, or NULL if there is none or it cannot be read. */
const void *pk_symbols_own_vdso(struct pk_symbols *s, size_t *size);

/* A function at an address according to the debugging information, and the source line. */
struct pk_source {
	const char *function;  /* demangled; NULL: unknown, use the symbol's name */
	const char *file;      /* the path given to the compiler, below its working directory; NULL:
				* unknown */
	uint32_t line, column; /* 0: unknown */
	uint64_t start;	       /* of the function, in the address space of the lookup; 0: unknown */
	bool inlined;	       /* into the function of the next pk_source */
};

#define PK_SOURCES_MAX 64 /* limit for one address */

/* pk_object_state(), pk_object_reason() and pk_object_source() read the object if needed. */
enum pk_object_state pk_object_state(struct pk_object *o);
const char *pk_state_text(enum pk_object_state state);
/* The text for the state, for "PATH: REASON". */
const char *pk_object_reason(struct pk_object *o);
/* The path of the file with the symbols, or "" if there is none. */
const char *pk_object_source(struct pk_object *o);

/* The path given to pk_symbols_file() or pk_symbols_jitdump(), "[kernel.kallsyms]", or the perf
 * map's path. */
const char *pk_object_path(const struct pk_object *o);

/* The address that the file itself (its debugging information, nm) uses for the byte at offset, by
 * the program headers. Returns false if it is in no segment, or the object has no symbols or no
 * file. */
bool pk_object_elf_address(struct pk_object *o, uint64_t offset, uint64_t *address);

#endif
