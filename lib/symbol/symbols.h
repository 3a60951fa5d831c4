/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Finds the names of addresses. A store (struct pk_symbols) returns objects. An object is a file,
 * the kernel, or the perf map or jitdump of a process. The symbols of an object are found and read
 * by the first lookup, or by the first function that returns its state. Objects belong to the store
 * and are valid as long as the store. Results are valid as long as the store, too, unless the
 * comment of a function says something else. Nothing is thread-safe.
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
 * Names, starts and ends of symbols are as in perf. Paths can be from a stream that is not trusted.
 * So only regular files are opened, and files are written only in own_cache.
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
struct pk_debuginfod;	/* see debuginfod.h */
struct pk_debug_reader; /* see object_debug.h */

/* Where the files of a store are searched, and what is read. */
struct pk_symbols_options {
	const char *symfs; /* prefix of every path, as in perf; NULL or "" for no prefix */
	/* A file in the format of /proc/kallsyms. If it is NULL, the running kernel uses
	 * /proc/kallsyms, and other kernels use perf's build-id cache. If the build-id of a kernel
	 * is unknown, it is the kernel of `vmlinux`. Without `vmlinux`, it is the running kernel.
	 */
	const char *kallsyms;
	const char *vmlinux; /* ELF file of the kernel. If it is NULL, a file with the build-id of
			      * the kernel is searched. */
	/* Files about the kernels of virtual machines. NULL or "" if there are none. guest_modules
	 * is a copy of the guest's /proc/modules. guest_symfs is a folder. Its subfolder PID is the
	 * root of the guest that the process PID runs. The other three options are for guests
	 * without such a subfolder. */
	const char *guest_kallsyms, *guest_vmlinux, *guest_modules, *guest_symfs;
	const char *debug_dir; /* searched before /usr/lib/debug; may be NULL */
	/* perf's build-id cache; NULL means $PERF_BUILDID_DIR, or ~/.debug. */
	const char *cache_dir;
	/* pk's cache of symbols; NULL means $XDG_CACHE_HOME/pk, or ~/.cache/pk */
	const char *own_cache;
	bool no_cache; /* do not read or write own_cache */
	/* Requests missing files from servers. If it is NULL, there are no requests. It must stay
	 * valid until the store is freed. Several stores can share it. */
	struct pk_debuginfod *debuginfod;
	/* Reads debugging information; NULL means pk's reader. */
	const struct pk_debug_reader *reader;
	/* Called with the path and the result of every ELF file that was tried, and with the
	 * results and the progress of requests to servers. It may be NULL. */
	void (*tried)(void *arg, const char *path, const char *result);
	void *arg;
	bool no_demangle;
	bool all_names; /* For ELF files: keep several symbols with the same start. It is for
			 * pk_object_symbol(). If it is set, addresses must not be looked up. */
	bool no_lines;	/* pk_object_sources() returns only functions, not lines, which is faster */
	bool declarations; /* pk_object_sources() also finds where functions are declared */
	bool no_inlines;   /* a hint for callers of the store: inlined functions are not needed */
	bool no_files;	   /* a hint for callers of the store: the names in the stream suffice */
};

enum {
	PK_SYMBOL_WEAK = 1 << 0,
	PK_SYMBOL_LABEL = 1 << 1, /* a symbol without a type, such as an assembler label */
	PK_SYMBOL_IFUNC = 1 << 2,
	PK_SYMBOL_DATA = 1 << 4, /* a symbol that is not in a section of code */
	PK_SYMBOL_PLT = 1 << 3,	 /* NAME@plt, made for an entry of the procedure linkage table */
};

/* A symbol that was looked up. */
struct pk_symbol {
	const char *name;   /* demangled; valid until the next call for the same store */
	const char *module; /* name of the kernel module, without brackets; NULL for a symbol of the
			     * kernel itself or of a file */
	uint64_t start, end; /* `start` and `end` are the same kind of address as the lookup got.
			      * The looked up address is in [start, end). */
	unsigned flags;
};

/* A live process of this machine that has mapped a file. If the file was deleted or replaced since,
 * it is found through the process. */
