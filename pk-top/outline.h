/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_TOP_OUTLINE_H
#define PK_TOP_OUTLINE_H

/*
 * The outline is the list of lines of the table in a browser. It has the rows, and below each open
 * row the branches of its call tree. One line is selected, and some of the lines are visible.
 * outline_text.h makes the texts of the lines. A struct is valid if `reporter` and `height` are set
 * and all other bytes are zero.
 */

#include "call_tree.h"
#include "reporter.h"

#define OUTLINE_ZOOMS 8
/* Maximum number of branches. Further branches are not shown, because opening all trees must not
 * take long. */
#define OUTLINE_BRANCHES_MAX 100000

/* A line of the outline: a row of the table, or a branch of the row's call tree. */
struct outline_line {
	uint64_t hash; /* private: a hash that identifies the branch */
	uint32_t row;
	uint32_t node;	/* a node of the call tree of the row; 0 if the line is the row itself */
	uint16_t level; /* depth of the branch in the outline; the first level is 1; 0 if the line
			 * is the row itself */
	bool joined;	/* The branch is the only branch of the line above it, so its share is not
			 * shown. */
	enum { OUTLINE_LEAF, OUTLINE_CLOSED, OUTLINE_OPEN } state;
};

/* The lines of the outline, and the selection of the user. */
struct outline {
	const struct reporter *reporter; /* calculates the table; the caller must refresh it before
					  * it calls outline_refresh() */
	unsigned int height;		 /* number of lines that are visible at the same time */
	/* True if callers are the parents of callees in the call trees. False for the reverse.
	 * After a change, the caller of these functions must call outline_update(). */
	bool caller;
	/* The caller may read the following members: */
	struct outline_line *lines;
	size_t count, selected, top; /* `top` is the index of the first visible line */
	bool cut; /* some branches are not shown, because there are more than OUTLINE_BRANCHES_MAX
		   */
	size_t sheet; /* index of the sheet that is shown */
	char *event;  /* Name of the event of the shown sheet. NULL if no sheet was shown yet, or if
		       * the only sheet has all events. */
	char *filter; /* a text; only rows that contain it are shown; NULL to show all rows */
	struct outline_zoom {
		unsigned int field; /* column of the groups */
		char *text;	    /* the value that the rows must have; a number is in decimal */
	} zooms[OUTLINE_ZOOMS];	    /* only rows that have all these values are shown */
	unsigned int zooms_count;
	/* Private: */
	size_t capacity, branches;
	uint64_t generation; /* value of reporter->generation when the lines were made; used to find
			      * out whether they are out of date */
	uint64_t selected_row; /* hash of the selected row */
	struct pk_table open;  /* hashes of the lines that the user has opened */
	uint64_t secret;
	bool all_open;
	struct call_tree *trees; /* call trees of the rows that were open since the last refresh */
	size_t trees_count, trees_capacity;
	struct pk_table tree_numbers; /* finds the index of a row's tree in `trees`, plus 1 */
	bool trees_caller;	      /* value of `caller` for which the trees were made */
	struct pk_table matches; /* cached results of the filter, by column and text of the cell */
	struct buffer cell;
};

/* Makes the lines again. Call it after each change of the outline. The selected line stays selected
 * if it still exists. */
PK_MUST_CHECK enum pk_status outline_update(struct outline *outline);
/* Makes the lines and the trees again. Call it after a refresh of the reporter. */
PK_MUST_CHECK enum pk_status outline_refresh(struct outline *outline);
/* Moves the selection down by this number of lines. A negative number moves it up. */
void outline_move(struct outline *outline, long lines);
void outline_select(struct outline *outline, size_t line);
/* Opens or closes the selected line. Returns false if the line has no branches. */
bool outline_open(struct outline *outline, bool open);
/* Opens or closes all lines. */
void outline_open_all(struct outline *outline, bool open);
/* Selects the parent of the selected branch. This is the row, or another branch. Returns false if
 * the selected line is a row. */
bool outline_leave(struct outline *outline);
/* Shows only the rows that have the same value of a field as the selected row. If the field already
 * has such a zoom, removes it. Returns false if the table has no such field, or if no zoom can be
 * added. */
bool outline_zoom(struct outline *outline, const char *field);
/* Does what outline_zoom() does, with the first field of the table that has no zoom. Returns false
 * if there is no such field, or if there are too many zooms. */
bool outline_zoom_next(struct outline *outline);
/* Removes the last zoom. Returns false if there is no zoom. */
bool outline_zoom_out(struct outline *outline);
/* Sets the filter. NULL or "" removes it. */
enum pk_status outline_filter(struct outline *outline, const char *text);
/* Shows the sheet of the next event. With a negative step, shows the sheet of the previous event.
 */
void outline_next_sheet(struct outline *outline, int step);
/* Returns the shown sheet, or NULL if there are no samples. */
const struct sheet *outline_sheet(const struct outline *outline);
/* These functions return the function and the object of the selected line, or NULL if it is
 * unknown. The result is valid until the next call of any function of this file. */
const char *outline_function(struct outline *outline);
const char *outline_object(struct outline *outline);
/* Returns true if rows have call trees. */
bool outline_has_trees(const struct outline *outline);
/* Returns the call tree of an open row. Returns NULL if the row is not open. */
const struct call_tree *outline_tree(const struct outline *outline, uint32_t row);
/* Returns the share of a line in percent. */
double outline_share(const struct outline *outline, size_t line);
/* Removes the zooms and the filter, and closes all lines. */
void outline_reset(struct outline *outline);
void outline_free(struct outline *outline);

#endif
