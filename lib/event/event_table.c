// SPDX-License-Identifier: BSD-2-Clause
#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "event.h"

struct named {
	const char *name;
	uint32_t type, config;
};

static const struct named named[] = {
	{"cpu-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
	{"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
	{"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
	{"cache-references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES},
	{"cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
	{"branch-instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
	{"branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
	{"branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES},
	{"bus-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BUS_CYCLES},
	{"stalled-cycles-frontend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND},
	{"idle-cycles-frontend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND},
	{"stalled-cycles-backend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND},
	{"idle-cycles-backend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND},
	{"ref-cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES},
	{"cpu-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK},
	{"task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK},
	{"page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
	{"faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
	{"context-switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES},
	{"cs", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES},
	{"cpu-migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS},
	{"migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS},
	{"minor-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN},
	{"major-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ},
	{"alignment-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_ALIGNMENT_FAULTS},
	{"emulation-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_EMULATION_FAULTS},
	{"dummy", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY},
	{"bpf-output", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_BPF_OUTPUT},
	{"cgroup-switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CGROUP_SWITCHES},
};

#define ROWS(table) (sizeof(table) / sizeof((table)[0]))

static const char *const cache_names[] = {
	"L1-dcache-loads", "L1-dcache-load-misses", "L1-dcache-stores", "L1-dcache-prefetches",
	"L1-icache-loads", "L1-icache-load-misses", "LLC-loads",	"LLC-load-misses",
	"LLC-stores",	   "LLC-store-misses",	    "dTLB-loads",	"dTLB-load-misses",
	"dTLB-stores",	   "dTLB-store-misses",	    "iTLB-loads",	"iTLB-load-misses",
	"branch-loads",	   "branch-load-misses",    "node-loads",	"node-load-misses",
	"node-stores",
};

const char *pk_event_name_at(size_t index)
{
	if (index < ROWS(named))
		return named[index].name;
	index -= ROWS(named);
	return index < ROWS(cache_names) ? cache_names[index] : NULL;
}

static bool is_match(const char *pattern, size_t index)
{
	return named[index].type == PERF_TYPE_SOFTWARE && !fnmatch(pattern, named[index].name, 0);
}

size_t pk_event_match(const char *pattern, size_t index)
{
	for (; index < ROWS(named); index++) {
		bool known = !is_match(pattern, index);

		for (size_t i = 0; !known && i < index; i++)
			known = named[i].config == named[index].config && is_match(pattern, i);
		if (!known)
			return index;
	}
	return SIZE_MAX;
}

const char *pk_event_generic_name(uint64_t config)
{
	for (size_t i = 0; i < ROWS(named); i++)
		if (named[i].type == PERF_TYPE_HARDWARE && named[i].config == config)
			return named[i].name;
	return NULL;
}

/* Cache events are CACHE[-OPERATION][-RESULT]. They have an operation, a result or both. Each row
 * of these tables has the spellings that perf accepts for one number. The number is the index of
 * the row, and a part of attr.config. */
#define SPELLINGS 5
static const char *const caches[][SPELLINGS] = {
	{"L1-dcache", "l1-d", "l1d", "L1-data"},
	{"L1-icache", "l1-i", "l1i", "L1-instruction"},
	{"LLC", "L2"},
	{"dTLB", "d-tlb", "Data-TLB"},
	{"iTLB", "i-tlb", "Instruction-TLB"},
	{"branch", "branches", "bpu", "btb", "bpc"},
	{"node"},
};
static const char *const operations[][SPELLINGS] = {
	{"loads", "load", "read"},
	{"stores", "store", "write"},
	{"prefetches", "prefetch", "speculative-read", "speculative-load"},
};
static const char *const results[][SPELLINGS] = {
	{"refs", "Reference", "ops", "access"},
	{"misses", "miss"},
};

/* Finds the longest spelling with which text starts, followed by '-' or the end of the text.
 * Returns the index of its row, or -1 if there is none. Moves *text after the spelling and the '-'.
 */
static int parse_word(const char **text, const char *const table[][SPELLINGS], size_t rows)
{
	size_t longest = 0;
	int found = -1;

	for (size_t row = 0; row < rows; row++) {
		for (size_t i = 0; i < SPELLINGS && table[row][i]; i++) {
			const size_t size = strlen(table[row][i]);

			if (size <= longest || strncasecmp(*text, table[row][i], size) ||
			    ((*text)[size] && (*text)[size] != '-'))
				continue;
			longest = size;
			found = (int)row;
		}
	}
	if (found >= 0)
		*text += longest + ((*text)[longest] == '-');
	return found;
}

static bool cache_event(const char *name, uint64_t *config)
{
	int cache, operation, result = -1;

	cache = parse_word(&name, caches, ROWS(caches));
	if (cache < 0 || !*name)
		return false;
	operation = parse_word(&name, operations, ROWS(operations));
	if (*name)
		result = parse_word(&name, results, ROWS(results));
	if (*name || (operation < 0 && result < 0))
		return false;
	operation = operation < 0 ? 0 : operation;
	result = result < 0 ? 0 : result;
	*config = (uint64_t)cache | (uint64_t)operation << 8 | (uint64_t)result << 16;
	return true;
}

static bool raw_event(const char *name, uint64_t *config)
{
	char *end;

	if (name[0] != 'r' || !isxdigit((unsigned char)name[1]))
		return false;
	errno = 0;
	*config = strtoull(name + 1, &end, 16);
	return !*end && !errno;
}

bool pk_event_by_name(const char *name, struct perf_attr *attr)
{
	for (size_t i = 0; i < ROWS(named); i++) {
		if (strcmp(name, named[i].name))
			continue;
		attr->type = named[i].type;
		attr->config = named[i].config;
		return true;
	}
	if (cache_event(name, &attr->config)) {
		attr->type = PERF_TYPE_HW_CACHE;
		return true;
	}
	if (raw_event(name, &attr->config)) {
		attr->type = PERF_TYPE_RAW;
		return true;
	}
	return false;
}
