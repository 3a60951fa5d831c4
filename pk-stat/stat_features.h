/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_STAT_FEATURES_H
#define PK_STAT_FEATURES_H

/* Features of a stream of counts: the machine. */

#include "pkstream.h"
#include "stat.h"

/* Those of system_features_write(), and CMDLINE. */
void stat_write_features(struct pk_writer *writer, const struct stat_options *options);

#endif
