/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_BPF_UNWIND_SHAPES_H
#define PK_RECORD_BPF_UNWIND_SHAPES_H

/* Structures that the BPF programs of --call-graph unwind share with pk-record. */

#include <stdint.h>

#include "interpreted_shapes.h"
#include "offcpu_block.h"

/* ---- Memory ---- */

/* Arenas are blocks of memory of equal size that pk-record fills, and that the BPF programs read. A
 * place is an offset in bytes from the start of the first arena, as if the arenas followed each
 * other. What is stored at a place is completely in one arena. */
#define UNWIND_ARENA_BITS 20u
#define UNWIND_ARENA_SIZE (1u << UNWIND_ARENA_BITS)
#define UNWIND_ARENAS_MAX 112u

/* Maximum number of unwind rules (struct pk_unwind_rule). All files share the rules, and each rule
 * is stored only once. Rule 0 is PK_UNWIND_NONE, and rule 1 is PK_UNWIND_BAD. */
#define UNWIND_RULES_MAX 65536u

/* ---- Objects ---- */

/* The code of a file is divided into chunks of 64 KiB, and a chunk into blocks of 256 bytes. The
 * map `chunks` has the place of each chunk, as a number of 8 bytes. */
#define UNWIND_CHUNK_BITS 16u
#define UNWIND_BLOCK_BITS 8u
#define UNWIND_BLOCKS	  (1u << (UNWIND_CHUNK_BITS - UNWIND_BLOCK_BITS))
#define UNWIND_CHUNKS_MAX 131072u

/* These values replace the place of a chunk whose rows are not made yet. The value is
 * UNWIND_ASKED_PLACE if a request to make the chunk was sent to pk-record. All places are smaller
 * than these values. */
#define UNWIND_UNMADE_PLACE UINT64_MAX
#define UNWIND_ASKED_PLACE  (UINT64_MAX - 1)

/* A range of code that has the same unwind rule. It ends at the start of the next row. */
struct unwind_row {
	uint16_t start; /* offset in the chunk, in bytes, of the first byte of code to which the
			 * rule applies */
	uint16_t rule;
};

/* The unwind rules of a chunk, which are stored at the place of the chunk. */
struct unwind_chunk {
	/* For each block, the index of the last row that starts at or before the start of the
	 * block. The additional item at the end is the index of the last row of the chunk. */
	uint16_t first[UNWIND_BLOCKS + 1];
	uint16_t unused;
	struct unwind_row rows[]; /* sorted by start; the first row starts at 0 */
};

/* ---- Files ---- */

/* Each mapped file gets a number that identifies it, from a BPF program or from pk-record. The next
 * free number is unwind_numbers.next. Number 0 is anonymous memory, and number 1 is the vDSO. */
#define UNWIND_OBJECT_BITS 14u
#define UNWIND_OBJECTS_MAX (1u << UNWIND_OBJECT_BITS)
#define UNWIND_VDSO	   1u

/* What identifies a file and its content. It is the key of the map `files`. */
struct unwind_file {
	uint64_t inode, size, seconds;
	uint32_t nanoseconds,
		device; /* `seconds` and `nanoseconds` are the time of the last change. `device` is
			 * major << 20 | minor, as in the kernel. */
};

/* The numbers and counts that pk-record and the BPF programs change. It is the only value in the
 * map `numbers`. */
struct unwind_numbers {
	uint32_t next;	 /* the number that the next new file gets */
	uint32_t unused; /* for alignment */
	uint64_t full; /* how often a map had a file without a number, because all numbers were used
			*/
	uint64_t generation;	 /* the last unwind_seen.generation that was used */
	uint64_t processes_full; /* how often the maps of a process could not be stored, because
				  * there were too many processes */
};

/* Whether the BPF programs can use the unwind rules of a file. */
enum unwind_object_state {
	UNWIND_UNKNOWN, /* pk-record has not read the file, and has no request to read it */
	UNWIND_ASKED,	/* pk-record has not read the file yet, but it has a request to read it */
	UNWIND_LOADED
};

#define UNWIND_LOADS_MAX 4u

/* A part of a file that has code. `first` and `pages` are in pages of 4 KiB. */
struct unwind_load {
	uint32_t first, pages;
	uint32_t chunk;	 /* number of the chunk that contains the start of the first page */
	uint32_t offset; /* offset of the start of the first page in this chunk, in bytes */
};

/* What the BPF programs know about a file. It is the value in the map `objects`, in which the index
 * is the number of the file. */
struct unwind_object_code {
	uint32_t state;	      /* enum unwind_object_state */
	uint32_t interpreter; /* if the file is an interpreter, the number of its layout plus 1;
			       * otherwise 0 */
	/* The parts with code; unused items have no pages. */
	struct unwind_load loads[UNWIND_LOADS_MAX];
	struct interpreter_places places;
};

/* ---- Processes ---- */

#define UNWIND_PROCESSES_MAX 16384u
#define UNWIND_NO_CHUNK	     UINT32_MAX /* for code without call frame information */