struct pk_mapped {
	pid_t pid;	       /* 0 if there is no live process */
	uint32_t major, minor; /* device of the file */
	uint64_t inode;	       /* inode of the file; inode and device are 0 if they are unknown */
};

/* Whether the symbols of an object were read, or why not. */
enum pk_object_state {
	PK_OBJECT_UNREAD,      /* there was no lookup yet */
	PK_OBJECT_READY,       /* symbols were read */
	PK_OBJECT_NO_FILE,     /* there is no such file in any of the searched places */
	PK_OBJECT_DENIED,      /* this user has no permission to read the file */
	PK_OBJECT_NOT_TRUSTED, /* the file is a perf map or jitdump of another user */
	PK_OBJECT_UNUSABLE,    /* the file is not a regular file, not ELF, or damaged */
	PK_OBJECT_OTHER_BUILD, /* the file is ignored, because its build-id differs */
	PK_OBJECT_STRIPPED,    /* the file has no symbols, and no file with its symbols was found */
	PK_OBJECT_GONE, /* the file was deleted or replaced, and no live process has mapped it */
	PK_OBJECT_NOT_A_FILE, /* anonymous memory, "[heap]" and so on */
	PK_OBJECT_HIDDEN,     /* the addresses in kallsyms are all 0 (kptr_restrict) */
	PK_OBJECT_NO_MEMORY,
	PK_OBJECT_FAILED, /* a read has failed, see pk_symbols_failures() */
};

/* Creates a store, and copies the options. Returns NULL if memory is exhausted. */
struct pk_symbols *pk_symbols_new(const struct pk_symbols_options *options);
void pk_symbols_free(struct pk_symbols *s);

/* Saves the symbols of all objects in own_cache, so that the next program does not read and sort
 * them again. Call it after the last lookup. A failure is noted in struct pk_symbols_limits. */
void pk_symbols_save(struct pk_symbols *s);

/* Counts of what was skipped so far, because of limits on memory and time, or because owners are
 * not trusted. */
struct pk_symbols_limits {
	uint64_t names_cut;	     /* number of names and paths that were cut */
	uint64_t perf_maps_left_out; /* maps that did not fit into the memory limit for all maps */
	uint64_t not_trusted;	     /* perf maps and jitdumps whose owner is not trusted */
	const char *distrust; /* a sentence about the first file that `not_trusted` counts; the text
			       * belongs to the store */
	int not_saved;	      /* errno of the first write to own_cache that failed, or 0 */
	const char *own_cache;
};
void pk_symbols_limits(const struct pk_symbols *s, struct pk_symbols_limits *limits);

/* Returns the counter of the failures of all lookups in the store so far. After a failure, an
 * answer can be missing or wrong. Callers can also count their own failures there. */
struct pk_failures *pk_symbols_failures(struct pk_symbols *s);
/* Returns the folder of perf's build-id cache, or "" if there is none. */
const char *pk_symbols_cache_dir(const struct pk_symbols *s);
struct pk_failures *pk_object_failures(struct pk_object *o);

/* Returns the object of a mapped file, or NULL if memory is exhausted. Equal arguments yield the
 * same object. If the file of a build was found, another path of this build also yields its object.
 * build_id is NULL or has size 0 if it is unknown. `by` is NULL if there is no live process.
 *
 * Without symfs, the path is also searched in the root of the process, and then the mapped file
 * itself is tried. If the build-id is unknown, these two places are searched first.
 *
 * "[vdso]", "[vdso32]", "[vdsox32]" and "[vdso64]" have the symbols of the vDSO. Other names that
 * are not paths, such as "[heap]", have no symbols. */
struct pk_object *pk_symbols_file(struct pk_symbols *s, const char *path,
				  const struct pk_build_id *build_id, const struct pk_mapped *by);

/* Returns the object of a kernel and its modules. Its addresses are absolute. `reference` is the
 * symbol after the ']' in the name of the stream's kernel map ("_text", "_stext"). `address` is the
 * pgoff of this map, which is the address of the symbol at the time of the recording. If
 * `reference` is NULL or `address` is 0, addresses are used unchanged. */
