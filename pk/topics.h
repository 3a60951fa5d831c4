/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef TOPICS_H
#define TOPICS_H

/* The help that pk prints about its commands. It comes from share/pk/commands, whose lines have the
 * form TOPIC NAME: PIPELINE. */

#include <stdbool.h>

#include "data_lines.h"

/* The command of this name, or NULL. If several topics have one, the last counts. */
const struct data_line *command_find(const struct data_lines *lines, const char *name);
/* Prints all topics, with their questions and commands. */
void topics_print(const struct data_lines *lines);
/* Prints a topic, or a command: pipelines and manual pages. Returns the exit status, or -1 if there
 * is no such name. */
int topic_print(const struct data_lines *lines, const char *name);

#endif
