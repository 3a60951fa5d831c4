/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef EXPORT_VALUE_TYPES_H
#define EXPORT_VALUE_TYPES_H

/* The values of each stack in formats with several of them: the number of its samples, and the sum
 * of weights of each event. */

#include "cells.h"
#include "samples.h"

/* A stream with many events would need too much space. */
#define VALUES_MAX 256

struct value_types {
	struct value_type {
		const char *name, *unit; /* "nanoseconds", "bytes", "count" */
	} types[VALUES_MAX];
	unsigned int count;
	bool weights;	  /* a series has a type of its own, from type 1 on */
	uint64_t dropped; /* samples of series beyond VALUES_MAX */
};

void value_types_init(struct value_types *types, const struct export_samples *samples);
/* Adds the samples and weight of a cell to the values of its stack. */
void value_types_add(struct value_types *types, const struct cell *cell, uint64_t *values);
/* The fixed period of a series, or the mean of periods that vary. */
uint64_t value_types_period(const struct series *series);
/* Reports what was dropped. Returns result, or PK_EXIT_FAILED. */
int value_types_report(const struct value_types *types, int result);

#endif
