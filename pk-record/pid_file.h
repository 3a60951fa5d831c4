/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_PID_FILE_H
#define PK_RECORD_PID_FILE_H

/* A file that holds our pid while we run, and is locked: of those that use the same, one runs. */

/* The descriptor; -1 after a message. */
int pid_file_create(const char *path);
/* Removes the file. -1: there is none. */
void pid_file_remove(const char *path, int fd);

#endif
