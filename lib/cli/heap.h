/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_HEAP_H
#define PK_HEAP_H

/* Gives the heap of the program large pages. This is for programs that read streams. A page fault
 * takes one to two microseconds. With small pages, a program that reads a small recording has ten
 * thousand page faults, which take a sixth of its time. Call this function once, before the first
 * record. If the C library or the kernel does not support large pages for the heap, the function
 * has no effect. */
void pk_heap_prepare(void);

#endif
