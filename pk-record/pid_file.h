/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_PID_FILE_H
#define PK_RECORD_PID_FILE_H

/* A locked file with the pid of this process. Only one recording can use the same file at a time.
 */

/* Creates, locks and writes the file. Returns its descriptor, which must stay open. If it fails,
 * prints a message and returns -1. */
int pid_file_create(const char *path);
/* Removes the file, and closes its descriptor. Does nothing if fd is -1. */
void pid_file_remove(const char *path, int fd);

#endif
