/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of kernel modules and of their files. */
#ifndef PK_MODULE_NAME_H
#define PK_MODULE_NAME_H

#include <stdbool.h>
#include <stddef.h>

/* The suffix of a module's file, in the path: ".ko", ".ko.gz", ".ko.xz" or ".ko.zst". Returns NULL
 * if it is another file. */
const char *pk_module_suffix(const char *path);

/* The kernel's name of the module in this file: "nf_nat" for "/lib/modules/.../nf-nat.ko.xz".
 * Returns false if it is another file, or size bytes are too few. */
bool pk_module_name(const char *path, char *name, size_t size);

#endif
