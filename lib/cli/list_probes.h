/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_LIST_PROBES_H
#define PK_LIST_PROBES_H

/* What can be probed in an object, by its debugging information, on stdout. object: an ELF file;
 * NULL: the kernel. Each function closes stdout, and returns the exit status. */

struct event_list;

/* Lists the source of functions or of a file. Lines with code have their number. The text is
 * FUNCTION, with numbers from its first line on, or FILE. Either can be followed by :LINE or
 * :FIRST-LAST. */
int pk_list_lines(const char *object, const char *text);
/* Lists the variables at each place of a text as in --probe, with their types and locations. For
 * @GLOB, lists the global variables that match. */
int pk_list_variables(const char *object, const char *text);
/* The functions that match a shell pattern, and where each is declared. */
int pk_list_functions(const char *object, const char *glob);
/* For --dry-run: lists the events. Of probes, it also lists the places, and what their arguments
 * read. */
int pk_list_dry_run(const struct event_list *events);

#endif
