/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_PROGRESS_LINE_H
#define PK_RECORD_PROGRESS_LINE_H

/* What a user at a terminal sees of a recording: a line on stderr that is updated during the
 * recording, and a last line that stays. Both are only printed on a terminal, not with -q,
 * and not if the stream goes to another program, which may draw on the same terminal (pk-top). */

#include <stdbool.h>
#include <stdint.h>

struct progress_line {
	bool wanted, shown; /* it may be printed; it is on the screen */
	uint64_t start,
		next; /* as record_now(): the start, and the earliest time for the next line */
};

/* What was recorded so far. */
struct progress_numbers {
	uint64_t samples, lost, bytes; /* lost: records; bytes: written, after compression */
};

/* alone: no command of the user writes to the terminal, so that a line can be replaced. */
void progress_line_start(struct progress_line *line, bool alone);
/* Prints the line if it is time for it: after one second, then each second. */
void progress_line_update(struct progress_line *line, const struct progress_numbers *numbers);
/* Removes the line, before other messages are printed. */
void progress_line_end(struct progress_line *line);
/* Prints "captured N samples in M MB to FILE". file NULL: stdout. */
void progress_line_summary(const struct progress_numbers *numbers, const char *file);

#endif
