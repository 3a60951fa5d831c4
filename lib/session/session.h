/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SESSION_H
#define PK_SESSION_H

/*
 * What a stream's records say about the recorded machine: its tasks, what they had mapped, and what
 * got lost. Knows where an address belongs, not what is there.
 */

#include "pkstream.h"
#include "range.h"
#include "table.h"

/* ---- Images: what code is mapped from ---- */

/* One mapped file (or what stands for one), interned by path, kind and build-id, or inode where
 * there is none: in another mount namespace another file may have the path. Lives as long as the
 * session. */
struct pk_image {
	uint32_t index; /* 0, 1, 2 ... in order of appearance */
	enum pk_dso_kind kind;
	uint32_t pid; /* JIT: whose perf map names its code; FILE: a process that has it mapped */
	bool dump;    /* JIT: a jitdump, in which addresses are offsets */
	bool code;    /* a map of it is or was executable; else it is data */
	const char *path;
	/* As perf shows it: the path; of a kernel module "[usbnet]"; of a module or the kernel that
	 * a BUILD_ID record before its map names, the path in that record. */
	const char *name;
	uint32_t build_id_size; /* 0 unknown */
	uint8_t build_id[PK_BUILD_ID_MAX];
	uint32_t major, minor; /* of the device; these three 0: unknown */
	uint64_t inode;
	/* KERNEL: the symbol named in the kernel's MMAP record, and where it was on that machine. 0
	 * unknown. */
	const char *reference_symbol;
	uint64_t reference_address;
};

/* ---- Maps ---- */

struct pk_map {
	uint64_t start, end; /* virtual, end exclusive */
	uint64_t pgoff;
	const struct pk_image *image;
	bool executable; /* else it is data, which has addresses but no functions */
};

/* The address inside its image, as perf counts it: file offset, or virtual where there is no file.
 */
uint64_t pk_map_address(const struct pk_map *map, uint64_t ip);

/*
 * The maps of one address space. Immutable while shared: a fork shares its parent's until one of
 * the two maps something. serial is new after each change, and never the same for two different
 * contents.
 */
struct pk_space;

struct pk_space *pk_space_new(uint64_t *serials);
struct pk_space *pk_space_share(struct pk_space *space);
void pk_space_release(struct pk_space *space);
uint64_t pk_space_serial(const struct pk_space *space);
/* NULL if nothing is mapped there. */
const struct pk_map *pk_space_find(const struct pk_space *space, uint64_t ip);
/* Maps *map where it says, over what was there. *space is replaced if it was shared. False: out of
 * memory. */
bool pk_space_map(struct pk_space **space, const struct pk_map *map);
/* Removes what lies in start to end. */
bool pk_space_unmap(struct pk_space **space, uint64_t start, uint64_t end);

/* ---- Tasks ---- */

struct pk_process {
	uint32_t pid;
	uint32_t threads; /* that refer to it */
	struct pk_space *space;
	struct pk_space *code; /* what jitdumps tell of, which memory is mapped below; NULL: nothing
				*/
};

struct pk_thread {
	uint32_t tid;
	uint32_t comm; /* id of the comm in the session, pk_session_comm */
	uint64_t exit; /* which EXIT of the session was its own, from 1 on; 0: it lives */
	struct pk_process *process;
};

struct pk_session;

struct pk_session *pk_session_new(void);
void pk_session_free(struct pk_session *session);
/* Takes in any record that says something about tasks and maps; others are ignored. Strings and
 * sizes are checked. PK_CORRUPT: the record was malformed and ignored. */
enum pk_status pk_session_record(struct pk_session *session, const struct pk_record *record);
/* The thread. Without a record of it, it is made up: comm ":TID", or "swapper" for 0. Valid until
 * the next record or thread. NULL: out of memory. */
struct pk_thread *pk_session_thread(struct pk_session *session, uint32_t pid, uint32_t tid);
/* Code in the memory of a process, from now on: its bytes are at this offset of the jitdump with
 * that path. */
struct pk_code_map {
	uint32_t pid;
	const char *path;
	uint64_t start, size, offset;
};

enum pk_status pk_session_map_code(struct pk_session *session, const struct pk_code_map *code);
/* Is that a jitdump's name: jit-PID.dump, in any folder? */
bool pk_is_jitdump(const char *path);
/* The kernel's address space. */
const struct pk_space *pk_session_kernel(const struct pk_session *session);
/* Names of the recorded machine, as uname(2) has them, from features; "": unknown. */
struct pk_machine_names {
	char host[256], release[128], machine[64];
};