/* An executable map of a process. `pages` and `first` are in pages of 4 KiB. */
struct unwind_map {
	uint64_t place; /* the page at which the map starts << UNWIND_OBJECT_BITS | the number of
			 * the map's file */
	uint32_t pages;
	uint32_t first; /* the page of the file that is the first page of the map */
};

#define UNWIND_MAP_START(place)	 (((place) >> UNWIND_OBJECT_BITS) << 12)
#define UNWIND_MAP_OBJECT(place) ((uint32_t)(place) & (UNWIND_OBJECTS_MAX - 1))

/* The known maps of a process: those that the BPF programs needed, and have read from the kernel.
 * They are the value in the map `seen`, in which the key is the pid (tgid). */
#define UNWIND_SEEN_MAX 64u

/* The known executable maps of a process. */
struct unwind_seen {
	uint32_t count, unused;
	uint64_t generation; /* A number, never 0, that changes when the maps change. If two
			      * processes have the same number, they have the same maps. */
	struct unwind_map maps[UNWIND_SEEN_MAX]; /* sorted by start */
};

/* Size of the ring buffer `requests`, in bytes. */
#define UNWIND_REQUESTS_SIZE 65536u

/* A request to pk-record, in the ring buffer `requests`. It is a request to read a file, to make a
 * chunk, or to read the rings. */
struct unwind_request {
	uint32_t pid; /* Process that needs the file or chunk. 0 requests to read the rings, because
		       * they have new frames of interpreters. */
	uint32_t object; /* number of the file to read; 0 in requests to make a chunk */
	uint32_t chunk;	 /* number of the chunk to make; UNWIND_NO_CHUNK in other requests */
	uint32_t unused;
	uint64_t address; /* an address in a map of the file */
};

/* ---- Programs ---- */

/* The number of struct scratch of each CPU. It is the maximum number of programs that run on a CPU
 * at the same time, because one can interrupt another. */
#define UNWIND_SCRATCHES 4u

/* ---- Results ---- */

#define UNWIND_FRAMES_MAX 512u /* maximum number of native frames */

/* Maximum number of addresses of a half. */
#define UNWIND_ADDRESSES_MAX (UNWIND_FRAMES_MAX + INTERPRETED_WORDS_MAX)

/* Bits of unwind_half.end. They are added to the value of enum pk_unwind_end. */
#define UNWIND_BY_FRAME                                                                            \
	0x100u /* a caller was found by the frame pointer, for lack of call frame information */
#define UNWIND_DUMP 0x200u /* the half has a dump instead of addresses */
/* Frames of an interpreter are missing, because they could not be read or did not match the native
 * frames. */
#define UNWIND_TORN 0x400u
/* There was no room for the outermost frames of the interpreter. */
#define UNWIND_WORDS_CUT 0x800u

/* Size in bytes of the stack in a dump. A half has a dump (the registers and the top of the stack)
 * if maps or tables are not loaded yet. */
#define UNWIND_STACK_MAX 16384u

/* A dump: the registers of a thread, the known maps of its process, and the top of its stack. */
struct unwind_dump {
	uint64_t pc, sp, fp, lr, base, argument; /* the registers, as in struct pk_unwind_state */
	uint64_t pid;
	struct unwind_seen seen;
	uint8_t stack[UNWIND_STACK_MAX];
};

/* A half: the user part of a sample's stack. The kernel part is in the sample. The half is the raw
 * data of a bpf-output sample, which comes before the sample to which the half belongs. The struct
 * is packed because raw data start at an odd multiple of 4 bytes in such samples. */
struct __attribute__((packed)) unwind_half {
	uint64_t ip; /* `ip` of the sample, or 0 if it is unknown. In a half of a block (--off-cpu),
		      * it is the start of the block. */
	uint32_t tid;
	uint32_t end;	/* how the stack ends: enum pk_unwind_end, with the bits UNWIND_* from above
			 */
	uint32_t count; /* number of addresses; if the half has a dump, the number of bytes of the
			 * stack */
	/* The stamp of the interpreter (python_offsets.stamp) at the time of the sample. While the
	 * interpreter has the same stamp, its code objects are those of the sample. 0 if the stamp
	 * is unknown. */
	uint64_t stamp;
	uint64_t when; /* time of the sample in ns of CLOCK_MONOTONIC; 0 if the half has no frames
			* of interpreters */
	union {
		/* The leaf is first. For callers, the value is the return address minus 1. Frames
		 * of interpreters follow the native frames, see interpreted_shapes.h. */
		uint64_t addresses[UNWIND_ADDRESSES_MAX];
		struct unwind_dump dump;
	};
};

/* Constants of the BPF programs. pk-record sets them before it loads the programs. */
struct unwind_settings {
	uint32_t frames;     /* maximum number of frames; at most UNWIND_FRAMES_MAX */
	uint32_t known_only; /* If it is 1, the programs of tracepoints and probes handle only the
			      * processes in the map `processes`, and their children. */
	struct offcpu_settings off_cpu;
};

#endif
