/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_REPORT_ARGUMENTS_H
#define PK_REPORT_ARGUMENTS_H

/* The options of the programs that show reports: which samples, columns, rows and trees. */

#include <getopt.h>

#include "reporter.h"
#include "symbol_options.h"

enum {
	REPORT_OPT_BY = 1200,
	REPORT_OPT_SHOW,
	REPORT_OPT_PERIOD,
	REPORT_OPT_CHILDREN,
	REPORT_OPT_NO_CHILDREN,
	REPORT_OPT_WEIGHT,
	REPORT_OPT_UNIT,
	REPORT_OPT_ORDER,
	REPORT_OPT_DEPTH,
	REPORT_OPT_PERCENT_LIMIT,
	REPORT_OPT_FULL_PATHS,
	REPORT_OPT_TID,
	REPORT_OPT_TIME,
	REPORT_OPT_WHERE,
	REPORT_OPT_DECAY,
	REPORT_OPT_PARENT,
	REPORT_OPT_PERCENTAGE,
	REPORT_OPT_SOCKET,
};

#define REPORT_SHORT "s:F:ng:Ge:p:C:c:d:S:"

/* clang-format off */
#define REPORT_LONG                                                                                \
	{"by", required_argument, NULL, REPORT_OPT_BY},                                            \
	{"sort", required_argument, NULL, 's'},                                                    \
	{"show", required_argument, NULL, REPORT_OPT_SHOW},                                        \
	{"fields", required_argument, NULL, 'F'},                                                  \
	{"show-nr-samples", no_argument, NULL, 'n'},                                               \
	{"show-total-period", no_argument, NULL, REPORT_OPT_PERIOD},                               \
	{"children", no_argument, NULL, REPORT_OPT_CHILDREN},                                      \
	{"no-children", no_argument, NULL, REPORT_OPT_NO_CHILDREN},                                \
	{"weight", required_argument, NULL, REPORT_OPT_WEIGHT},                                    \
	{"unit", required_argument, NULL, REPORT_OPT_UNIT},                                        \
	{"order", required_argument, NULL, REPORT_OPT_ORDER},                                      \
	{"percent-limit", required_argument, NULL, REPORT_OPT_PERCENT_LIMIT},                      \
	{"call-graph", required_argument, NULL, 'g'},                                              \
	{"inverted", no_argument, NULL, 'G'},                                                      \
	{"max-depth", required_argument, NULL, REPORT_OPT_DEPTH},                                  \
	{"full-paths", no_argument, NULL, REPORT_OPT_FULL_PATHS},                                  \
	{"event", required_argument, NULL, 'e'},                                                   \
	{"pid", required_argument, NULL, 'p'},                                                     \
	{"tid", required_argument, NULL, REPORT_OPT_TID},                                          \
	{"cpu", required_argument, NULL, 'C'},                                                     \
	{"comm", required_argument, NULL, 'c'},                                                    \
	{"dso", required_argument, NULL, 'd'},                                                     \
	{"symbol", required_argument, NULL, 'S'},                                                  \
	{"time", required_argument, NULL, REPORT_OPT_TIME},                                        \
	{"where", required_argument, NULL, REPORT_OPT_WHERE},                                      \
	{"socket-filter", required_argument, NULL, REPORT_OPT_SOCKET},                             \
	{"percentage", required_argument, NULL, REPORT_OPT_PERCENTAGE},                            \
	{"parent", required_argument, NULL, REPORT_OPT_PARENT},                                    \
	{"no-inline", no_argument, NULL, PK_OPT_NO_INLINE},                                        \
	{"decay", no_argument, NULL, REPORT_OPT_DECAY}
/* clang-format on */

/* The lines of --help for the columns, and for the samples. */
#define REPORT_COLUMNS_HELP                                                                        \
	"      --by=FIELD,...    comm,dso,symbol (default), pid, cpu, time:100ms, "                \
	"bytes:log2 ...; none\n"                                                                   \
	"  -s, --sort=KEY,...    the same, with the names of perf report\n"                        \
	"      --show=NUMBER,... children, share, samples, period, latency, sum(FIELD), avg, "     \
	"min,\n"                                                                                   \
	"                        max, peak, stddev, p50, p99.9, distinct, count, first, last\n"    \
	"  -F, --fields=LIST     all columns, in this order; +LIST adds columns\n"                 \
	"  -n, --show-nr-samples, --show-total-period   add samples, period\n"                     \
	"      --children, --no-children   the share with and without callees\n"                   \
	"      --parent=GLOB     the outermost function of this name: the field parent\n"          \
	"      --weight=WHAT     period (default), samples, latency, FIELD\n"                      \
	"      --unit=ns|us|ms|s|K|M|G,...   units of numbers in the table\n"
#define REPORT_SAMPLES_HELP                                                                        \
	"  -e, --event=GLOB  -p, --pid=LIST  --tid=LIST  -C, --cpu=LIST  -c, --comm=GLOB\n"        \
	"  -d, --dso=GLOB  -S, --symbol=GLOB  --time=FROM,TO|+FROM,+TO   (!VALUE: not)\n"          \
	"      --socket-filter=LIST   processor sockets  --percentage=relative\n"                  \
	"      --where=EXPR      such as 'bytes > 4k && prev_comm ~ \"ng*\"'\n"                    \
	"      --symfs=DIR, --kallsyms=FILE, --debug-dir=DIR, --no-inline ...  as in\n"            \
	"                        pk-symbolize, for unsymbolized files and data types\n"

struct report_arguments {
	struct layout_options layout;
	struct report_options report;
};

/* The values before the first option. */
#define REPORT_ARGUMENTS                                                                           \
	{                                                                                          \
		.report.tail.symbols = {.no_lines = true, .tried = pk_report_tried},               \
		.report.tail.weigh = {.kind = PK_WEIGHT_PERIOD, .each_event = true},               \
		.report.graph = {.threshold = 0.5, .depth = GRAPH_DEPTH_DEFAULT},                  \
	}

/* Handles a result of pk_getopt, with optarg. -1: continue; 0: not such an option; else the exit
 * status. */
int pk_report_option(struct report_arguments *arguments, int c);
/* After the last option: makes the layout. -1: continue; else the exit status. */
int pk_report_arguments_finish(struct report_arguments *arguments);
void pk_report_arguments_free(struct report_arguments *arguments);

#endif
