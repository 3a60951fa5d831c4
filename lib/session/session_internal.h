/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef SESSION_INTERNAL_H
#define SESSION_INTERNAL_H

#include "pkutil.h"
#include "images.h"
#include "names.h"
#include "session.h"
#include "stream_symbols.h"

#define PK_EXITED_MAX 4096

struct pk_session {
	struct pk_table threads, processes; /* by tid, by pid */
	struct pk_space *kernel;
	struct pk_images images;
	struct pk_names comms, cgroup_paths;
	struct pk_table cgroups; /* by id: a text of cgroup_paths */
	uint64_t serials;	 /* of address spaces: the last one given */
	struct pk_stream_symbols symbols;
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
