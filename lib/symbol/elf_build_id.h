/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ELF_BUILD_ID_H
#define PK_ELF_BUILD_ID_H

#include "build_id.h"
#include "elf_image.h"

/* False: the file has none; id->size is 0 then. */
bool pk_elf_build_id(const struct pk_elf *elf, struct pk_build_id *id);

#endif
