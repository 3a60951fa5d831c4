/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_ANNOTATE_MACHINE_NAME_H
#define PK_ANNOTATE_MACHINE_NAME_H

#include "object_code.h"

/* The machine that uname(2) calls so; all zero: unknown. */
struct pk_machine machine_of_name(const char *name);

#endif
