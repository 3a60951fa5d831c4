/* SPDX-License-Identifier: BSD-2-Clause */
/* Where the files are. Another place to look is another function in search.c. */
#ifndef PK_SEARCH_H
#define PK_SEARCH_H

#include "elf_image.h"
#include "symbols.h"

struct pk_search {
	const struct pk_symbols_options *where; /* no NULLs */
	const char *path;
	const struct pk_build_id *build_id; /* wanted; of size 0: any */
	pid_t pid;
	struct pk_debuginfod **debuginfod;	  /* NULL: never ask */
	bool (*wanted)(const struct pk_elf *elf); /* is it in there? NULL: symbols */
	struct pk_failures *failures;
};

struct pk_found {
	struct pk_elf *runtime; /* the file that was mapped; NULL: not found, state says why */
	struct pk_elf
		*symbols; /* the one with the symbols: the same, or a file of debug information */
	char *source;	  /* its path */
	enum pk_object_state state;
};

/* Finds the file of a map. */
void pk_search_file(const struct pk_search *s, struct pk_found *found);
/* The code that the kernel maps into every process. */
void pk_search_vdso(const struct pk_search *s, struct pk_found *found);

/* The file with the debugging information of the file of a map, and its path; NULL: none. */
struct pk_elf *pk_search_debug_info(const struct pk_search *s, char **source);

/* The kernel's ELF file, if it was named or is there by its build-id. NULL: no. */
struct pk_elf *pk_search_vmlinux(const struct pk_search *s, char **source);

/* A part of the debugging information of the file `of`, as that names it. NULL: not found. */
struct pk_elf *pk_search_part(const struct pk_search *s, const char *of, const char *path,
			      const struct pk_build_id *build_id);

void pk_found_release(struct pk_found *found);

/* Opens the kallsyms of a kernel; PK_OBJECT_READY, or why not. */
enum pk_object_state pk_search_kallsyms(const struct pk_search *s, int *fd, char **source);

/* A file that a process writes while it runs. */
struct pk_written {
	int fd;
	char *source;	/* its path, for free() */
	char *distrust; /* PK_OBJECT_NOT_TRUSTED: which file is not used and why, for free() */
};

/*
 * Opens the perf map of s->pid, or the jitdump s->path: from the process's own view of files if it
 * lives, else from here. Root, this user and, if it lives, the process's user may own it
 * (trusted_file.h); below symfs everybody may.
 */
enum pk_object_state pk_search_written(const struct pk_search *s, bool perf_map,
				       struct pk_written *written);

/* Is that a name of the vDSO? */
bool pk_is_vdso(const char *path);

/* This process's vDSO; NULL: it has none, or a failure. */
const void *pk_own_vdso(size_t *size, struct pk_failures *failures);

/* Of a file that could not be opened or read; failures are counted. */
enum pk_object_state pk_search_failed(const struct pk_search *s, const char *path, int error);

typedef char pk_path[8192];
/* False: it would be too long. */
__attribute__((format(printf, 2, 3))) bool pk_make_path(pk_path path, const char *format, ...);

#endif
