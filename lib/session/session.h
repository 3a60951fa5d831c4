/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SESSION_H
#define PK_SESSION_H

/* The state of the recorded machine as the records describe it: tasks, their maps, and losses. It
 * finds the image of an address; the names of functions come from a callback (pk_resolve_fn). */

#include "pkstream.h"
#include "range.h"
#include "table.h"

/* ---- Images: the sources of mapped code ---- */

/* A mapped file, or what else can contain code: the kernel, a module, the vDSO, JIT code, memory
 * without a file. There is one image for each combination of kind, path, process (only JIT and
 * guests), and build-id of the map's record; without a build-id also of device and inode, because
 * in another mount namespace the path can be another file. An image lives as long as the session.
 */
struct pk_image {
	uint32_t index; /* 0, 1, 2 ... in order of appearance */
	enum pk_dso_kind kind;
	uint32_t pid; /* JIT: the process whose perf map names the code; FILE: the first process
		       * that has mapped it; guest: the process that runs it, 0: any */
	bool guest;   /* the kernel of a virtual machine, or one of its modules */
	bool dump; /* JIT: the code is in a jitdump; addresses in the image are offsets in that file
		    */
	bool code; /* a map of it is or was executable; false: it has only data */
	const char *path;
	/* The name in perf's output: the path; for a kernel module "[usbnet]"; for the kernel or a
	 * module with a BUILD_ID record before its map, the path in that record. */
	const char *name;
	uint32_t build_id_size; /* bytes; 0: unknown */
	uint8_t build_id[PK_BUILD_ID_MAX];
	uint32_t major, minor; /* of the device; unknown if these three are 0 */
	uint64_t inode;
	/* KERNEL: the symbol in the kernel's MMAP record ("_text"), and its address on the recorded
	 * machine. NULL: unknown. */
	const char *reference_symbol;
	uint64_t reference_address;
};

/* ---- Maps ---- */

struct pk_map {
	uint64_t start, end; /* virtual addresses; end is excluded */
	uint64_t pgoff;	     /* offset of start in the file, bytes */
	const struct pk_image *image;
	bool executable; /* false: data, which has addresses but no functions */
	uint32_t pid;	 /* the process that has mapped it; its children inherit the map */
};

/* The address of ip inside the map's image. Files and jitdumps: the offset in the file. Kernel
 * modules and the vDSO: the offset from the start of the map. Others: ip itself. */
uint64_t pk_map_address(const struct pk_map *map, uint64_t ip);

/* The maps of one address space. Immutable while shared: a fork shares its parent's maps until one
 * of the two changes. serial is new after each change, and never the same for two different
 * contents. */
struct pk_space;

struct pk_space *pk_space_new(uint64_t *serials);
struct pk_space *pk_space_share(struct pk_space *space);
void pk_space_release(struct pk_space *space);
uint64_t pk_space_serial(const struct pk_space *space);
/* The map that contains ip; NULL: none. */
const struct pk_map *pk_space_find(const struct pk_space *space, uint64_t ip);
/* The first map that starts above the address; NULL: none. */
const struct pk_map *pk_space_next(const struct pk_space *space, uint64_t address);
/* Adds *map, and removes what earlier maps have at its addresses. If the space is shared, *space
 * becomes a new one. False: out of memory. */
bool pk_space_map(struct pk_space **space, const struct pk_map *map);
/* Removes what maps have from start to end (excluded). Otherwise like pk_space_map(). */
bool pk_space_unmap(struct pk_space **space, uint64_t start, uint64_t end);

/* Programs copy their code to anonymous memory at the same addresses, to have it in huge pages. The
 * rest of the file's map is left on both sides. No new map gets such a place by itself: the kernel
 * fills a gap from its end. Returns the part below, whose image
 * and distance from the file are those of the memory. NULL: another kind of memory. */
const struct pk_map *pk_moved_from(const struct pk_space *space, const struct pk_map *map);

/* ---- Tasks ---- */

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
 * stream; other records are ignored. PK_CORRUPT: the record, or a part of it, was malformed and
 * ignored. */
enum pk_status pk_session_record(struct pk_session *session, const struct pk_record *record);
/* Returns the thread. If no record has defined it, it is created with comm ":TID", or "swapper" for
 * tid 0; a thread of another process with this tid is removed. Valid until the next
 * pk_session_record() or pk_session_thread(). NULL: out of memory. */
struct pk_thread *pk_session_thread(struct pk_session *session, uint32_t pid, uint32_t tid);
/* The thread; NULL: no record has defined it. Valid as above. */
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
 * without a process). False: out of memory. */
