/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TOP_BROWSER_H
#define PK_TOP_BROWSER_H

/* The content of the screen, and the effects of keys. */

#include "annotation.h"
#include "outline_text.h"
#include "top.h"

struct browser {
	/* Set by the caller: */
	const struct top_options *options;
	struct pk_run *run;
	struct reporter *reporter;
	/* The caller may read the following members: */
	bool frozen, quit;
	bool leaving; /* no more keys will come, so the program ends when the input has ended */
	bool again;   /* the inputs must be read again, because the user has changed the columns of
		       * the table */
	/* The caller may use the following members: */
	struct outline outline;
	struct outline_texts texts; /* texts of the outline */
	char message[512];	    /* message in the last line, or "" */
	char head[256];		    /* a text about the last interval, for the head of the screen */
	bool changed;		    /* the screen must be drawn again */
	uint64_t offset; /* offset of the last record in the input, in bytes; it is used to show the
			  * progress */
	/* Private: */
	struct annotation annotation;
	bool source; /* annotations contain source lines */
	char *function, *object;
	enum browser_page { PAGE_TABLE, PAGE_ANNOTATION, PAGE_HELP } page, before_help;
	struct prompt {
		enum { PROMPT_NONE, PROMPT_SEARCH, PROMPT_FILTER, PROMPT_BY, PROMPT_FILE } kind;
		char text[256];
		size_t size;
	} prompt;
	char searched[256]; /* the last text of a search, or "" */
	int typed[16]; /* keys that the user has pressed while pk-annotate was running, and that are
			* not handled yet */
	size_t typed_count;
	struct buffer line;
};

/* Handles a key. See enum screen_key for the keys that are not characters. */
void browser_key(struct browser *browser, int key);
/* If there is a new message on stderr, shows it in the last line. */
void browser_hear(struct browser *browser);
/* Calculates the table from the samples that were read so far. */
PK_MUST_CHECK enum pk_status browser_refresh(struct browser *browser);
/* Draws the screen. */
void browser_draw(struct browser *browser);
void browser_free(struct browser *browser);

/* Returns true if all inputs are files or directories, so that they can be read again. */
bool browser_reads_files(const struct pk_run *run);

#endif
