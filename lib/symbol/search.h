/* SPDX-License-Identifier: BSD-2-Clause */
/* Searches for files. There is a function for each place. The functions for places of running
 * processes are in search_running.c. All other functions are in search.c. */
#ifndef PK_SEARCH_H
#define PK_SEARCH_H

#include "elf_image.h"
#include "symbols.h"

/* What is searched, and where. */
struct pk_search {
	const struct pk_symbols_options *
		where; /* the options that say where to search, with the defaults instead of NULL */
	const char *path;
	/* The required build-id; if its size is 0, any build is accepted. */
	const struct pk_build_id *build_id;
	struct pk_mapped by; /* its pid is 0 if no live process has mapped the file */
	bool (*wanted)(const struct pk_elf
			       *elf); /* Returns whether a file has the content that is searched. If
				       * the callback is NULL, files with symbols are searched. */
	struct pk_failures *failures;
};

/* The files that were found, or the reason why none was found. */
struct pk_found {
	struct pk_elf *runtime; /* the mapped file, or NULL if it was not found (see `state`) */
	struct pk_elf *symbols; /* the file with the symbols: `runtime`, or a file with debugging
				 * information */
	char *source;		/* path of the file with the symbols, or "[vdso]" */
	/* Set if all places were searched for symbols, and no file there has debugging information.
	 * pk_search_debug_info() finds none, either. */
	bool has_no_dwarf;
	enum pk_object_state state;
};

/* Finds the file of a map, and the file with its symbols. */
void pk_search_file(const struct pk_search *s, struct pk_found *found);
/* Opens only the mapped file, not the file with its symbols. Returns NULL if it was not found. */
struct pk_elf *pk_search_mapped(const struct pk_search *s);
/* Finds the vDSO (the shared object that the kernel maps into every process). */
void pk_search_vdso(const struct pk_search *s, struct pk_found *found);

/* Finds the file that has the debugging information of a mapped file, and sets *source to its path.
 * Returns NULL if there is none. */
struct pk_elf *pk_search_debug_info(const struct pk_search *s, char **source);

/* Finds the ELF file of the kernel. This is the file that the options name. If the options name no
 * file, it is a file with the required build-id. A file of another build is ignored. *source is set
 * to the path of the file. Returns NULL if there is no such file. */
struct pk_elf *pk_search_vmlinux(const struct pk_search *s, char **source);

/* Finds the file of a kernel module that has the wanted content. This is the file at the path,
 * which can be compressed (.ko.xz, .ko.zst), or a file with its debugging information. If no file
 * has the wanted content, the file at the path is returned. The path can also be a name such as
 * "[ext4]". In this case, the file is found only by its build-id. *source is set to the path. If no
 * file is found, returns NULL and sets *state to the reason. */
struct pk_elf *pk_search_module(const struct pk_search *s, char **source,
				enum pk_object_state *state);

/* Finds another file that the debugging information in the file `of` refers to. `path` is the name
 * of this other file in the debugging information. Returns NULL if it was not found. */
struct pk_elf *pk_search_part(const struct pk_search *s, const char *of, const char *path,
			      const struct pk_build_id *build_id);

void pk_found_release(struct pk_found *found);

/* Opens the kallsyms of a kernel. Returns PK_OBJECT_READY, or the reason why this failed. */
enum pk_object_state pk_search_kallsyms(const struct pk_search *s, int *fd, char **source);

/* A file that a process writes while it runs. */
struct pk_written {
	int fd;
	char *source;	/* path of the file; the caller frees it */
	char *distrust; /* If the state is PK_OBJECT_NOT_TRUSTED, a text with the ignored file and
			 * the reason. The caller frees it. */
};

/*
 * Opens the perf map of process s->by.pid, or the jitdump s->path. If symfs is set, only symfs is
 * searched, and any owner is accepted. Otherwise the mount namespace of the process is searched if
 * the process is alive, and then the mount namespace of this program. The file must belong to root
 * or to this user. If the process is alive, the file may also belong to the user of the process
 * (trusted_file.h).
 */
/* Returns true if the process of the search runs on this machine. */
bool pk_search_writer_runs(const struct pk_search *s);
enum pk_object_state pk_search_written(const struct pk_search *s, bool perf_map,
				       struct pk_written *written);

/* Returns the length of the path without " (deleted)". The kernel adds this text to the path of a
 * deleted file. */
size_t pk_plain_path(const char *path);
/* Returns whether a recorded path contains "..". A path with ".." could name a file outside of
 * symfs, or outside of the root of a process. The kernel writes no such paths. Paths in debugging
 * information can contain "..". */
bool pk_leaves_its_root(const char *path);
/* Returns whether the path is a name of the vDSO. */
bool pk_is_vdso(const char *path);

/* A map of the file s->path in the process s->by.pid. If the inode of the file is known, the map is
 * found by the inode. */
struct pk_mapped_file {
	uint64_t start, end; /* addresses of the map */
	uint32_t major, minor;
	uint64_t inode;
	bool at_path; /* the process still sees the file at s->path */
};

/* Finds the map. Returns false if the process has ended, cannot be read, or has no such map. */
bool pk_search_map(const struct pk_search *s, struct pk_mapped_file *file);

/* Returns the vDSO of this process, or NULL if there is none or if it cannot be read. */
const void *pk_own_vdso(size_t *size, struct pk_failures *failures);

/* Converts the errno of a failed open or read to a state. Some errors are counted as failures
 * (pk_is_failure()), but not the error that a file does not exist. */
enum pk_object_state pk_search_failed(const struct pk_search *s, const char *path, int error);

typedef char pk_path[8192];
/* Formats a path. Returns false if the path is too long. */
__attribute__((format(printf, 2, 3))) bool pk_make_path(pk_path path, const char *format, ...);
/* Sets `path` to the path that a file of this build has in perf's cache. Returns false if there is
 * no build-id or no cache. */
bool pk_cache_path(const struct pk_search *s, const char *name, pk_path path);

#endif
