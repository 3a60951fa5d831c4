/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_HEAP_H
#define PK_HEAP_H

/* Gives the heap of the program large pages, for programs that read streams. A page fault takes one
 * to two microseconds, and a program that reads a small recording has ten thousand of them with
 * small pages: a sixth of its time. Call it once, before the first record. Where the C library or
 * the kernel cannot do this, nothing changes. */
void pk_heap_prepare(void);

#endif
