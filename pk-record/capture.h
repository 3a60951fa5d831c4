/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_RECORD_CAPTURE_H
#define PK_RECORD_CAPTURE_H

#include "record_options.h"

/* Records according to the options. Prints messages, and returns the exit status of the program. */
int capture_run(struct options *options);

#endif
