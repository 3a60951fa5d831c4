/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef FLEET_H
#define FLEET_H

#include <stdbool.h>

/* pk fleet: the scripts for recordings of many hosts (docs/fleet.md), which are not in PATH. They
 * are in share/pk/fleet or, if pk runs from a build folder, in the folder fleet of the sources. */

/* Becomes the script with the name argv[0], with the other words as its arguments. If only_print is
 * true, prints the path of the script instead. Without a name, or with --help, prints the scripts.
 * Returns the exit status. */
int fleet_run(int argc, char **argv, bool only_print);

#endif
