/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SANDBOX_H
#define PK_SANDBOX_H

#include <stdbool.h>

/*
 * Limits what a program that reads recordings can do after it has opened its output. It can read
 * files, and write to open descriptors. If hostile input makes the program execute foreign code,
 * this code cannot start programs, open sockets, send signals, trace processes, or create, change
 * and remove files.
 *
 * A seccomp filter (Linux 3.17) allows only the listed system calls. If a program creates files
 * while it runs, it declares their folders. Landlock (Linux 5.13) then refuses changes in all other
 * folders. If the program declares no folder, the filter refuses to open files for writing. Only
 * temporary files without a name are allowed. Landlock also hides the files of other processes in
 * /proc. So a program that looks for objects there uses only the filter.
 *
 * If the kernel or the architecture does not have the filter or Landlock, the program runs without
 * it. With -v, the program reports this. Builds with sanitizers have no sandbox, because the leak
 * check traces its own process.
 */

#include <stdbool.h>

/* These functions change the state of the process. Call all functions that declare something before
 * pk_sandbox_enter(). */

/* Declares that the program wants a sandbox, which pk_run() enters. */
void pk_sandbox_want(void);
/* Declares that the program runs without a sandbox. The reason is --no-sandbox, or that the program
 * records or starts other programs. */
void pk_sandbox_off(void);
/* These functions declare a folder in which the program will create, replace and remove files.
 * pk_sandbox_folder_of() declares the folder that contains the file at `path`. */
void pk_sandbox_folder(const char *folder);
void pk_sandbox_folder_of(const char *path);
/* Declares that the program will create files in folders that are not known yet. It can then create
 * files anywhere. */
void pk_sandbox_write_anywhere(void);

/* Enters the sandbox if the program wants a sandbox. Only the first call has an effect. */
void pk_sandbox_enter(void);
/* pk_sandbox_entered() returns true if the program has entered the sandbox. pk_sandbox_wanted()
 * returns true if the program will enter it. */
bool pk_sandbox_entered(void);
bool pk_sandbox_wanted(void);

/* ---- A helper process that opens sockets ---- */

/* The helper process calls this function first. Forgets the declarations of the program. */
void pk_sandbox_start_helper(void);
/* Allows the helper to read this file or, if the path is a folder, all files in it. */
void pk_sandbox_readable(const char *path);
/* Enters a sandbox that allows sockets and threads. With Landlock, files can be created and read in
 * the declared folders. Other files can only be read, if they were declared with
 * pk_sandbox_readable(). */
void pk_sandbox_enter_helper(void);

#endif
