/* SPDX-License-Identifier: BSD-2-Clause */
/* Searches files. Each place has its own function in search.c, or in search_running.c for places of
 * running processes. Both use search_running.c. */
#ifndef PK_SEARCH_H
#define PK_SEARCH_H

#include "elf_image.h"
#include "kallsyms.h"
#include "symbols.h"

struct pk_search {
	const struct pk_symbols_options *where; /* with defaults instead of NULL */
	const char *path;
	const struct pk_build_id *build_id;	  /* the required one; size 0: any */
	struct pk_mapped by;			  /* pid 0: no live process */
	struct pk_kallsyms_cache *cache;	  /* for the kallsyms of a kernel */
	bool (*wanted)(const struct pk_elf *elf); /* whether a file has the required content; NULL:
						   * symbols */
	struct pk_failures *failures;
};

struct pk_found {
	struct pk_elf *runtime; /* the mapped file; NULL: not found, see state */
	struct pk_elf *symbols; /* the file with the symbols: the same, or a file of debugging
				 * information */
	char *source;		/* path of the file with symbols; or "[vdso]" */
	enum pk_object_state state;
};

/* Finds the file of a map. */
void pk_search_file(const struct pk_search *s, struct pk_found *found);
/* Opens only the mapped file, not one with its symbols. Returns NULL if it was not found. */
struct pk_elf *pk_search_mapped(const struct pk_search *s);
/* Finds the vDSO. */
void pk_search_vdso(const struct pk_search *s, struct pk_found *found);

/* Finds the file with the debugging information of a mapped file, and its path. Returns NULL if
 * there is none. */
struct pk_elf *pk_search_debug_info(const struct pk_search *s, char **source);

/* Finds the kernel's ELF file: the one that the options name, else one with the required build-id.
 * A file of another build is not used. *source is its path. Returns NULL if there is none. */
struct pk_elf *pk_search_vmlinux(const struct pk_search *s, char **source);

/* Finds the file of a module of the kernel, with the wanted content if there is one. It is the file
 * of the path, which can be compressed (.ko.xz, .ko.zst), or its debugging information. The path
 * can also be "[ext4]". Then only the build-id finds the file. *source is its path. Returns NULL if
 * there is none, and sets *state. */
struct pk_elf *pk_search_module(const struct pk_search *s, char **source,
				enum pk_object_state *state);

/* Finds another file that belongs to the debugging information of the file `of`. path is its name
 * in that information. Returns NULL if it was not found. */
struct pk_elf *pk_search_part(const struct pk_search *s, const char *of, const char *path,
			      const struct pk_build_id *build_id);

void pk_found_release(struct pk_found *found);

/* Opens the kallsyms of a kernel. Returns PK_OBJECT_READY, or the reason why that failed. */
enum pk_object_state pk_search_kallsyms(const struct pk_search *s, int *fd, char **source);

/* A file that a process writes while it runs. */
struct pk_written {
	int fd;
	char *source;	/* its path, for free() */
	char *distrust; /* PK_OBJECT_NOT_TRUSTED: the unused file and the reason, for free() */
};

/*
 * Opens the perf map of s->pid, or the jitdump s->path. With symfs, it is searched only there, and
 * the owner does not matter. Else it is searched in the process's own mount namespace, if the
 * process is alive, and then in ours. It must belong to root, to this user or, if the process is
 * alive, to the process's user (trusted_file.h).
 */
enum pk_object_state pk_search_written(const struct pk_search *s, bool perf_map,
				       struct pk_written *written);

/* The length of the path without " (deleted)" at its end, the kernel's mark. */
size_t pk_plain_path(const char *path);
/* Whether a recorded path has "..". The kernel writes no such path: it could name a file outside of
 * symfs, or of the root of a process. The paths in debugging information can have it. */
bool pk_leaves_its_root(const char *path);
/* Whether this is a name of the vDSO. */
bool pk_is_vdso(const char *path);

/* A map of the file s->path in the process s->by.pid, by its inode if that is known. */
struct pk_mapped_file {
	uint64_t start, end; /* the map */
	uint32_t major, minor;
	uint64_t inode;
	bool at_path; /* the file is still at s->path, as the process sees it */
};

/* Returns false if the process has ended, cannot be read, or has no such map. */
bool pk_search_map(const struct pk_search *s, struct pk_mapped_file *file);

/* This process's vDSO, or NULL if there is none or it cannot be read. */
const void *pk_own_vdso(size_t *size, struct pk_failures *failures);

/* Converts the errno of a failed open or read to a state. Errors other than that there is no such
 * file are counted as failures. */
enum pk_object_state pk_search_failed(const struct pk_search *s, const char *path, int error);

typedef char pk_path[8192];
/* Formats a path. Returns false if it is too long. */
__attribute__((format(printf, 2, 3))) bool pk_make_path(pk_path path, const char *format, ...);
/* The path in perf's cache of a file of that build. Returns false if the build-id or the cache is
 * missing. */
bool pk_cache_path(const struct pk_search *s, const char *name, pk_path path);

#endif
