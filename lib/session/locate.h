/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_LOCATE_H
#define PK_LOCATE_H

/* The image and the place in it of a sampled address, and the names of that place, which come from
 * a callback (pk_resolve_fn). */

#include "range.h"
#include "session.h"

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

/* The location of ip. mode is a PERF_RECORD_MISC_ value under PERF_RECORD_MISC_CPUMODE_MASK.
 * `called` is false in the result. The caller sets it. */
struct pk_location pk_session_locate(const struct pk_session *session,
				     const struct pk_thread *thread, uint64_t ip, uint16_t mode);
/* The map of a user address. JIT code that a jitdump describes has precedence over maps without a
 * file. NULL: none. */
const struct pk_map *pk_process_find(const struct pk_process *process, uint64_t ip);
/* The mode of the addresses after a marker (PERF_CONTEXT_*) in a callchain; mode is that of the
 * addresses before it. An unknown marker makes the mode unknown. */
uint16_t pk_context_mode(uint64_t marker, uint16_t mode);

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
	/* The range around the location's address that has the same result for the same map, the
	 * same `called` and the same kind of address. `to` is 0 if the range is unknown. */
	struct pk_range same;
};

/* Fills *resolved, which is all zero at first. */
typedef void (*pk_resolve_fn)(void *arg, const struct pk_location *location,
			      struct pk_resolved *resolved);

#endif
