/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_SANDBOX_H
#define PK_SANDBOX_H

#include <stdbool.h>

/*
 * What a program that reads recordings may still do after its output is open: read files, and write
 * to open descriptors. Code that a hostile input has smuggled into the program cannot start
 * programs, open sockets, send signals, trace processes, or create, change and remove files.
 *
 * A seccomp filter (Linux 3.17) permits the listed system calls only. A program that creates files
 * while it runs declares their folders; Landlock (Linux 5.13) then refuses all others. Without such
 * folders, the filter refuses to open files for writing; unnamed temporary files are the exception.
 * Landlock also hides the files of other processes below /proc; so programs that look for objects
 * there use the filter only.
 *
 * Where the kernel or the architecture lacks one of them, the program runs without it, and -v
 * reports it. Builds with sanitizers have no sandbox: the leak check traces its own process.
 */

#include <stdbool.h>

/* The state of the process. Everything but entering must be declared before the sandbox is entered.
 */

/* The program wants a sandbox: pk_run() enters it. */
void pk_sandbox_want(void);
/* The program runs without a sandbox, because of --no-sandbox, or because it records or starts
 * other programs. */
void pk_sandbox_off(void);
/* Files will be created, replaced and removed in this folder, or in the one that contains the file
 * at path. */
void pk_sandbox_folder(const char *folder);
void pk_sandbox_folder_of(const char *path);
/* The same for folders that are not known yet: anywhere. */
void pk_sandbox_write_anywhere(void);

/* Enters the sandbox, if one is wanted. Only the first call has an effect. */
void pk_sandbox_enter(void);
/* Whether it was entered, and whether it will be. */
bool pk_sandbox_entered(void);
bool pk_sandbox_wanted(void);

/* ---- A helper process that opens sockets ---- */

/* The first call in the helper: forgets the declarations of the program. */
void pk_sandbox_start_helper(void);
/* It may read this file, or the files below this folder, too. */
void pk_sandbox_readable(const char *path);
/* Enters a sandbox with sockets and threads. Files can be created in the declared folders, and read
 * there and where pk_sandbox_readable() says, nowhere else (with Landlock). */
void pk_sandbox_enter_helper(void);

#endif
