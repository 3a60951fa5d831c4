/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_STAT_RECORDED_PROCESSOR_H
#define PK_STAT_RECORDED_PROCESSOR_H

#include <stdbool.h>
#include <stddef.h>

/* Reads the start of a recording, and writes the processor that it names, in the format of
 * pk_cpuid_text(). Returns false if the recording does not name it, or if it cannot be read. */
bool recorded_processor(const char *path, char *text, size_t size);

#endif
