// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "report_keys.h"

/* perf's keys that are not names of fields, or that mean another field than the one with their
 * name. */
static const struct report_key of_perf[] = {
	{"pid", "tid", "    Pid:Command", STYLE_TASK, NULL},
	{"tgid", "pid", "   Tgid:Command", STYLE_TASK, NULL},
	{"time", "time", "Time", STYLE_TIME, "100ms"},
	{"addr", "ip", "Address", STYLE_PLAIN, NULL},
	{"symbol_iaddr", "symbol", "Code Symbol", STYLE_SYMBOL, NULL},
	{"phys_daddr", "phys_addr", "Data Physical Address", STYLE_PLAIN, NULL},
	{"code_page_size", "code_page_size", "Code Page Size", STYLE_PAGE, NULL},
	{"data_page_size", "data_page_size", "Data Page Size", STYLE_PAGE, NULL},
	{"cycles", "branch_cycles", "Basic Block Cycles", STYLE_PLAIN, NULL},
	{"abort", "branch_abort", "Transaction abort", STYLE_PLAIN, NULL},
	{"transaction", "transaction", "Transaction", STYLE_TX, NULL},
	{"p_stage_cyc", "retire_lat", "Retire Latency", STYLE_PLAIN, NULL},
	{"local_p_stage_cyc", "retire_lat", "Local Retire Latency", STYLE_PLAIN, NULL},
};

static const struct report_key keys[] = {
	{"comm", "comm", "Command", STYLE_PLAIN, NULL},
	{"comm_nodigit", "comm_nodigit", "CommandNoDigit", STYLE_PLAIN, NULL},
	{"dso", "dso", "Shared Object", STYLE_DSO, NULL},
	{"sym", "symbol", "Symbol", STYLE_SYMBOL, NULL},
	{"symbol", "symbol", "Symbol", STYLE_SYMBOL, NULL},
	{"cpu", "cpu", "CPU", STYLE_CPU, NULL},
	{"socket", "socket", "Socket", STYLE_CPU, NULL},
	{"pid", "pid", "Pid", STYLE_PLAIN, NULL},
	{"tid", "tid", "Tid", STYLE_PLAIN, NULL},
	{"tgid", "pid", "Pid", STYLE_PLAIN, NULL},
	{"time", "time", "Time", STYLE_PLAIN, NULL},
	{"srcline", "srcline", "Source:Line", STYLE_PLAIN, NULL},
	{"srcfile", "srcfile", "Source File", STYLE_PLAIN, NULL},
	{"cgroup", "cgroup", "Cgroup", STYLE_PLAIN, NULL},
	{"event", "event", "Event", STYLE_PLAIN, NULL},
	{"weight", "weight", "Weight", STYLE_PLAIN, NULL},
	{"local_weight", "weight", "Local Weight", STYLE_PLAIN, NULL},
	{"ins_lat", "ins_lat", "INSTR Latency", STYLE_PLAIN, NULL},
	{"local_ins_lat", "ins_lat", "Local INSTR Latency", STYLE_PLAIN, NULL},
	{"retire_lat", "retire_lat", "Retire Latency", STYLE_PLAIN, NULL},
	{"local_retire_lat", "retire_lat", "Local Retire Latency", STYLE_PLAIN, NULL},
	{"transaction", "transaction", "Transaction", STYLE_PLAIN, NULL},
	{"type", "type", "Data Type", STYLE_PLAIN, NULL},
	{"typeoff", "typeoff", "Data Type Offset", STYLE_PLAIN, NULL},
	{"typecln", "typecln", "Data Type Cacheline", STYLE_PLAIN, NULL},
	{"symoff", "symoff", "Symbol Offset", STYLE_PLAIN, NULL},
	{"addr", "addr", "Address", STYLE_PLAIN, NULL},
	{"phys_daddr", "phys_addr", "Data Physical Address", STYLE_PLAIN, NULL},
	{"code_page_size", "code_page_size", "Code Page Size", STYLE_PLAIN, NULL},
	{"data_page_size", "data_page_size", "Data Page Size", STYLE_PLAIN, NULL},
	{"parallelism", "parallelism", "Parallelism", STYLE_PLAIN, NULL},
	{"mem", "mem", "Memory access", STYLE_PLAIN, NULL},
	{"mem_op", "mem_op", "Memory operation", STYLE_PLAIN, NULL},
	{"snoop", "snoop", "Snoop", STYLE_PLAIN, NULL},
	{"tlb", "tlb", "TLB access", STYLE_PLAIN, NULL},
	{"locked", "locked", "Locked", STYLE_PLAIN, NULL},
	{"blocked", "blocked", "Blocked", STYLE_PLAIN, NULL},
	{"cacheline", "cacheline", "Data Cacheline", STYLE_PLAIN, NULL},
	{"dcacheline", "cacheline", "Data Cacheline", STYLE_PLAIN, NULL},
	{"data_symbol", "data_symbol", "Data Symbol", STYLE_SYMBOL, NULL},
	{"symbol_daddr", "data_symbol", "Data Symbol", STYLE_SYMBOL, NULL},
	{"data_dso", "data_dso", "Data Object", STYLE_DSO, NULL},
	{"dso_daddr", "data_dso", "Data Object", STYLE_DSO, NULL},
	{"branch_from", "branch_from", "Source Symbol", STYLE_PLAIN, NULL},
	{"symbol_from", "branch_from", "Source Symbol", STYLE_PLAIN, NULL},
	{"branch_to", "branch_to", "Target Symbol", STYLE_PLAIN, NULL},
	{"symbol_to", "branch_to", "Target Symbol", STYLE_PLAIN, NULL},
	{"branch_from_dso", "branch_from_dso", "Source Shared Object", STYLE_DSO, NULL},
	{"dso_from", "branch_from_dso", "Source Shared Object", STYLE_DSO, NULL},
	{"branch_to_dso", "branch_to_dso", "Target Shared Object", STYLE_DSO, NULL},
	{"dso_to", "branch_to_dso", "Target Shared Object", STYLE_DSO, NULL},
	{"branch_from_addr", "branch_from_addr", "Source Address", STYLE_PLAIN, NULL},
	{"addr_from", "branch_from_addr", "Source Address", STYLE_PLAIN, NULL},
	{"branch_to_addr", "branch_to_addr", "Target Address", STYLE_PLAIN, NULL},
	{"addr_to", "branch_to_addr", "Target Address", STYLE_PLAIN, NULL},
	{"mispredict", "mispredict", "Branch Mispredicted", STYLE_PLAIN, NULL},
	{"in_tx", "in_tx", "Branch in transaction", STYLE_PLAIN, NULL},
	{"branch_abort", "branch_abort", "Transaction abort", STYLE_PLAIN, NULL},
	{"branch_cycles", "branch_cycles", "Basic Block Cycles", STYLE_PLAIN, NULL},
};

