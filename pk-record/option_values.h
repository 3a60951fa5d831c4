/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_OPTION_VALUES_H
#define PK_OPTION_VALUES_H

/* The arguments of options. */

#include "record_options.h"

enum {
	OPTION_CALL_GRAPH = 256,
	OPTION_MAX_STACK,
	OPTION_FOR,
	OPTION_VERSION,
	OPTION_ALL_CGROUPS,
	OPTION_ALL_KERNEL,
	OPTION_ALL_USER,
	OPTION_BLOCK,
	OPTION_BPF,
	OPTION_BPF_INTERVAL,
	OPTION_BUFFER,
	OPTION_C2C,
	OPTION_CODE_PAGE_SIZE,
	OPTION_CONTROL,
	OPTION_DATA_PAGE_SIZE,
	OPTION_FAIL_ON,
	OPTION_FILTER,
	OPTION_KEEP,
	OPTION_KERNEL_CALLCHAINS,
	OPTION_LABEL,
	OPTION_LDLAT,
	OPTION_LIST,
	OPTION_LIST_LINES,
	OPTION_LIST_VARS,
	OPTION_LIST_FUNCTIONS,
	OPTION_DRY_RUN,
	OPTION_CHECK,
	OPTION_MAX_SIZE,
	OPTION_MEM,
	OPTION_NAMESPACES,
	OPTION_STRINGS,
	OPTION_OFF_CPU,
	OPTION_OVERWRITE,
	OPTION_INCLUDE_SELF,
	OPTION_GO_RETURNS,
	OPTION_INHERIT,
	OPTION_PHYS_DATA,
	OPTION_PID_FILE,
	OPTION_PROBE,
	OPTION_SAMPLE_CPU,
	OPTION_SPLIT,
	OPTION_SWITCH_EVENTS,
	OPTION_TRANSACTION,
	OPTION_USER_CALLCHAINS,
	OPTION_EVENTS_DIR,
	OPTION_EXCLUDE_SELF,
	OPTION_NO_BPF_EVENT,
	OPTION_NO_BUFFERING,
	OPTION_NOTHING, /* accepted for compatibility with perf record, and ignored */
	OPTION_PER_THREAD,
	OPTION_RUNNING_TIME,
	OPTION_SAMPLE_IDENTIFIER,
	OPTION_STRICT_FREQ,
	OPTION_USER_REGS,
};

/* Handles an option with an argument; false: the argument is invalid. */
bool parse_argument(struct options *options, int option, const char *text);
/* The expected argument, for a message "must be ...". */
const char *option_wants(int option);
/* Handles an option without argument that only sets a value. False: it is another option. */
bool parse_switch(struct options *options, int option);

#endif
