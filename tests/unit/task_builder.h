/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TASK_BUILDER_H
#define TASK_BUILDER_H

/* Builds records of tasks and maps, and passes each record to a session. */

#include "session.h"
#include "stream_builder.h"

static struct pk_session *session;

/* Passes the last built record to the session, and clears the builder. */
static inline enum pk_status give(struct built *b)
{
	struct pk_record record = last_built(b);
	enum pk_status status = pk_session_record(session, &record);

	built_clear(b);
	return status;
}

static inline void comm_is(uint32_t pid, uint32_t tid, const char *comm)
{
	struct built b = {0};

	open_record(&b, PERF_RECORD_COMM, 0);
	PUT(&b, "44", pid, tid);
	put_string(&b, comm);
	close_record(&b);
	ck_assert_int_eq(give(&b), PK_OK);
}

static inline void forks(uint32_t ppid, uint32_t ptid, uint32_t pid, uint32_t tid, uint16_t misc)
{
	struct built b = {0};

	RECORD(&b, PERF_RECORD_FORK, misc, "44448", pid, ppid, tid, ptid, 0);
	ck_assert_int_eq(give(&b), PK_OK);
}

static inline void exits(uint32_t pid, uint32_t tid)
{
	struct built b = {0};

	RECORD(&b, PERF_RECORD_EXIT, 0, "44448", pid, 1, tid, 1, 0);
	ck_assert_int_eq(give(&b), PK_OK);
}

struct mapped {
	uint32_t pid;
	uint64_t start, size, pgoff;
	const char *name;
	uint16_t mode;	      /* cpumode; 0 stands for user mode */
	const char *build_id; /* 20 bytes, or NULL if the record has no build-id */
	uint32_t flags;
	bool data;	/* the map is not executable */
	uint32_t inode; /* 0 stands for the inode 77 */
};

static inline enum pk_status maps(struct mapped m)
{
	struct built b = {0};
	uint16_t misc = m.mode ? m.mode : PERF_RECORD_MISC_USER;

	open_record(&b, PERF_RECORD_MMAP2,
		    m.build_id ? misc | PERF_RECORD_MISC_MMAP_BUILD_ID : misc);
	PUT(&b, "44888", m.pid, m.pid, m.start, m.size, m.pgoff);
	if (m.build_id) {
		PUT(&b, "1111", 20, 0, 0, 0);
		put_bytes(&b, m.build_id, 20);
	} else {
		PUT(&b, "4488", 8, 1, m.inode ? m.inode : 77, 0);
	}
	PUT(&b, "44", m.data ? 3 : 5, m.flags);
	put_string(&b, m.name);
	close_record(&b);
	return give(&b);
}

static inline enum pk_status maps_old(uint32_t pid, uint64_t start, uint64_t size, uint64_t pgoff,
				      const char *name, uint16_t mode)
{
	struct built b = {0};

	open_record(&b, PERF_RECORD_MMAP, mode);
	PUT(&b, "44888", pid, pid, start, size, pgoff);
	put_string(&b, name);
	close_record(&b);
	return give(&b);
}

static inline const char *comm_of(uint32_t pid, uint32_t tid)
{
	const struct pk_thread *thread = pk_session_thread(session, pid, tid);

	ck_assert_ptr_nonnull(thread);
	ck_assert_uint_eq(thread->tid, tid);
	ck_assert_uint_eq(thread->process->pid, pid);
	return pk_session_comm(session, thread->comm);
}

static inline const struct pk_map *map_at(uint32_t pid, uint64_t ip)
{
	return pk_space_find(pk_session_thread(session, pid, pid)->process->space, ip);
}

static inline const struct pk_image *image_at(uint32_t pid, uint64_t ip)
{
	const struct pk_map *map = map_at(pid, ip);

	return map ? map->image : NULL;
}

static inline const char *path_at(uint32_t pid, uint64_t ip)
{
	return image_at(pid, ip) ? image_at(pid, ip)->path : "";
}

static inline const struct pk_image *kernel_at(uint64_t ip)
{
	const struct pk_map *map = pk_space_find(pk_session_kernel(session), ip);

	return map ? map->image : NULL;
}

#endif
