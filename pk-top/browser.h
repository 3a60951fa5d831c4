/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TOP_BROWSER_H
#define PK_TOP_BROWSER_H

/* What the screen shows, and what keys change. */

#include "annotation.h"
#include "outline_text.h"
#include "top.h"

struct browser {
	/* Set by the caller: */
	const struct top_options *options;
	struct pk_run *run;
	struct reporter *reporter;
	/* For reading: */
	bool frozen, quit;
	bool again; /* the inputs must be read again, with another layout */
	/* For use by the caller: */
	struct outline outline;
	struct outline_texts texts; /* of the outline */
	char message[512];	    /* in the last line; "": none */
	char head[256];		    /* numbers of the last interval */
	bool changed;		    /* the screen must be drawn */
	uint64_t offset;	    /* of the last record, for the progress */
	/* Private: */
	struct annotation annotation;
	bool source; /* of annotations */
	char *function, *object;
	enum browser_page { PAGE_TABLE, PAGE_ANNOTATION, PAGE_HELP } page, before_help;
	struct prompt {
		enum { PROMPT_NONE, PROMPT_FILTER, PROMPT_BY, PROMPT_FILE } kind;
		char text[256];
		size_t size;
	} prompt;
	int typed[16]; /* keys that were pressed while pk-annotate ran */
	size_t typed_count;
	struct buffer line;
};

/* Handles a key of screen.h. */
void browser_key(struct browser *browser, int key);
/* Sets the message in the last line to the last one of stderr, if there is a new one. */
void browser_hear(struct browser *browser);
/* Calculates the table from the samples so far. */
PK_MUST_CHECK enum pk_status browser_refresh(struct browser *browser);
/* Draws the screen. */
void browser_draw(struct browser *browser);
void browser_free(struct browser *browser);

/* Whether the inputs are files or directories: they can be read again. */
bool browser_reads_files(const struct pk_run *run);

#endif
