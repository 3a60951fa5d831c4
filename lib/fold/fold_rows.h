/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_FOLD_ROWS_H
#define PK_FOLD_ROWS_H

/* The options of pk_fold(). */

#include "fold.h"
#include "options.h"

/* The option rows, whose members are in struct pk_fold_options. */
extern const struct pk_option pk_fold_rows[];

#endif
