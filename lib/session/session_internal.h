/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SESSION_INTERNAL_H
#define SESSION_INTERNAL_H

#include "pkutil.h"
#include "session.h"

/* Strings that are interned by content and known by a number. */
struct pk_names {
	char **texts;
	uint32_t count;
	size_t capacity;
	struct pk_table numbers; /* number + 1, by hash */
};

/* The number of the text; UINT32_MAX: out of memory. */
uint32_t pk_names_add(struct pk_names *names, const char *text, size_t size);
/* The number of the text; UINT32_MAX: it is not there. */
uint32_t pk_names_find(const struct pk_names *names, const char *text, size_t size);
void pk_names_free(struct pk_names *names);

/* Images by path, kind, pid of JIT code, build-id, and inode. */
struct pk_images {
	struct pk_names keys; /* what identifies an image, as bytes */
	struct pk_image **list;
	uint32_t *before; /* by image: the one before it of the same path + 1; 0 none */
	uint32_t capacity;
	struct pk_names paths;
	uint32_t *last; /* by path: the last image of it + 1; 0 none */
	uint32_t last_capacity;
	struct pk_names told; /* paths that a BUILD_ID record told the build-id of */
	struct pk_build_id_told {
		uint32_t size;
		uint8_t bytes[PK_BUILD_ID_MAX];
	} * build_ids; /* of those, in their order */
	uint32_t build_ids_capacity;
};

/* Interns; the fields but index, path's storage, and a build-id that is told elsewhere are taken
 * from *like. NULL: out of memory. */
struct pk_image *pk_images_add(struct pk_images *images, const struct pk_image *like);
/* A build-id for the images of this path that have none, now and later. False: out of memory. */
bool pk_images_set_build_id(struct pk_images *images, const char *path, const uint8_t *build_id,
			    uint32_t size);
void pk_images_free(struct pk_images *images);
/* What kind of image an executable user map of this file name is. */
enum pk_dso_kind pk_image_kind(const char *name);

/* What the stream brings along for who has not the recorded files (told.c). */
struct pk_told {
	struct pk_told_image *all;
	struct pk_told_image **images; /* by id; the same one may have several */
	uint32_t first_id, images_count, images_capacity;
	struct pk_names keys; /* what identifies an image, as bytes */
	char *key;	      /* room for the longest of them */
	size_t key_capacity;
	struct pk_told_image **by_key;
	uint32_t by_key_capacity;
	struct pk_names texts;
	struct pk_told_symbol *symbols;
	struct pk_space *kernel; /* symbols of the kernel and its modules */
	struct pk_table kernel_sources;
	uint64_t serials, bytes;
	bool full; /* some were left out */
};

#define PK_EXITED_MAX 4096

struct pk_session {
	struct pk_table threads, processes; /* by tid, by pid */
	struct pk_space *kernel;
	struct pk_images images;
	struct pk_names comms, cgroup_paths;
	struct pk_table cgroups; /* by id: a text of cgroup_paths */
	uint64_t serials;	 /* of address spaces: the last one given */
	struct pk_told told;
	struct pk_machine_names machine;
	struct pk_thread *last_thread;
	/* A task is sampled on its way out, after its EXIT: the last ones that went are remembered.
	 */
	uint64_t exits;
	uint32_t exited[PK_EXITED_MAX]; /* their tids, at their number modulo the size */
};

/* map_records.c: MMAP, MMAP2, KSYMBOL, BUILD_ID. */
enum pk_status pk_session_mmap(struct pk_session *session, const struct pk_record *record);
enum pk_status pk_session_ksymbol(struct pk_session *session, const struct pk_record *record);
enum pk_status pk_session_build_id(struct pk_session *session, const struct pk_record *record);
/* The process, made up if need be. */
struct pk_process *pk_session_process(struct pk_session *session, uint32_t pid);

#endif