struct pk_object *pk_symbols_kernel(struct pk_symbols *s, const struct pk_build_id *build_id,
				    const char *reference, uint64_t address);

/* Returns the object for the file of a module. `path` is the path of the file, or "[NAME]".
 * Addresses are relative to the start of the module's code, as the kernel loads it. The symbols of
 * loaded modules are in the object of pk_symbols_kernel(). The file of a module is used for its
 * debugging information, and for symbols if there is no list of the kernel's symbols. */
struct pk_object *pk_symbols_module(struct pk_symbols *s, const char *path,
				    const struct pk_build_id *build_id);

/* ---- Virtual machines ---- */

/* Sets *pid to the process that runs guest number i. A pid of 0, which comes first, means all
 * guests that have no entry of their own. Returns false if there are no more guests. If the result
 * for i = 0 is false, no option names symbols of guests. */
bool pk_symbols_guest(const struct pk_symbols *s, size_t i, uint32_t *pid);
/* Calls add() for each module in the list of the guest, until add() returns false. Does nothing if
 * there is no list. `name` is given in brackets, as "[nf_nat]". If an option names a list that
 * cannot be read, a failure is counted. */
void pk_symbols_guest_modules(struct pk_symbols *s, uint32_t pid,
			      bool (*add)(void *arg, const char *name, uint64_t start,
					  uint64_t size),
			      void *arg);
/* Do the same as pk_symbols_kernel() and pk_symbols_module() for the guest that the process `pid`
 * runs. There must be a guest. They return NULL if memory is exhausted, or if the file of a module
 * is not known. */
struct pk_object *pk_symbols_guest_kernel(struct pk_symbols *s, uint32_t pid, const char *reference,
					  uint64_t address);
struct pk_object *pk_symbols_guest_module(struct pk_symbols *s, uint32_t pid, const char *name);

/*
 * Returns the object of the perf map /tmp/perf-PID.map of this process. Its addresses are absolute.
 * If a lookup finds nothing and the file has changed, the file is read again, but not too often.
 * The file must belong to root or to this user. While the process is alive, it may also belong to
 * the user of the process. If symfs is set, any owner is accepted.
 */
struct pk_object *pk_symbols_perf_map(struct pk_symbols *s, pid_t pid);
/* Returns true if the process of a perf map runs, and has not finished writing the map yet. */
bool pk_object_is_awaited(struct pk_object *o);
/* Says that the process of a perf map has ended. The next lookup that finds nothing reads the file
 * again at once. */
void pk_object_is_final(struct pk_object *o);

/*
 * Returns the object of a jitdump, which is the file that a process has mapped under this path. If
 * symfs is set, only symfs is searched. Otherwise the root of the process is searched if the
 * process is alive, and then the root of this program. Lookups use offsets of code in the file. The
 * owner must be trusted as for a perf map. If the file has grown, pk_object_codes() reads it again,
 * but not too often.
 */
struct pk_object *pk_symbols_jitdump(struct pk_symbols *s, const char *path, pid_t pid);

/* Code that was loaded at an address, or moved to it. Its bytes are at `offset` of the jitdump. */
struct pk_code {
	uint64_t time; /* from CLOCK_MONOTONIC in ns, or 0 if the jitdump has another clock */
	uint64_t start, size, offset;
	bool moved;
};

/* Reads new records of a jitdump, and returns all its codes so far, in the order of the file.
 * *codes is valid until the next call for the same store. */
size_t pk_object_codes(struct pk_object *o, const struct pk_code **codes);

/* Finds the symbol at an address. For files, the address is the offset in the file. Returns false
 * if there is none. pk_object_state() says whether the object has no symbols at all. */
bool pk_object_lookup(struct pk_object *o, uint64_t address, struct pk_symbol *symbol);
/* Does the same as pk_object_lookup(). *same is set to the range around the address that has the
 * same result now and later. For a perf map or a jitdump, results can change later, so the range is
 * only the address itself. If the file was not found, results can change later, too. */
bool pk_object_lookup_range(struct pk_object *o, uint64_t address, struct pk_symbol *symbol,
			    struct pk_range *same);

