/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_LOCATE_H
#define PK_LOCATE_H

/* Finds the image and the address in the image for a sampled address. The names at this location
 * come from a callback (pk_resolve_fn). */

#include "range.h"
#include "session.h"

/* The location of an address. */
struct pk_location {
	const struct pk_image *image; /* NULL if the address is not in mapped memory */
	uint64_t address;	      /* address in the image; virtual address without an image */
	uint64_t ip;
	uint64_t map_start,
		map_end; /* start and end of the map that contains ip; 0 if there is no image */
	uint64_t offset; /* the offset of ip in the mapped file or other mapped object */
	uint32_t pid;	 /* the process that has created the map; 0 if the map is not a map of user
			  * memory */
	uint32_t flags;	 /* PK_FRAME_KERNEL, _USER, _GUEST, _HYPERVISOR; 0 if it is unknown */
	/* ip is a return address. The call instruction ends just before it. */
	bool called;
	/* The map is anonymous memory in the middle of the code of the image. The code was probably
	 * moved there. map_start and map_end are those of the memory. */
	bool moved;
	/* The image has no name for the address. Only the perf map of the process can have one.
	 * pk_stacks sets this when a location is resolved again. */
	bool nameless;
};

/* Returns the location of ip. mode is one of the values PERF_RECORD_MISC_* in
 * PERF_RECORD_MISC_CPUMODE_MASK. `called` is false in the result, and the caller sets it. */
struct pk_location pk_session_locate(const struct pk_session *session,
				     const struct pk_thread *thread, uint64_t ip, uint16_t mode);
/* Returns the map of a user address, or NULL if there is none. JIT code that a jitdump describes
 * has precedence over maps without a file. */
const struct pk_map *pk_process_find(const struct pk_process *process, uint64_t ip);
/* Returns the mode of the addresses after a marker (PERF_CONTEXT_*) in a callchain. mode is the
 * mode of the addresses before the marker. After an unknown marker, the mode is unknown. */
uint16_t pk_context_mode(uint64_t marker, uint16_t mode);

/* A function that is inlined at an address, and its source line. */
struct pk_inlined {
	const char *function;
	const char *file; /* source file; NULL if it is unknown; the caller copies this text and
			   * `function` */
	uint32_t line, column;
};

/* The names of a location. */
struct pk_resolved {
	const char *function; /* NULL if it is unresolved; the caller copies the text */
	size_t function_size;
	uint64_t symbol_start, symbol_end;
	/* The kernel module that contains the address, if it is not the image of the location. The
	 * caller copies the text. It is NULL if the image is correct. */
	const char *module;
	bool retry;    /* A later call can have another result, so this result may not be cached. */
	bool local;    /* The result is only valid for the process location.pid. It can be different
			* for another process that has mapped the same image. */
	bool appeared; /* The image had no symbols until now. Cached results for its other addresses
			* are out of date. */
	bool interrupts; /* The function was not called, but entered by an interruption, for example
			  * a signal. The next address in the callchain is not a return address. */
	const char *file; /* The source file of the address in the function itself. NULL if it is
			   * unknown. The caller copies the text. */
	uint32_t line, column;
	const struct pk_inlined *inlined; /* functions that are inlined here, innermost first; valid
					   * until the next call */
	size_t inlined_count;
	/* The range of addresses around the location that have the same result. The range is only
	 * valid for the same map, the same `called` and the same kind of address. `to` is 0 if the
	 * range is unknown. */
	struct pk_range same;
};

/* Sets *resolved, whose members are all zero at first. */
typedef void (*pk_resolve_fn)(void *arg, const struct pk_location *location,
			      struct pk_resolved *resolved);

#endif
