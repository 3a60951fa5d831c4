/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TOP_VIEW_H
#define PK_TOP_VIEW_H

/*
 * The lines of the table as a browser shows them: rows, and below the open ones the branches of
 * their trees. A line is selected, and a part of the lines is visible. view_text.h makes their
 * texts. A struct of all zero bytes with `reporter` and `height` is valid.
 */

#include "call_tree.h"
#include "reporter.h"

#define VIEW_ZOOMS 8
/* Further branches are not shown: to open all trees must not take long. */
#define VIEW_BRANCHES_MAX 100000

struct view_line {
	uint64_t hash; /* private: of a branch */
	uint32_t row;
	uint32_t node;	/* of the row's tree; 0: the row itself */
	uint16_t level; /* of the branch, from 1 on; 0: the row */
	bool joined;	/* the only branch of the line before: it has no share of its own */
	enum { VIEW_LEAF, VIEW_CLOSED, VIEW_OPEN } state;
};

struct screen_view {
	const struct reporter *reporter; /* refreshed */
	unsigned int height;		 /* number of visible lines */
	bool caller;			 /* trees start with the caller; change it, and update */
	/* For reading: */
	struct view_line *lines;
	size_t count, selected, top; /* top: the first visible line */
	bool cut;		     /* there are more than VIEW_BRANCHES_MAX branches */
	size_t sheet;		     /* index of the shown one */
	char *event;		     /* its name; NULL: the first sheet, or all events */
	char *filter;		     /* rows with this text; NULL: all */
	struct view_zoom {
		unsigned int field; /* column of the groups */
		char *text;	    /* the value; of a number: in decimal */
	} zooms[VIEW_ZOOMS];	    /* only rows with these values */
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

/* Makes the lines again, after each change of the view. The selected line stays the same if it
 * still exists. False: out of memory. */
bool view_update(struct screen_view *view);
/* The same after a refresh of the reporter. */
bool view_refresh(struct screen_view *view);
/* Selects a line: so many lines further down, or up. */
void view_move(struct screen_view *view, long lines);
void view_select(struct screen_view *view, size_t line);
/* Opens or closes the selected line. False: it has no branches. */
bool view_open(struct screen_view *view, bool open);
/* Opens or closes all lines. */
void view_open_all(struct screen_view *view, bool open);
/* Selects the row, or the branch, that the selected line is a branch of. False: it is a row. */
bool view_leave(struct screen_view *view);
/* Shows only rows that have the selected row's value of a field; if this was done before, all rows
 * again. False: the table has no such field, or there are too many zooms. */
bool view_zoom(struct screen_view *view, const char *field);
/* The same with the first field that has different values in the rows. */
bool view_zoom_next(struct screen_view *view);
/* Removes the last zoom. False: there is none. */
bool view_zoom_out(struct screen_view *view);
/* Sets the filter. NULL or "": none. False: out of memory. */
bool view_filter(struct screen_view *view, const char *text);
/* Shows the sheet of the next event, or of the one before. */
void view_next_sheet(struct screen_view *view, int step);
/* The sheet; NULL: there are no samples. */
const struct sheet *view_sheet(const struct screen_view *view);
/* The function and the object of the selected line. NULL: unknown. Valid until the next call of any
 * function. */
const char *view_function(struct screen_view *view);
const char *view_object(struct screen_view *view);
/* Whether rows have trees. */
bool view_has_trees(const struct screen_view *view);
/* The tree of an open row. NULL: it is not open. */
const struct call_tree *view_tree(const struct screen_view *view, uint32_t row);
/* The share of a line in percent. */
double view_share(const struct screen_view *view, size_t line);
/* Forgets zooms, the filter and what is open. */
void view_reset(struct screen_view *view);
void view_free(struct screen_view *view);

#endif
