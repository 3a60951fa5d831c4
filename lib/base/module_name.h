/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the names of kernel modules in the paths of their files. */
#ifndef PK_MODULE_NAME_H
#define PK_MODULE_NAME_H

#include <stdbool.h>
#include <stddef.h>

/* Returns the address of the suffix of a module's file in the path: ".ko", ".ko.gz", ".ko.xz" or
 * ".ko.zst". Returns NULL if the path is not the path of a module. */
const char *pk_module_suffix(const char *path);

/* Writes the kernel's name of the module in this file. For "/lib/modules/.../nf-nat.ko.xz" the name
 * is "nf_nat". Returns false if the path is not the path of a module, or if the name does not fit
 * in `size` bytes. */
bool pk_module_name(const char *path, char *name, size_t size);

#endif
