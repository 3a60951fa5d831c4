/* SPDX-License-Identifier: BSD-2-Clause */
/* The file of a kernel (vmlinux) whose branches are counted. A kernel has other addresses in memory
 * than in its file if it was moved at boot (KASLR). */
#ifndef PGO_KERNEL_H
#define PGO_KERNEL_H

#include "pgo_counts.h"

/* Opens a file. Returns NULL if it is not a kernel, if it cannot be read, or if memory is
 * exhausted. The path must stay valid. */
struct pgo_kernel *pgo_kernel_open(const char *path);
void pgo_kernel_close(struct pgo_kernel *kernel);

/* Sets the start, the end and the shift of the place that contains an address of the image in
 * memory. The shift leads to the offset in the file. Returns false if the file does not contain the
 * address. */
bool pgo_kernel_place(struct pgo_kernel *kernel, const struct pk_image *image, uint64_t address,
		      struct pgo_place *place);
/* Returns whether the file had the symbols that tell how far the kernel was moved. Prints an error
 * message with the path if it had not. */
bool pgo_kernel_check(const struct pgo_kernel *kernel, const char *path);

#endif
