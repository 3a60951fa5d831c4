/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_STAT_FEATURES_H
#define PK_STAT_FEATURES_H

/* Writes the features at the start of a stream of counts. */

#include "pkstream.h"
#include "stat.h"

/* Writes the features of system_features_write(), and CMDLINE. */
void stat_write_features(struct pk_writer *writer, const struct stat_options *options);

#endif
