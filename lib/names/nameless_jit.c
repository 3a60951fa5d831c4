// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "characters.h"
#include "nameless_jit.h"
#include "pkprivate.h"

#define PERCENT_MIN 5
#define PIDS_MAX    65536 /* limit for the number of entries in pk_nameless_jit.runtimes */
#define MAPPED_MAX  4096  /* limit for the number of maps that are searched */

/* A program that generates code. It is recognised by a file that its processes map. */
static const struct runtime {
	const char *file; /* the start of the file name, without folders */
	bool whole;	  /* true if `file` is the whole file name */
	const char *name, *remedy;
} runtimes[] = {
	{"", true, "programs",
	 "a program that generates code must write its names to /tmp/perf-PID.map"},
	{"libjvm.so", true, "the JVM",
	 "start java with -XX:+UnlockDiagnosticVMOptions -XX:+DumpPerfMapAtExit, or run "
	 "'jcmd PID Compiler.perfmap' before it ends; -XX:+PreserveFramePointer completes its "
	 "stacks"},
	{"libcoreclr.so", true, ".NET", "set DOTNET_PerfMapEnabled=1 in its environment"},
	{"node", true, "node", "start node with --perf-basic-prof-only-functions"},
	{"libnode.so", false, "node", "start node with --perf-basic-prof-only-functions"},
	{"beam.smp", true, "Erlang", "start erl with +JPperf true"},
	{"php", false, "PHP", "start php with -d opcache.jit_debug=16"},
	{"qemu-system-", false, "QEMU", "start qemu with -perfmap"},
};

#define RUNTIMES (sizeof(runtimes) / sizeof(*runtimes))

_Static_assert(RUNTIMES <= PK_JIT_RUNTIMES, "PK_JIT_RUNTIMES is too small");

void pk_nameless_jit_free(struct pk_nameless_jit *jit)
{
	pk_table_free(&jit->runtimes);
}

static bool is_file_of(const struct runtime *runtime, const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash || !*runtime->file)
		return false;
	return runtime->whole ? !strcmp(slash + 1, runtime->file)
			      : pk_starts_with(slash + 1, runtime->file);
}

/* Returns the number of the process's runtime. It is 1 if the runtime is unknown. */
static uint64_t find_runtime(const struct pk_process *process)
{
	const struct pk_map *map = pk_space_next(process->space, 0);

	for (unsigned int n = 0; map && n < MAPPED_MAX; n++) {
		for (size_t i = 0; i < RUNTIMES; i++)
			if (is_file_of(&runtimes[i], map->image->path))
				return i + 1;
		map = pk_space_next(process->space, map->start);
	}
	return 1;
}

enum pk_status pk_nameless_jit_count(struct pk_nameless_jit *jit, struct pk_session *session,
				     const struct pk_record *record)
{
	const uint16_t at = record->event->layout.tid;
	const struct perf_task task = at ? *pk_record_task(record, at) : (struct perf_task){0};
	uint64_t number = pk_table_get_u64(&jit->runtimes, task.pid);
	const struct pk_thread *thread;

	if (!number) {
		thread = pk_session_thread(session, task.pid, task.tid);
		if (!thread)
			return PK_NOMEM;
		number = find_runtime(thread->process);
		if (jit->runtimes.count > PIDS_MAX)
			pk_table_clear(&jit->runtimes);
		PK_TRY(pk_table_set_u64(&jit->runtimes, task.pid, number));
	}
	jit->counts[number - 1]++;
	return PK_OK;
}

void pk_nameless_jit_report(struct pk_nameless_jit *jit, uint64_t samples,
			    struct pk_messages *messages)
{
	uint64_t sum = 0;
	size_t most = 0;

	pk_table_clear(&jit->runtimes);
	jit->samples += samples;
	for (size_t i = 0; i < RUNTIMES; i++) {
		sum += jit->counts[i];
		if (jit->counts[i] > jit->counts[most])
			most = i;
	}
	if (jit->reported || !sum || 100 * sum < PERCENT_MIN * jit->samples)
		return;
	jit->reported = true;
	pk_messages_warn(messages,
			 "code that %s generated has no names in %.1f%% of the samples: %s",
			 runtimes[most].name, 100.0 * (double)sum / (double)jit->samples,
			 runtimes[most].remedy);
}
