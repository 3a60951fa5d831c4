/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_LIST_PROBES_H
#define PK_LIST_PROBES_H

/* Lists what can be probed in an object. The lists come from the debugging information, and are
 * printed on stdout. `object` is the path of an ELF file, or NULL for the kernel. Each function
 * closes stdout, and returns the exit status. */

struct event_list;

/* Lists the source of functions or of a file. The lines that have code are numbered. The text is
 * FUNCTION or FILE, and :LINE or :FIRST-LAST can follow it. For a function, the numbers are
 * relative to its first line, which has the number 0. */
int pk_list_lines(const char *object, const char *text);
/* Lists the variables at each place that the text selects, with their types and locations. The text
 * has the syntax of --probe. If the text is @GLOB, lists the global variables whose names match. */
int pk_list_variables(const char *object, const char *text);
/* Lists the functions whose names match a shell pattern, and where each function is declared. */
int pk_list_functions(const char *object, const char *glob);
/* The option --dry-run. Lists the events. For a probe, also lists its places, and what its
 * arguments read. */
int pk_list_dry_run(const struct event_list *events);

#endif
