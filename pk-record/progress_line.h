/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_PROGRESS_LINE_H
#define PK_RECORD_PROGRESS_LINE_H

/* The progress of a recording for a user at a terminal. During the recording, a line on stderr is
 * updated. At the end, a last line stays on the screen. These lines are only printed on a terminal.
 * They are not printed with -q, or if the stream goes to another program, because this program may
 * draw on the same terminal (pk-top). */

#include <stdbool.h>
#include <stdint.h>

/* The line on the terminal that shows the progress of a recording. */
struct progress_line {
	bool wanted, shown;   /* `wanted`: a status line may be printed; `shown`: the line is on the
				 screen */
	uint64_t start, next; /* the time of the start, and the earliest time of the next update, as
				 record_now() returns them */
};

/* What was recorded so far. */
struct progress_numbers {
	uint64_t samples, lost, bytes; /* `lost` is the number of lost records; `bytes` is the size
					* of the output after compression */
};

/* `alone` is set if no command of the user writes to the terminal. Only then can a line be
 * replaced. */
void progress_line_start(struct progress_line *line, bool alone);
/* Prints the line at most once per second. The first line comes after one second. */
void progress_line_update(struct progress_line *line, const struct progress_numbers *numbers);
/* Removes the line. Call it before other messages are printed. */
void progress_line_end(struct progress_line *line);
/* Prints "captured N samples in M MB to FILE". If file is NULL, the output is stdout, and "to FILE"
 * is left out. */
void progress_line_summary(const struct progress_numbers *numbers, const char *file);

#endif