/* Returns whether at least one symbol overlaps [start, end). */
bool pk_object_covers(struct pk_object *o, uint64_t start, uint64_t end);

/* Returns the symbols one by one. The index is 0, 1 and so on, until the result is false. If other
 * symbols divide a symbol into several ranges, the symbol is returned once for each range. */
bool pk_object_symbol(struct pk_object *o, size_t index, struct pk_symbol *symbol);

/* Finds the build-id of the file that pk_symbols_file() would read if the build-id is unknown.
 * Returns false if the file has no build-id, or does not exist. */
bool pk_symbols_build_id(struct pk_symbols *s, const char *path, const struct pk_mapped *by,
			 struct pk_build_id *id);
/* Finds the build-id of the running system's "[kernel.kallsyms]", of a module ("[ext4]",
 * ".../ext4.ko") or of "[vdso]". Returns false if there is none. */
bool pk_running_build_id(struct pk_symbols *s, const char *path, struct pk_build_id *id);

/* The files that pk_symbols_file() would read. Servers are not asked. */
struct pk_files {
	char *file;  /* path of the mapped file, or NULL if it was not found; "[vdso]" is in the
		      * memory of every process */
	char *debug; /* a different file with symbols or debugging information, or NULL */
	struct pk_build_id build_id; /* build-id of `file` */
};

/* Returns PK_OBJECT_READY, or the reason why it failed. The caller must always release *files. */
enum pk_object_state pk_symbols_files(struct pk_symbols *s, const char *path,
				      const struct pk_build_id *build_id,
				      const struct pk_mapped *by, struct pk_files *files);
void pk_files_release(struct pk_files *files);
/* Opens the list that pk_symbols_kernel() would read. Returns PK_OBJECT_READY, or the reason why it
 * failed. */
enum pk_object_state pk_symbols_kallsyms(struct pk_symbols *s, const struct pk_build_id *build_id,
					 int *fd);
/* Returns the vDSO of this process, or NULL if there is none or if it cannot be read. */
const void *pk_symbols_own_vdso(struct pk_symbols *s, size_t *size);

/* A function at an address, from the debugging information, with the source line. */
struct pk_source {
	const char *function; /* demangled name; NULL if it is unknown: the name of the symbol can
			       * be used instead */
	const char *file; /* The path that the compiler was given. A relative path is made absolute
			   * with the compiler's working directory. NULL if it is unknown. */
	uint32_t line, column; /* 0 if they are unknown */
	/* Distinguishes several blocks of code, or several calls, of one line. pk_debug_reader does
	 * not set it. */
	uint32_t discriminator;
	uint32_t declared; /* The line where the function is declared. 0 if it is unknown, or if
			    * pk_symbols_options.declarations is not set. */
	uint64_t start; /* start of the function, as an address of the lookup; 0 if it is unknown */
	bool inlined;	/* inlined into the function of the next pk_source */
};

#define PK_SOURCES_MAX 64 /* the most functions at one address, with inlined ones */

/* pk_object_state(), pk_object_reason() and pk_object_source() read the object if it was not read
 * yet. */
enum pk_object_state pk_object_state(struct pk_object *o);
const char *pk_state_text(enum pk_object_state state);
/* Returns a text for the state of the object, as in "PATH: REASON". */
const char *pk_object_reason(struct pk_object *o);
/* Returns the path of the file with the symbols, or "" if there is none. */
const char *pk_object_source(struct pk_object *o);

/* Returns the path that was passed to pk_symbols_file() or pk_symbols_jitdump(),
 * "[kernel.kallsyms]", or the path of the perf map. */
const char *pk_object_path(const struct pk_object *o);

/* Converts an offset in the file to the address that the file itself uses, for example in its
 * debugging information or in the output of nm. It uses the program headers, which a file without
 * symbols also has. Returns false if the offset is in no segment, or if there is no file. */
bool pk_object_elf_address(struct pk_object *o, uint64_t offset, uint64_t *address);
/* Sets *address to the start of the first segment with code, as the file itself uses it. Returns
 * false if there is no such segment, or if there is no file. */
bool pk_object_code_start(struct pk_object *o, uint64_t *address);

#endif
