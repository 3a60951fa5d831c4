/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef RUN_PIPELINE_H
#define RUN_PIPELINE_H

#include "pipeline.h"

/* Starts all programs and waits for their ends. Ctrl-C and signals to pk end the first program
 * only: the others finish. A second signal ends them, too. When the last program ends, the first
 * one is ended. Returns the exit status of the last program that failed, 0 if none has; 127 or 126
 * after a message if a program is not found or cannot be run. */
int pipeline_run(struct pipeline *pipeline);

#endif
