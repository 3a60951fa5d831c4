/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TOP_OUTLINE_H
#define PK_TOP_OUTLINE_H

/*
 * The lines of the table as a browser shows them: rows, and below the open ones the branches of
 * their trees. A line is selected, and a part of the lines is visible. outline_text.h makes their
 * texts. A struct of all zero bytes with `reporter` and `height` is valid.
 */

#include "call_tree.h"
#include "reporter.h"

#define OUTLINE_ZOOMS 8
/* Further branches are not shown: to open all trees must not take long. */
#define OUTLINE_BRANCHES_MAX 100000

struct outline_line {
	uint64_t hash; /* private: of a branch */
	uint32_t row;
	uint32_t node;	/* of the row's tree; 0: the row itself */
	uint16_t level; /* of the branch, from 1 on; 0: the row */
	bool joined;	/* the only branch of the line before: it has no share of its own */
	enum { OUTLINE_LEAF, OUTLINE_CLOSED, OUTLINE_OPEN } state;
};

struct outline {
	const struct reporter *reporter; /* refreshed */
	unsigned int height;		 /* number of visible lines */
	bool caller;			 /* trees start with the caller; change it, and update */
	/* For reading: */
	struct outline_line *lines;
	size_t count, selected, top; /* top: the first visible line */
	bool cut;		     /* there are more than OUTLINE_BRANCHES_MAX branches */
	size_t sheet;		     /* index of the shown one */
	char *event;		     /* its name; NULL: the first sheet, or all events */
	char *filter;		     /* rows with this text; NULL: all */
	struct outline_zoom {
		unsigned int field; /* column of the groups */
		char *text;	    /* the value; of a number: in decimal */
	} zooms[OUTLINE_ZOOMS];	    /* only rows with these values */
	unsigned int zooms_count;
	/* Private: */
	size_t capacity, branches;
	uint64_t generation;   /* of the reporter, when the lines were made */
	uint64_t selected_row; /* hash of the selected row */
	struct pk_table open;  /* hashes of the open lines */
	uint64_t secret;
	bool all_open;
	struct call_tree *trees; /* of the rows that were open since the last refresh */
	size_t trees_count, trees_capacity;
	struct pk_table tree_numbers; /* index in trees + 1, by row */
	bool trees_caller;	      /* `caller` of the trees */
	struct pk_table matches;      /* of the filter, by column and text: while lines are made */
	struct buffer cell;
};

/* Makes the lines again, after each change of the outline. The selected line stays the same if it
 * still exists. */
PK_MUST_CHECK enum pk_status outline_update(struct outline *outline);
/* The same after a refresh of the reporter. */
PK_MUST_CHECK enum pk_status outline_refresh(struct outline *outline);
/* Selects a line: so many lines further down, or up. */
void outline_move(struct outline *outline, long lines);
void outline_select(struct outline *outline, size_t line);
/* Opens or closes the selected line. Returns false if it has no branches. */
bool outline_open(struct outline *outline, bool open);
/* Opens or closes all lines. */
void outline_open_all(struct outline *outline, bool open);
/* Selects the row, or the branch, that the selected line is a branch of. Returns false if it is a
 * row. */
bool outline_leave(struct outline *outline);
/* Shows only rows that have the selected row's value of a field. If this was done before, shows all
 * rows again. Returns false if the table has no such field, or there are too many zooms. */
PK_MUST_CHECK enum pk_status outline_zoom(struct outline *outline, const char *field);
/* The same with the first field that has different values in the rows. */
bool outline_zoom_next(struct outline *outline);
/* Removes the last zoom. Returns false if there is none. */
bool outline_zoom_out(struct outline *outline);
/* Sets the filter. NULL or "" removes it. */
enum pk_status outline_filter(struct outline *outline, const char *text);
/* Shows the sheet of the next event, or of the one before. */
void outline_next_sheet(struct outline *outline, int step);
/* The sheet, or NULL if there are no samples. */
const struct sheet *outline_sheet(const struct outline *outline);
/* The function and the object of the selected line. Returns NULL if it is unknown. Valid until the
 * next call of any function. */
const char *outline_function(struct outline *outline);
const char *outline_object(struct outline *outline);
/* Whether rows have trees. */
bool outline_has_trees(const struct outline *outline);
/* The tree of an open row. Returns NULL if it is not open. */
const struct call_tree *outline_tree(const struct outline *outline, uint32_t row);
/* The share of a line in percent. */
double outline_share(const struct outline *outline, size_t line);
/* Forgets zooms, the filter and what is open. */
void outline_reset(struct outline *outline);
void outline_free(struct outline *outline);

#endif
