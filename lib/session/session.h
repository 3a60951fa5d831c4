/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SESSION_H
#define PK_SESSION_H

/* The state of the recorded machine as the records describe it: tasks and their maps. */

#include "address_space.h"
#include "pkstream.h"
#include "table.h"

/* The kernel of a virtual machine and its modules. */
struct pk_guest {
	struct pk_space *space;	 /* NULL: no maps were recorded */
	struct pk_space *listed; /* modules of pk_session_map_guest_module(); used where no module
				  * was recorded. NULL: none */
	const struct pk_image *kernel;
};

struct pk_process {
	uint32_t pid;
	uint32_t threads; /* number of its threads in the session */
	/* The kernel has mapped its own code for user mode (the vDSO, or on Arm the vectors) below
	 * 4 GiB: a 32-bit program. On a 64-bit machine, that of a 64-bit program is near the stack.
	 */
	bool is_32bit;
	struct pk_space *space;
	struct pk_space *code; /* code that jitdumps describe; used where space has no map, or one
				* without a file. NULL: none */
	/* The last map of code without a file, and pk_moved_from() of it, while the serial of the
	 * space is the same */
	struct pk_moved {
		uint64_t serial;
		const struct pk_map *map, *from;
	} moved;
};

struct pk_thread {
	uint32_t tid;
	uint32_t comm; /* id of the comm in the session; see pk_session_comm */
	bool named;    /* a record has the comm; false: it is made up, or that of such a parent */
	uint64_t exit; /* 0: the thread is alive; else the number of its EXIT record in the session,
			* from 1 on */
	struct pk_process *process;
};

struct pk_session;

struct pk_session *pk_session_new(void);
void pk_session_free(struct pk_session *session);
/* Evaluates records about tasks, maps, build-ids, cgroups, the machine's names, and symbols in the
 * stream. Ignores other records. Returns PK_CORRUPT if the record, or a part of it, was malformed
 * and ignored. */
enum pk_status pk_session_record(struct pk_session *session, const struct pk_record *record);
/* Returns the thread. If no record has defined it, it is created with comm ":TID", or "swapper" for
 * tid 0. A thread of another process with this tid is removed. Valid until the next
 * pk_session_record() or pk_session_thread(). NULL: out of memory. */
struct pk_thread *pk_session_thread(struct pk_session *session, uint32_t pid, uint32_t tid);
/* The thread, or NULL if no record has defined it. Valid as above. */
const struct pk_thread *pk_session_known_thread(const struct pk_session *session, uint32_t tid);
/* JIT code in the memory of a process, which pk_session_map_code() adds. Its bytes are at `offset`
 * of the jitdump `path`. */
struct pk_code_map {
	uint32_t pid;
	const char *path;
	uint64_t start, size, offset;
};

enum pk_status pk_session_map_code(struct pk_session *session, const struct pk_code_map *code);
/* Whether this is the name of a jitdump: jit-PID.dump, in any folder. */
bool pk_is_jitdump(const char *path);
/* The maps of the kernel, its modules and BPF programs. */
const struct pk_space *pk_session_kernel(const struct pk_session *session);
/* The same of the virtual machine that the process runs: its own, or those of the guest that
 * records describe without a process. */
const struct pk_guest *pk_session_guest(const struct pk_session *session,
					const struct pk_process *process);
/* Adds the kernel of the guest that the process pid runs, and a module of it (pid 0: of the guest
 * without a process). */
PK_MUST_CHECK enum pk_status pk_session_add_guest(struct pk_session *session, uint32_t pid);
PK_MUST_CHECK enum pk_status pk_session_map_guest_module(struct pk_session *session, uint32_t pid,
							 const char *name, uint64_t start,
							 uint64_t size);
#define PK_GUEST_KERNEL "[guest.kernel.kallsyms]"
/* The name of kernel code outside of all maps, such as startup code. The flags are PK_FRAME_.
 * Returns NULL if it is not code of the kernel. */
const char *pk_kernel_name(uint32_t flags);
/* Names of the recorded machine as in uname(2), from features. A name is "" if it is unknown. */
struct pk_machine_names {
	char host[256], release[128], machine[64];
};

const struct pk_machine_names *pk_session_machine(const struct pk_session *session);
/* The text of a comm id. */
const char *pk_session_comm(const struct pk_session *session, uint32_t comm);
/* The path of a control group, from its CGROUP record, or NULL if it is unknown. */
const char *pk_session_cgroup(const struct pk_session *session, uint64_t id);
/* The number of the name of the container, or of the uid of the pod, that the group's path
 * contains, or 0 if there is none. Equal names have equal numbers. */
uint32_t pk_session_container(const struct pk_session *session, uint64_t id);
uint32_t pk_session_pod(const struct pk_session *session, uint64_t id);
const char *pk_session_cgroup_name(const struct pk_session *session, uint32_t number, size_t *size);
/* The number of the value of a label (SPEC 9.16), or 0 if the recording does not have the label. */
uint32_t pk_session_label(const struct pk_session *session, const char *name);
const char *pk_session_label_value(const struct pk_session *session, uint32_t number, size_t *size);
/* pk_image.path of the kernel or module whose pk_image.name is this, or NULL if there is none. */
const char *pk_session_path_of_name(const struct pk_session *session, const char *name);

#endif
