/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_SNAPSHOT_INTERPRETERS_H
#define PK_RECORD_SNAPSHOT_INTERPRETERS_H

/*
 * Frames of interpreters in snapshots. While a thread is stopped, its frames are read by the
 * functions that the BPF programs of --call-graph unwind use. pk-unwind puts them to their places
 * between the native frames, because the native stack is not unwound yet.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "buffer.h"
#include "interpreted_frames.h"
#include "record_options.h"

struct interpreted_walk;

/* The interpreter of a process. */
struct snapshot_interpreter {
	uint32_t layout; /* number of its layout plus 1; 0 if the process has no interpreter */
	struct interpreter_places places; /* with the addresses of the process */
};

/* The frames of an interpreter in a stack. */
struct snapshot_words {
	struct buffer entries; /* uint64_t: words and notes (interpreted_groups.h) */
	uint64_t stamp, when;  /* see struct interpreted_use */
	uint64_t stamp_at;     /* see interpreted_frames_process() */
};

/* The state of reading frames of interpreters in snapshots. */
struct snapshot_interpreters {
	enum interpreter_mode mode;
	struct interpreter_layouts layouts;
	struct interpreted_frames frames;
	struct pk_table files; /* struct known_file by a hash of device and inode */
	struct interpreted_walk *walk;
	uint64_t torn; /* number of stacks that lack frames */
};

/* Writes the definitions that precede samples. Does nothing if `mode` is INTERPRETER_MODE_NONE. */
enum pk_status snapshot_interpreters_start(struct snapshot_interpreters *s,
					   enum interpreter_mode mode, struct pk_writer *writer);
/* Call it before each snapshot. */
void snapshot_interpreters_round(struct snapshot_interpreters *s);
/* Finds the interpreter of a process by its maps. */
void snapshot_interpreters_find(struct snapshot_interpreters *s, pid_t pid,
				struct snapshot_interpreter *found);
/* Reads the frames of a thread that does not run. Clears `words` if there are none. */
void snapshot_interpreters_read(struct snapshot_interpreters *s,
				const struct snapshot_interpreter *interpreter, pid_t pid,
				uint64_t thread_pointer, struct snapshot_words *words);
/* Call it in place of snapshot_interpreters_read() if the thread could not be stopped. If the
 * process has an interpreter, the stack lacks its frames. */
void snapshot_interpreters_lack(struct snapshot_interpreters *s,
				const struct snapshot_interpreter *interpreter,
				struct snapshot_words *words);
/* Replaces the words by their addresses in the stream. Writes the definitions of the addresses.
 * `use` describes the sample, without stamp and when. */
void snapshot_interpreters_name(struct snapshot_interpreters *s,
				const struct snapshot_interpreter *interpreter,
				const struct interpreted_use *use, struct snapshot_words *words);
/* Reports frames that are missing. */
void snapshot_interpreters_report(const struct snapshot_interpreters *s);
void snapshot_interpreters_free(struct snapshot_interpreters *s);

#endif
