/* SPDX-License-Identifier: BSD-2-Clause */
/* covers: lib/session/session.c lib/session/address_space.c lib/session/stacks.c */
/* seeds: streams */
/* Evaluates the tasks and maps of a stream, and the stacks of its samples. */
#include "run.h"
#include "session.h"
#include "stream_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct machine {
	struct pk_events events;
	struct pk_session *session;
	struct pk_dictionary *dictionary;
	struct pk_stacks *stacks;
	struct pk_losses losses;
};

/* Resolves an address. Some addresses have names, and some can get a name later. */
static void resolve(void *arg, const struct pk_location *location, struct pk_resolved *resolved)
{
	static const char *const names[] = {"main", "f", "g", "", "h(int)"};
	uint64_t which = pk_mix64(location->address, 0x9e3779b97f4a7c15) % 8;

	(void)arg;
	check_that(!location->image || strlen(location->image->path) < 65600);
	if (which < 5) {
		resolved->function = names[which];
		resolved->function_size = strlen(names[which]);
		resolved->module = which == 4 ? "module" : NULL;
	}
	resolved->retry = which == 5;
}

/* Checks a stack from its leaf to its root. The root must have the name of the thread, and all
 * stacks must be defined. */
static void check_stack(const struct machine *machine, uint32_t id, const struct pk_record *record)
{
	const struct pk_dictionary *dictionary = machine->dictionary;
	const struct pk_stack *stack = NULL;
	const struct pk_frame *frame = NULL;
	size_t depth = 0;

	while (id) {
		stack = pk_dictionary_get_stack(dictionary, id);
		check_that(stack && stack->parent < id);
		frame = pk_dictionary_get_frame(dictionary, stack->frame);
		check_that(frame != NULL);
		check_that(!(frame->flags & PK_FRAME_COMM) == !!stack->parent);
		id = stack->parent;
		depth++;
	}
	check_that(frame && pk_dictionary_get_string(dictionary, frame->function, NULL));
	check_that(depth <= 2u + record->size / 8u);
}

static void take_sample(struct machine *machine, const struct pk_record *record)
{
	const struct pk_event *event =
		pk_events_of(&machine->events, record->data, record->type, record->size, false);
	uint32_t stack;

	if (!event)
		return;
	stack = pk_stacks_of(machine->stacks, machine->session, event, record);
	if (!stack)
		return;
	check_stack(machine, stack, record);
	/* The second result must be equal to the first, even if one of them comes from a cache. */
	check_that(pk_stacks_of(machine->stacks, machine->session, event, record) == stack);
}

static void check_map(struct machine *machine, const struct pk_record *record)
{
	const struct perf_record_mmap *mapped = (const void *)record->data;
	const uint32_t pid = mapped->pid, tid = mapped->tid;
	const uint64_t start = mapped->addr;
	const struct pk_thread *thread = pk_session_thread(machine->session, pid, tid);
	const struct pk_space *spaces[] = {thread ? thread->process->space : NULL,
					   pk_session_kernel(machine->session)};

	check_that(thread != NULL);
	check_that(thread->tid == tid && thread->process->pid == pid);
	for (int i = 0; i < 2; i++) {
		const struct pk_map *map = pk_space_find(spaces[i], start);

		check_that(!map || (map->start <= start && start < map->end && map->image));
		check_that(!map || strlen(map->image->path) < 65600);
	}
}

static void take(struct machine *machine, const struct pk_record *record)
{
	const char *problem = NULL;
	enum pk_status status;

	pk_losses_record(&machine->losses, record);
	switch (record->type) {
	case PERF_RECORD_HEADER_ATTR:
		check_that(pk_events_add(&machine->events, record, &problem) != PK_NOMEM);
		break;
	case PERF_RECORD_SAMPLE: take_sample(machine, record); break;
	case PERF_RECORD_FINISHED_ROUND: /* sometimes, handle it like a RESET */
		pk_dictionary_reset(machine->dictionary);
		pk_stacks_forget(machine->stacks);
		break;
	default:
		status = pk_session_record(machine->session, record);
		check_that(status == PK_OK || status == PK_CORRUPT);
		if (record->type == PERF_RECORD_MMAP || record->type == PERF_RECORD_MMAP2)
			check_map(machine, record);
		break;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct machine machine = {.session = pk_session_new(),
				  .dictionary = pk_dictionary_new(NULL)};
	struct pk_stacks_count count;
	struct walk_records walk;
	struct pk_record record;
	char text[100];

	machine.stacks =
		pk_stacks_new(machine.dictionary, PK_FRAMES_OF_ADDRESSES, resolve, &machine);
	check_that(machine.session && machine.stacks);
	if (walk_begin(&walk, data, size, false)) {
		while (walk_next(&walk, &record))
			take(&machine, &record);
		pk_stacks_counted(machine.stacks, &count);
		check_that(count.frames_unresolved <= count.frames);
		pk_losses_text(&machine.losses, text, sizeof(text));
		check_that(memchr(text, '\0', sizeof(text)) != NULL);
	}
	pk_stacks_free(machine.stacks);
	pk_dictionary_free(machine.dictionary);
	pk_session_free(machine.session);
	pk_events_clear(&machine.events);
	return 0;
}
