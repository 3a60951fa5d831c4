/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TOP_ANNOTATION_H
#define PK_TOP_ANNOTATION_H

/* The output of pk-annotate for a function, as lines to browse. All zero is valid. */

#include <stdbool.h>
#include <stddef.h>

struct annotation {
	unsigned int height; /* number of visible lines; set by the caller */
	/* For reading: */
	struct annotation_line {
		const char *text;
		size_t size;
		double share; /* in percent */
	} * lines;
	size_t count, selected, top;
	/* Private: */
	char *text;
	size_t size, capacity;
};

/* Splits a copy of a text into lines, and selects the hottest one. False: out of memory. */
bool annotation_set(struct annotation *annotation, const char *text, size_t size);
void annotation_select(struct annotation *annotation, size_t line);
void annotation_move(struct annotation *annotation, long lines);
/* Selects the next line in the order of shares: colder ones with step 1, hotter ones with -1. From
 * the coldest hot line, the hottest one follows. */
void annotation_next(struct annotation *annotation, int step);
void annotation_hottest(struct annotation *annotation);
void annotation_free(struct annotation *annotation);

#endif
