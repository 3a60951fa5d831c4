/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXPORT_LABEL_COLUMNS_H
#define EXPORT_LABEL_COLUMNS_H

/* The labels of samples as columns of rows. */

#include "row_writer.h"
#include "samples.h"

void label_headings(struct row_writer *writer, const struct export_samples *samples);
void label_columns(struct row_writer *writer, const struct export_samples *samples, uint32_t row);

#endif