bool pk_session_add_guest(struct pk_session *session, uint32_t pid);
bool pk_session_map_guest_module(struct pk_session *session, uint32_t pid, const char *name,
				 uint64_t start, uint64_t size);
#define PK_GUEST_KERNEL "[guest.kernel.kallsyms]"
/* The name of kernel code outside of all maps, such as startup code; flags: PK_FRAME_. NULL: not
 * the kernel. */
const char *pk_kernel_name(uint32_t flags);
/* Names of the recorded machine as in uname(2), from features; "": unknown. */
struct pk_machine_names {
	char host[256], release[128], machine[64];
};

const struct pk_machine_names *pk_session_machine(const struct pk_session *session);
/* The text of a comm id. */
const char *pk_session_comm(const struct pk_session *session, uint32_t comm);
/* The path of a control group, from its CGROUP record; NULL: unknown. */
const char *pk_session_cgroup(const struct pk_session *session, uint64_t id);
/* The number of the name of the container, or of the uid of the pod, that the group's path
 * contains; 0: none. Equal names have equal numbers. */
uint32_t pk_session_container(const struct pk_session *session, uint64_t id);
uint32_t pk_session_pod(const struct pk_session *session, uint64_t id);
const char *pk_session_cgroup_name(const struct pk_session *session, uint32_t number, size_t *size);
/* The number of the value of a label (SPEC 9.16); 0: the recording does not have the label. */
uint32_t pk_session_label(const struct pk_session *session, const char *name);
const char *pk_session_label_value(const struct pk_session *session, uint32_t number, size_t *size);
/* pk_image.path of the kernel or module whose pk_image.name is this; NULL: none. */
const char *pk_session_path_of_name(const struct pk_session *session, const char *name);

/* ---- Stacks: a sample's addresses -> a stack of the dictionary ---- */

/* The location of an address. */
struct pk_location {
	const struct pk_image *image; /* NULL: not in mapped memory */
	uint64_t address;	      /* in the image; virtual without an image */
	uint64_t ip;
	uint64_t map_start, map_end; /* the map that contains ip; 0 without an image */
	uint64_t offset;	     /* of ip in the mapped file, or in what else is mapped */
	uint32_t pid;		     /* the process that has mapped it; 0: not a user map */
	uint32_t flags;		     /* PK_FRAME_KERNEL, _USER, _GUEST, _HYPERVISOR; 0: unknown */
	/* ip is a return address: the call instruction ends just before it */
	bool called;
	/* The map is anonymous memory in the middle of the image's code, which was probably moved
	 * there. map_start and map_end are those of the memory. */
	bool moved;
	/* The image has no name for the address: only the process's perf map can have one. Set by
	 * pk_stacks for locations that are resolved again. */
	bool nameless;
};

/* The location of ip; mode is a PERF_RECORD_MISC_ value under PERF_RECORD_MISC_CPUMODE_MASK.
 * `called` is false: the caller sets it. */
struct pk_location pk_session_locate(const struct pk_session *session,
				     const struct pk_thread *thread, uint64_t ip, uint16_t mode);
/* The mode of the addresses after a marker (PERF_CONTEXT_*) in a callchain; mode is that of the
 * addresses before it. An unknown marker makes the mode unknown. */
uint16_t pk_context_mode(uint64_t marker, uint16_t mode);

/* The symbol and source lines of an address that are in the stream (SPEC 9.11). Texts are valid
 * until the next record. */
struct pk_stream_place {
	const char *function;
	uint64_t symbol_start, symbol_end; /* the same kind of address as pk_location.address */
	const char *module;		   /* kernel only: NULL is the kernel itself */
	struct pk_range same; /* the range around the address that has the same result */
	/* The functions inlined at the address, innermost first, and last the function that
	 * contains them; NULL: unknown. */
	const struct pk_stream_source {
		uint32_t count;
		struct pk_stream_frame {
			const char *function, *file; /* NULL: unknown */
			uint32_t line, column;
			bool inlined;
		} frames[];
	} * source;
};

#define PK_STREAM_FRAMES_MAX 1024 /* limit for pk_stream_source.count */

/* False: the stream has no symbol for the address; place->source can be set nevertheless. */
bool pk_session_stream_symbol(const struct pk_session *session, const struct pk_location *location,
			      struct pk_stream_place *place);
/* Whether the stream has symbols so far. */
bool pk_session_has_stream_symbols(const struct pk_session *session);
/* Whether symbols were skipped because the stream has too many. */
bool pk_session_stream_symbols_full(const struct pk_session *session);