const struct pk_machine_names *pk_session_machine(const struct pk_session *session);
/* The text of a comm id. */
const char *pk_session_comm(const struct pk_session *session, uint32_t comm);
/* The path of a control group, from its CGROUP record; NULL: there was none. */
const char *pk_session_cgroup(const struct pk_session *session, uint64_t id);
/* Images seen so far; pk_image.index is below this. */
uint32_t pk_session_images(const struct pk_session *session);
/* The path of the kernel's image, or of a module's, that has this name; NULL: there is none. */
const char *pk_session_path_of_name(const struct pk_session *session, const char *name);

/* ---- Stacks: a sample's addresses -> a stack of the dictionary ---- */

/* Where an address lies. */
struct pk_location {
	const struct pk_image *image; /* NULL: in nothing that is mapped */
	uint64_t address;	      /* in the image; virtual without one */
	uint64_t ip;
	uint64_t map_start, map_end; /* around ip, with an image */
	uint32_t flags;		     /* PK_FRAME_KERNEL, USER, GUEST, HYPERVISOR */
	/* ip is where it returns to: what it was doing, a call, is in front of that */
	bool called;
};

/* Where ip lies; mode is of PERF_RECORD_MISC_CPUMODE_MASK. */
struct pk_location pk_session_locate(const struct pk_session *session,
				     const struct pk_thread *thread, uint64_t ip, uint16_t mode);
/* The mode of the addresses behind a marker in a callchain, which were in mode before it; an
 * unknown marker makes it unknown. */
uint16_t pk_context_mode(uint64_t marker, uint16_t mode);

/* The symbol and source lines of an address that the stream itself brings (SPEC 9.11). Texts are
 * valid until the next record. */
struct pk_stream_place {
	const char *function;
	uint64_t symbol_start, symbol_end; /* in the terms of the location's address */
	const char *module;		   /* kernel only: NULL is the kernel proper */
	struct pk_range same;		   /* addresses around it with the same answer */
	/* The functions inlined there, innermost first, and last the one that is not; NULL:
	 * unknown. */
	const struct pk_stream_source {
		uint32_t count;
		struct pk_stream_frame {
			const char *function, *file; /* NULL: unknown */
			uint32_t line, column;
			bool inlined;
		} frames[];
	} * source;
};

#define PK_STREAM_FRAMES_MAX 1024

/* False: no symbol; source may be there nevertheless. */
bool pk_session_stream_symbol(const struct pk_session *session, const struct pk_location *location,
			      struct pk_stream_place *place);
/* There were too many symbols, and some were left out. */
bool pk_session_stream_symbols_full(const struct pk_session *session);

/* A function that is inlined at an address, and where in it that is. */
struct pk_inlined {
	const char *function;
	const char *file; /* NULL unknown; copied, as function is */
	uint32_t line, column;
};

/* What is there. */
struct pk_resolved {
	const char *function; /* NULL unresolved; copied */
	size_t function_size;
	uint64_t symbol_start, symbol_end;
	const char *module; /* of the kernel, if the address is not in the image after all; copied
			     */
	bool retry;	    /* unresolved now, but may be resolved later: do not remember */
	bool interrupts;    /* its caller did not call it, but was interrupted: by a signal, say */
	const char *file;   /* of the function itself; NULL unknown; copied */
	uint32_t line, column;
	const struct pk_inlined *inlined; /* into it, the innermost first; until the next call */
	size_t inlined_count;
	/* The addresses around the location's, in its terms, for which all this is the same, as
	 * long as the map and `called` are; to 0: not known. */
	struct pk_range same;
};

/* Fills *resolved, which is all zero before. */
typedef void (*pk_resolve_fn)(void *arg, const struct pk_location *location,
			      struct pk_resolved *resolved);

/* What an event's samples have user callchains of. pk-unwind makes them whole. */
enum pk_chain_source {
	PK_CHAIN_WHOLE,	      /* the callchain, or nothing */
	PK_CHAIN_OF_DUMP,     /* user registers and a piece of the stack */
	PK_CHAIN_OF_BRANCHES, /* the processor's call stack (LBR) */
	/* The callchain and the link register of arm64, which has the caller of a function that
	 * has no frame, if the machine is one. */
	PK_CHAIN_LACKS_CALLER,
	PK_CHAIN_SOURCES
};

