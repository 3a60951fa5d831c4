/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_BPF_UNWIND_SHAPES_H
#define PK_RECORD_BPF_UNWIND_SHAPES_H

/* What the BPF programs of --call-graph unwind and pk-record share. */

#include <stdint.h>

#include "offcpu_block.h"

/* ---- Memory ---- */

/* Arenas are pieces of memory that pk-record fills. A place is a number of bytes from the start of
 * the first arena. The content of a place does not cross the end of its arena. */
#define UNWIND_ARENA_BITS 20u
#define UNWIND_ARENA_SIZE (1u << UNWIND_ARENA_BITS)
#define UNWIND_ARENAS_MAX 112u

/* The rules of all objects, each once: struct pk_unwind_rule. Rule 0 is PK_UNWIND_NONE, rule 1
 * PK_UNWIND_BAD. */
#define UNWIND_RULES_MAX 65536u

/* ---- Objects ---- */

/* The code of an object is divided into chunks of 64 KiB, and a chunk into blocks of 256 bytes. The
 * map `chunks` has the place of each chunk, in 8 bytes. */
#define UNWIND_CHUNK_BITS 16u
#define UNWIND_BLOCK_BITS 8u
#define UNWIND_BLOCKS	  (1u << (UNWIND_CHUNK_BITS - UNWIND_BLOCK_BITS))
#define UNWIND_CHUNKS_MAX 131072u

/* Instead of a place, if the rows of a chunk have not been made. The second one: pk-record has a
 * request for them. Places are smaller. */
#define UNWIND_UNMADE_PLACE UINT64_MAX
#define UNWIND_ASKED_PLACE  (UINT64_MAX - 1)

struct unwind_row {
	uint16_t start; /* first byte, relative to the chunk */
	uint16_t rule;
};

/* What is at the place of a chunk. */
struct unwind_chunk {
	/* Index of the last row that starts at or before the start of the block. At the end, it is
	 * the index of the last row. */
	uint16_t first[UNWIND_BLOCKS + 1];
	uint16_t unused;
	struct unwind_row rows[]; /* sorted; the first one starts at 0 */
};

/* ---- Files ---- */

/* Each mapped file has a number, which a program or pk-record gives to it: the next one of struct
 * unwind_numbers. Number 0 is anonymous memory, 1 the vDSO. */
#define UNWIND_OBJECT_BITS 14u
#define UNWIND_OBJECTS_MAX (1u << UNWIND_OBJECT_BITS)
#define UNWIND_VDSO	   1u

/* What identifies the content of a file, as the kernel has it: the key of the map `files`. */
struct unwind_file {
	uint64_t inode, size, seconds;
	uint32_t nanoseconds,
		device; /* of the last change; as in the kernel: major << 20 | minor */
};

struct unwind_numbers {
	uint32_t next;		 /* number of a file */
	uint32_t unused;	 /* for alignment */
	uint64_t full;		 /* maps of files without a number, because there are no more */
	uint64_t generation;	 /* the last one of struct unwind_seen */
	uint64_t processes_full; /* maps of processes that were dropped, because there are too many
				  */
};

enum unwind_object_state {
	UNWIND_UNKNOWN, /* pk-record has not read the file */
	UNWIND_ASKED,	/* nor has it yet, but it has a request */
	UNWIND_LOADED
};

#define UNWIND_LOADS_MAX 4u

/* Code of a file, in pages of 4 KiB. */
struct unwind_load {
	uint32_t first, pages;
	uint32_t chunk;	 /* the chunk with the start of the first page */
	uint32_t offset; /* of that start in the chunk, less than its size */
};

/* The value of a number in the map `objects`. */
struct unwind_object_code {
	uint32_t state;				    /* enum unwind_object_state */
	uint32_t used;				    /* set by the programs when they use it */
	struct unwind_load loads[UNWIND_LOADS_MAX]; /* others have no pages */
	uint32_t python;  /* number of its layout of CPython, plus 1; 0: it has none */
	uint32_t unused;  /* for alignment */
	uint64_t runtime; /* of _PyRuntime, relative to where the file would start in memory */
};