/* A function that is inlined at an address, and its source line. */
struct pk_inlined {
	const char *function;
	const char *file; /* NULL unknown; copied, like function */
	uint32_t line, column;
};

/* The names of a location. */
struct pk_resolved {
	const char *function; /* NULL unresolved; copied */
	size_t function_size;
	uint64_t symbol_start, symbol_end;
	const char *module; /* the kernel module with the address, if it is not the location's
			     * image; copied; NULL: the image is right */
	bool retry;	    /* a later call can have another result: do not cache this one */
	bool local; /* the result is that of location.pid: another process that has mapped the same
		     * image can have another one */
	bool appeared;	 /* the image had no symbols until now: results for its other addresses
			  * that are cached are out of date */
	bool interrupts; /* the function was not called, but entered by an interruption, for example
			  * a signal: the next address in the chain is not a return address */
	const char *file; /* source of the address in the function itself; NULL: unknown; copied */
	uint32_t line, column;
	const struct pk_inlined *inlined; /* functions inlined into it, the innermost first; valid
					   * until the next call */
	size_t inlined_count;
	/* The range around the location's address that has the same result for the same map and
	 * the same `called`; the same kind of address. to 0: unknown. */
	struct pk_range same;
};

/* Fills *resolved, which is all zero at first. */
typedef void (*pk_resolve_fn)(void *arg, const struct pk_location *location,
			      struct pk_resolved *resolved);

/* What the samples of an event have for finding their user callers. pk-unwind makes callchains of
 * them. */
enum pk_chain_source {
	PK_CHAIN_WHOLE,	      /* the whole callchain, or none: nothing for pk-unwind */
	PK_CHAIN_OF_DUMP,     /* user registers and a part of the stack */
	PK_CHAIN_OF_BRANCHES, /* the processor's call stack (LBR) */
	/* The callchain from frame pointers, and where the return address of a function without a
	 * frame is: on arm64 the link register, on x86 the word at the stack pointer. */
	PK_CHAIN_LACKS_CALLER,
	PK_CHAIN_SOURCES
};

/* The bit of arm64's link register in sample_regs_user. */
#define PK_LINK_REGISTER (UINT64_C(1) << 30)

/* The size of a stack dump, without registers, that has only the return address: pk-record requests
 * it for probes at the first instruction of a function. perf does not unwind such samples. */
#define PK_RETURN_WORD 8

enum pk_chain_source pk_chain_source_of(const struct pk_event *event);

/* PK_CHAIN_LACKS_CALLER: whether the register or the stack dump is there for nothing else, so that
 * pk-unwind removes it. Others were requested by the user, or contain arguments of a probe. */
static inline bool pk_is_only_for_caller(const struct perf_attr *attr)
{
	if (attr->sample_type & PERF_SAMPLE_STACK_USER)
		return attr->sample_stack_user == PK_RETURN_WORD &&
		       !(attr->sample_type & PERF_SAMPLE_REGS_USER);
	return attr->sample_regs_user == PK_LINK_REGISTER;
}

/* Numbers of samples whose callchains pk-unwind has not completed, by pk_chain_source. */
struct pk_partial_chains {
	uint64_t samples[PK_CHAIN_SOURCES];
};

/* Counts a sample of the event, unless its source is PK_CHAIN_WHOLE. */
static inline void pk_partial_chains_count(struct pk_partial_chains *partial,
					   const struct pk_event *event)
{
	const enum pk_chain_source source = pk_chain_source_of(event);

	/* What pk-unwind keeps does not show whether it has run. */
	if (source && (source != PK_CHAIN_LACKS_CALLER || pk_is_only_for_caller(&event->attr)))
		partial->samples[source]++;
}

struct pk_stacks;

/* Sums of all calls of pk_stacks_of(). frames: addresses, without inlined frames. stacks_unmerged:
 * their user half is in a later record. samples_bad: not decodable, and not in samples. */
struct pk_stacks_count {
	uint64_t samples, frames, frames_unresolved, stacks_truncated, stacks_unmerged, samples_bad;
	struct pk_partial_chains partial;
};

/* What has its own frame in the dictionary: each function, or each address (with its function). The
 * results of resolve() are cached for a function, or for an address. */
enum pk_frames_of {
	PK_FRAMES_OF_FUNCTIONS,
	PK_FRAMES_OF_ADDRESSES,
	/* Addresses, but those of callers are in their calls: the return address minus 1. So each
	 * address can be looked up without the stack that it was in. */
	PK_FRAMES_OF_CALLS,
};