#define PK_LINK_REGISTER (UINT64_C(1) << 30) /* of arm64, in sample_regs_user */

enum pk_chain_source pk_chain_source_of(const struct pk_event *event);
/* Samples that pk-unwind has not been at, by pk_chain_source. */
struct pk_partial_chains {
	uint64_t samples[PK_CHAIN_SOURCES];
};

/* Counts a sample of the event if it is one. */
static inline void pk_partial_chains_count(struct pk_partial_chains *partial,
					   const struct pk_event *event)
{
	const enum pk_chain_source source = pk_chain_source_of(event);

	/* pk-unwind leaves registers that were asked for by name. */
	if (source &&
	    (source != PK_CHAIN_LACKS_CALLER || event->attr.sample_regs_user == PK_LINK_REGISTER))
		partial->samples[source]++;
}

struct pk_stacks;

struct pk_stacks_count {
	uint64_t samples, frames, frames_unresolved, stacks_truncated, stacks_unmerged, samples_bad;
	struct pk_partial_chains partial;
};

/* What a frame stands for: resolve() is called once for each. */
enum pk_frames_of { PK_FRAMES_OF_FUNCTIONS, PK_FRAMES_OF_ADDRESSES };

/* dictionary stays the caller's. resolve may be NULL: all frames stay unresolved. */
struct pk_stacks *pk_stacks_new(struct pk_dictionary *dictionary, enum pk_frames_of frames,
				pk_resolve_fn resolve, void *arg);
void pk_stacks_free(struct pk_stacks *stacks);
/*
 * The addresses that a sample's stack is made of: its callchain without the marker and the cookie
 * of a half that is merged later (*unmerged), or else its own ip. As long as the record.
 */
PK_MUST_CHECK enum pk_status pk_stack_addresses(const struct pk_event *event,
						const struct pk_record *record,
						struct pk_u64s *addresses, bool *unmerged);
/*
 * The stack of a SAMPLE in the dictionary: comm at the root, then callers, the leaf last; the
 * sample's own ip where it has no callchain. 0 if the sample is malformed or memory is exhausted.
 * The same addresses in the same address space are looked up once.
 */
uint32_t pk_stacks_of(struct pk_stacks *stacks, struct pk_session *session,
		      const struct pk_event *event, const struct pk_record *record);
/*
 * Whether samples may have a chain trailer (PK_TRAILER_CHAIN), from now on. mark: a stack whose
 * trailer says that callers are missing has a frame "[stack truncated]" in their place, next to the
 * root.
 */
void pk_stacks_trailers(struct pk_stacks *stacks, bool present, bool mark);
/* For a new session, whose images and comms are other ones; and after the dictionary was reset. */
void pk_stacks_forget(struct pk_stacks *stacks);
void pk_stacks_counted(const struct pk_stacks *stacks, struct pk_stacks_count *count);

/* ---- Periods ---- */

/*
 * How much of an event a sample stands for. Where it carries counter values (PERF_SAMPLE_READ),
 * that is what they have grown by since the sample before, for every counter of the group; else its
 * period.
 */
struct pk_periods;

typedef enum pk_status (*pk_period_fn)(void *arg, const struct pk_event *event, uint64_t period);

struct pk_periods *pk_periods_new(void);
void pk_periods_free(struct pk_periods *periods);
/* For a new session, whose counters begin anew. */
void pk_periods_forget(struct pk_periods *periods);
/* Calls each for every event that the SAMPLE counts for, not with 0 out of counter values, until it
 * fails. PK_CORRUPT: malformed. */
enum pk_status pk_periods_of(struct pk_periods *periods, const struct pk_events *events,
			     const struct pk_event *event, const struct pk_record *record,
			     pk_period_fn each, void *arg);

/* ---- Losses ---- */

struct pk_losses {
	uint64_t samples;      /* read */
	uint64_t lost_records; /* PERF_RECORD_LOST */
	uint64_t lost_samples; /* PERF_RECORD_LOST_SAMPLES */
	struct {
		uint64_t count, total;
	} causes[PK_LOSS_CAUSE_MAX];
};

/* Adds the losses in a record: LOST, LOST_SAMPLES, LOSS; counts samples. */
void pk_losses_record(struct pk_losses *losses, const struct pk_record *record);
void pk_losses_add(struct pk_losses *losses, enum pk_loss_cause cause, uint64_t count,
		   uint64_t total);

#endif