static const struct report_key *find_key(const struct report_key *list, size_t count,
					 const char *name, size_t size)
{
	for (size_t i = 0; i < count; i++)
		if (strlen(list[i].name) == size && !memcmp(list[i].name, name, size))
			return &list[i];
	return NULL;
}

const struct report_key *pk_report_key_find(const char *name, size_t size, bool perf)
{
	const struct report_key *key =
		perf ? find_key(of_perf, sizeof(of_perf) / sizeof(of_perf[0]), name, size) : NULL;

	return key ? key : find_key(keys, sizeof(keys) / sizeof(keys[0]), name, size);
}

const char *pk_report_key_instead(const char *name)
{
	static const struct {
		const char *name, *instead;
	} missing[] = {
		{"trace", "use the fields of the tracepoint: --by prev_comm,next_comm"},
		{"overhead_sys", "use --by mode"},
		{"overhead_us", "use --by mode"},
		{"overhead_guest_sys", "use --by mode"},
		{"overhead_guest_us", "use --by mode"},
		{"latency_children", "use --show latency, which is without callees"},
		{"weight1", "use --show 'avg(weight)'"},
		{"weight2", "use --show 'avg(ins_lat)'"},
		{"weight3", "use --show 'avg(retire_lat)'"},
		{"op", "use --by mem_op"},
		{"cache", "use --by mem"},
		{"memory", "use --by mem"},
		{"srcline_from", "use --by srcline"},
		{"srcline_to", "use --by srcline"},
		{"symbol_size", "streams do not contain sizes of functions"},
		{"dso_size", "streams do not contain sizes of objects"},
		{"ipc_null", "it needs the instructions between branches"},
		{"ipc_lbr", "it needs the instructions between branches"},
		{"callchain_branch_predicted", "pk has no --branch-history"},
		{"callchain_branch_abort", "pk has no --branch-history"},
		{"callchain_branch_cycles", "pk has no --branch-history"},
		{"simd", "pk-decode does not keep the vector operations of Arm SPE"},
	};

	for (size_t i = 0; i < sizeof(missing) / sizeof(*missing); i++)
		if (!strcmp(missing[i].name, name))
			return missing[i].instead;
	return NULL;
}