/* The address of a frame for PK_FRAMES_OF_CALLS. called: it is a return address, unless a function
 * starts there (symbol_start). */
static inline uint64_t pk_call_address(uint64_t address, uint64_t symbol_start, bool called)
{
	return called && address && address != symbol_start ? address - 1 : address;
}

/* The dictionary stays the caller's. resolve may be NULL: all frames stay unresolved. */
struct pk_stacks *pk_stacks_new(struct pk_dictionary *dictionary, enum pk_frames_of frames,
				pk_resolve_fn resolve, void *arg);
/* Changes how frames are made. Call it only before pk_stacks_forget(). */
void pk_stacks_frames(struct pk_stacks *stacks, enum pk_frames_of frames, pk_resolve_fn resolve,
		      void *arg);
void pk_stacks_free(struct pk_stacks *stacks);
/*
 * The stack of a SAMPLE in the dictionary: the comm at the root, then the callers, the leaf last.
 * The leaf is the function of the sample's ip. The callers are those of the callchain, or none if
 * there is no address in it. If the callchain starts elsewhere than at the ip, its first address
 * - is left out if it is in the function of the ip;
 * - is left out if its caller is in the function of the ip: the interrupt came after a call;
 * - else is that of the ip's caller: the interrupt came after a return.
 * Of a sample in user mode, the kernel's addresses are left out.
 * 0: the sample cannot be decoded, or memory is exhausted. Stacks are cached by their addresses,
 * maps, comm and processor mode.
 */
uint32_t pk_stacks_of(struct pk_stacks *stacks, struct pk_session *session,
		      const struct pk_event *event, const struct pk_record *record);
/* Sets whether stacks have from now on only the comm and the frames of the innermost address (and
 * of those inlined there). Then frames and frames_unresolved count innermost addresses only, and no
 * stack counts as truncated. Call it only before pk_stacks_forget(). */
void pk_stacks_leaves(struct pk_stacks *stacks, bool leaves);
/* Sets whether samples can have a chain trailer (PK_TRAILER_CHAIN) from now on. mark: a stack whose
 * trailer reports missing callers gets a frame "[stack truncated]" in their place, next to the
 * root. */
void pk_stacks_trailers(struct pk_stacks *stacks, bool present, bool mark);
/* Clears the caches. Call it for a new session, which has other images and comms, and after a reset
 * of the dictionary. */
void pk_stacks_forget(struct pk_stacks *stacks);
/* Whether the last stack is known to lack callers. */
bool pk_stacks_truncated(const struct pk_stacks *stacks);
void pk_stacks_counted(const struct pk_stacks *stacks, struct pk_stacks_count *count);

/* ---- Periods ---- */

/* How many events a sample stands for. If it has counter values with ids (PERF_SAMPLE_READ,
 * PERF_FORMAT_ID): for every counter of the group, the increase since the previous sample (of the
 * thread, if the event is inherited). Else its period; if it has none, the event's period, or 1 if
 * the event has a frequency. */
struct pk_periods;

typedef enum pk_status (*pk_period_fn)(void *arg, const struct pk_event *event, uint64_t period);

struct pk_periods *pk_periods_new(void);
void pk_periods_free(struct pk_periods *periods);
/* Forgets the previous counter values. Call it for a new session, whose counters start again. */
void pk_periods_forget(struct pk_periods *periods);
/* Calls each for every event that the SAMPLE stands for, with the number; not for an event whose
 * counter is unchanged. Stops when each returns an error, and returns it. PK_CORRUPT: the record is
 * malformed. */
enum pk_status pk_periods_of(struct pk_periods *periods, const struct pk_events *events,
			     const struct pk_event *event, const struct pk_record *record,
			     pk_period_fn each, void *arg);

/* ---- Losses ---- */

struct pk_losses {
	uint64_t samples;      /* number of SAMPLE records */
	uint64_t lost_records; /* sum of PERF_RECORD_LOST */
	uint64_t lost_samples; /* sum of PERF_RECORD_LOST_SAMPLES, except those of BPF filters */
	struct {
		uint64_t count, total; /* total 0: unknown */
	} causes[PK_LOSS_CAUSE_MAX];
};

/* Adds a record: counts it if it is a SAMPLE, and adds the numbers of LOST, LOST_SAMPLES and LOSS.
 */
void pk_losses_record(struct pk_losses *losses, const struct pk_record *record);
void pk_losses_add(struct pk_losses *losses, enum pk_loss_cause cause, uint64_t count,
		   uint64_t total);

#endif
