/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TOPICS_H
#define TOPICS_H

/* The help of pk about its commands. It comes from share/pk/commands. The lines of this file have
 * the form TOPIC NAME: PIPELINE. */

#include <stdbool.h>

#include "data_lines.h"

/* Returns the command with this name, or NULL. If several topics have such a command, returns the
 * last one. */
const struct data_line *command_find(const struct data_lines *lines, const char *name);
/* Prints all topics, with their questions and commands. */
void topics_print(const struct data_lines *lines);
/* Prints the help about a topic or a command, with pipelines and manual pages. Returns the exit
 * status. Returns -1 if there is no topic or command with this name. */
int topic_print(const struct data_lines *lines, const char *name);

#endif