/* ---- Processes ---- */

#define UNWIND_PROCESSES_MAX 16384u
#define UNWIND_NO_CHUNK	     UINT32_MAX /* no call frame information */

/* An executable map of a process, in pages of 4 KiB. */
struct unwind_map {
	uint64_t place; /* page where it starts << UNWIND_OBJECT_BITS | number of its file */
	uint32_t pages;
	uint32_t first; /* its first page in the file */
};

#define UNWIND_MAP_START(place)	 (((place) >> UNWIND_OBJECT_BITS) << 12)
#define UNWIND_MAP_OBJECT(place) ((uint32_t)(place) & (UNWIND_OBJECTS_MAX - 1))

/* The maps that the programs have met, and read from the kernel's memory: the value of a process
 * (tgid) in the map `seen`. */
#define UNWIND_SEEN_MAX 64u

struct unwind_seen {
	uint32_t count, unused;
	uint64_t generation;			 /* the same only if all maps are the same; not 0 */
	struct unwind_map maps[UNWIND_SEEN_MAX]; /* sorted */
};

/* A record in the ring `requests`: to read a file, by a map of a process; or to make a chunk. */
struct unwind_request {
	uint32_t pid;	 /* 0: read the rings, which have new frames of Python */
	uint32_t object; /* its number */
	uint32_t chunk;	 /* UNWIND_NO_CHUNK: the file is not known yet */
	uint32_t unused;
	uint64_t address; /* in that map */
};

/* ---- Programs ---- */

/* So many programs can use the memory of a CPU at a time: one interrupts the other. */
#define UNWIND_SCRATCHES 4u

/* ---- Results ---- */

#define UNWIND_FRAMES_MAX 512u

/* Bits of `end` besides enum pk_unwind_end. */
#define UNWIND_BY_FRAME                                                                            \
	0x100u		   /* callers of code without information were found by the frame pointer */
#define UNWIND_DUMP 0x200u /* the half has a dump instead of addresses */
#define UNWIND_PYTHON_TORN                                                                         \
	0x400u /* frames of Python are missing: they could not be read, or matched no native one   \
		*/

/* If maps or tables are not loaded yet, the half has the registers and the top of the stack. */
#define UNWIND_STACK_MAX 16384u

struct unwind_dump {
	uint64_t pc, sp, fp, lr, base, argument; /* as in struct pk_unwind_state */
	uint64_t pid;
	struct unwind_seen seen;
	uint8_t stack[UNWIND_STACK_MAX];
};

/* The user half of a sample: the raw data of a sample of a bpf-output event, before the sample to
 * which it belongs. In these, raw data start at an odd multiple of 4. */
struct __attribute__((packed)) unwind_half {
	uint64_t ip; /* of the sample; 0: unknown; of a block: when it started */
	uint32_t tid;
	uint32_t end;	/* enum pk_unwind_end, UNWIND_BY_FRAME */
	uint32_t count; /* of addresses; of a dump: bytes of the stack */
	uint64_t stamp; /* if an interpreter still has this one, the code objects of the frames are
			 * the same as at the time of the sample; 0: unknown */
	uint64_t when;	/* the time of the sample, of CLOCK_MONOTONIC, if it has such frames, or 0
			 */
	union {
		uint64_t addresses[UNWIND_FRAMES_MAX]; /* callers: return addresses less one */
		struct unwind_dump dump;
	};
};

/* Constants of the programs, which are set before they are loaded. */
struct unwind_settings {
	uint32_t frames;     /* limit for addresses, at most UNWIND_FRAMES_MAX */
	uint32_t known_only; /* of tracepoints and probes: only processes in the map `processes`,
			      * and their children */
	uint32_t interpreters_too; /* keep the native frames that frames of Python replace */
	struct offcpu_settings off_cpu;
};

#endif
