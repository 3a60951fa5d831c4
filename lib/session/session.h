/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SESSION_H
#define PK_SESSION_H

/* The state of the recorded machine, as the records describe it: tasks, and the maps of their
 * address spaces. */

#include "address_space.h"
#include "pkstream.h"
#include "table.h"

/* The kernel of a virtual machine and its modules. */
struct pk_guest {
	struct pk_space *space;	 /* NULL if no maps were recorded */
	struct pk_space *listed; /* Modules of pk_session_map_guest_module(). They are used for
				  * addresses where no map was recorded. NULL if there are none. */
	const struct pk_image *kernel;
};

/* A process: its maps, and the guest that it runs. */
struct pk_process {
	uint32_t pid;
	uint32_t threads; /* number of threads of the process in the session */
	/* The process runs a 32-bit program. In such a process, the kernel's code for user mode
	 * (the vDSO, or the vectors on Arm) is mapped below 4 GiB. In a 64-bit program on a 64-bit
	 * machine, the vDSO is near the stack. */
	bool is_32bit;
	struct pk_space *space;
	/* The code that jitdumps describe. It is used for addresses where `space` has no map, or
	 * has a map without a file. NULL if there is none. */
	struct pk_space *code;
	/* The last map of code without a file, and the result of pk_moved_from() for it. They are
	 * valid while the serial of the space is the same. */
	struct pk_moved {
		uint64_t serial;
		const struct pk_map *map, *from;
	} moved;
};

/* A thread of a process. */
struct pk_thread {
	uint32_t tid;
	uint32_t comm; /* the id of the name of the thread (see pk_session_comm) */
	bool named;    /* The name comes from a record. Otherwise it was made up, for this thread or
			* for its parent. */
	uint64_t exit; /* 0 if the thread is alive. If it has exited, this says which EXIT record of
			* the session is the record of this thread. The first EXIT record is 1. */
	struct pk_process *process;
};

struct pk_session;

struct pk_session *pk_session_new(void);
void pk_session_free(struct pk_session *session);
/* Evaluates records about tasks, maps, build-ids, control groups, names of the machine, and symbols
 * in the stream. Ignores other records. Returns PK_CORRUPT if a record, or a part of it, was
 * malformed and ignored. */
enum pk_status pk_session_record(struct pk_session *session, const struct pk_record *record);
/* Returns the thread. If no record has defined it, it is created with the name ":TID", or "swapper"
 * for tid 0. If a thread of another process has this tid, that thread is removed. The result is
 * valid until the next pk_session_record() or pk_session_thread(). Returns NULL if memory is
 * exhausted. */
struct pk_thread *pk_session_thread(struct pk_session *session, uint32_t pid, uint32_t tid);
/* Returns the thread, or NULL if no record has defined it. The result is valid until the next
 * pk_session_record() or pk_session_thread(). */
const struct pk_thread *pk_session_known_thread(const struct pk_session *session, uint32_t tid);
/* JIT code in the memory of a process, for pk_session_map_code(). Its bytes are at `offset` of the
 * jitdump `path`. */
struct pk_code_map {
	uint32_t pid;
	const char *path;
	uint64_t start, size, offset;
};

enum pk_status pk_session_map_code(struct pk_session *session, const struct pk_code_map *code);
/* Returns true if the path is that of a jitdump: jit-PID.dump, in any directory. */
bool pk_is_jitdump(const char *path);
/* Returns the maps of the kernel, its modules and BPF programs. */
const struct pk_space *pk_session_kernel(const struct pk_session *session);
/* Returns the guest that the process runs. If no guest is known for the process, returns the guest
 * that records describe without a process. */
const struct pk_guest *pk_session_guest(const struct pk_session *session,
					const struct pk_process *process);
/* Add the kernel of the guest that the process pid runs, or a module of this kernel. A pid of 0
 * stands for the guest without a process. */
PK_MUST_CHECK enum pk_status pk_session_add_guest(struct pk_session *session, uint32_t pid);
PK_MUST_CHECK enum pk_status pk_session_map_guest_module(struct pk_session *session, uint32_t pid,
							 const char *name, uint64_t start,
							 uint64_t size);
#define PK_GUEST_KERNEL "[guest.kernel.kallsyms]"
/* Returns the name of kernel code that is outside of all maps, such as startup code. flags are
 * PK_FRAME_*. Returns NULL if the code does not belong to the kernel. */
const char *pk_kernel_name(uint32_t flags);
/* The names of the recorded machine, as in uname(2). They come from features. A name is "" if it is
 * unknown. */
struct pk_machine_names {
	char host[256], release[128], machine[64];
};

const struct pk_machine_names *pk_session_machine(const struct pk_session *session);
/* Returns the name of a thread by its id (pk_thread.comm). */
const char *pk_session_comm(const struct pk_session *session, uint32_t comm);
/* Returns the path of a control group from its CGROUP record, or NULL if it is unknown. */
const char *pk_session_cgroup(const struct pk_session *session, uint64_t id);
/* Return the number of the name of the container, or of the uid of the pod, in the path of a
 * control group. Return 0 if the path does not name one. Equal names have equal numbers. */
uint32_t pk_session_container(const struct pk_session *session, uint64_t id);
uint32_t pk_session_pod(const struct pk_session *session, uint64_t id);
const char *pk_session_cgroup_name(const struct pk_session *session, uint32_t number, size_t *size);
/* Returns the number of the value of a label (SPEC 9.16), or 0 if the recording does not have the
 * label. */
uint32_t pk_session_label(const struct pk_session *session, const char *name);
const char *pk_session_label_value(const struct pk_session *session, uint32_t number, size_t *size);
/* Returns pk_image.path of the kernel or module with this pk_image.name, or NULL if there is none.
 */
const char *pk_session_path_of_name(const struct pk_session *session, const char *name);

#endif
