// SPDX-License-Identifier: BSD-2-Clause
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "groups.h"
#include "pkutil.h"
#include "table.h"
#include "tidy.h"
#include "vector.h"

#define UNKNOWN UINT64_MAX

struct groups {
	const struct fold_options *options;
	unsigned int n;	  /* keys */
	uint64_t *values; /* n for each group but 0 */
	uint32_t *names;  /* n for each group, those of group 0 first */
	size_t values_capacity, names_capacity;
	uint32_t count;
	struct pk_table numbers; /* of groups, by hash of their values */
	uint32_t last;
};

bool fold_is_by(const struct fold_options *options, enum fold_key key)
{
	for (unsigned int i = 0; i < options->by_count; i++)
		if (options->by[i] == key)
			return true;
	return false;
}

struct groups *groups_new(const struct fold_options *options)
{
	struct groups *groups = calloc(1, sizeof(*groups));

	if (!groups)
		return NULL;
	groups->options = options;
	groups->n = options->by_count;
	groups->names_capacity = groups->n + 1u;
	groups->names = calloc(groups->names_capacity, sizeof(*groups->names));
	if (!groups->names) {
		free(groups);
		return NULL;
	}
	return groups;
}

void groups_free(struct groups *groups)
{
	if (!groups)
		return;
	free(groups->values);
	free(groups->names);
	pk_table_free(&groups->numbers);
	free(groups);
}

void groups_forget(struct groups *groups)
{
	pk_table_clear(&groups->numbers);
	groups->count = groups->last = 0;
}

/* ---- What a sample has for a key ---- */

static uint64_t u32_at(const struct pk_record *record, uint16_t at)
{
	return at && at + 4u <= record->size ? pk_load_u32(record->data + at) : UNKNOWN;
}

static uint64_t cgroup_of(const struct pk_event *event, const struct pk_record *record)
{
	struct pk_sample sample;

	if (!(event->attr.sample_type & PERF_SAMPLE_CGROUP) ||
	    pk_sample_decode(record->event, record, &sample))
		return UNKNOWN;
	return sample.cgroup;
}

static uint64_t value_of(enum fold_key key, const struct pk_event *event,
			 const struct pk_record *record)
{
	const struct pk_layout *layout = &record->event->layout;

	switch (key) {
	case KEY_PID: return u32_at(record, layout->tid);
	case KEY_TID: return u32_at(record, layout->tid ? layout->tid + 4 : 0);
	case KEY_CPU: return u32_at(record, layout->cpu);
	case KEY_EVENT: return event->index;
	case KEY_CGROUP: return cgroup_of(event, record);
	default: return 0;
	}
}

/* ---- Its name ---- */

static void append_number(struct buffer *text, uint64_t value)
{
	char number[24];
	int size = value == UNKNOWN ? snprintf(number, sizeof(number), "unknown")
				    : snprintf(number, sizeof(number), "%" PRId32, (int32_t)value);

	buffer_add(text, number, (size_t)size);
}

static void append_value(struct buffer *text, enum fold_key key, uint64_t value,
			 const struct pk_session *session, const struct pk_event *event)
{
	const char *name = NULL;

	switch (key) {
	case KEY_EVENT: name = event->name; break;
	case KEY_CGROUP: name = pk_session_cgroup(session, value); break;
	case KEY_HOST: name = pk_session_machine(session)->host; break;
	default: append_number(text, value); return;
	}
	if (!name || !*name)
		name = "unknown";
	buffer_add(text, name, strlen(name));
}

static uint32_t name_of(struct tree *tree, enum fold_key key, uint64_t value,
			const struct pk_session *session, const struct pk_event *event)
{
	static const char *const labels[FOLD_KEYS] = {
		[KEY_PID] = "pid=",	[KEY_TID] = "tid=",	  [KEY_CPU] = "cpu=",
		[KEY_EVENT] = "event=", [KEY_CGROUP] = "cgroup=", [KEY_HOST] = "host="};
	struct buffer plain = {0}, tidy = {0};
	uint32_t name = 0;

	buffer_add(&plain, labels[key], strlen(labels[key]));
	append_value(&plain, key, value, session, event);
	if (!plain.failed)
		tidy_comm(&tidy, plain.data, plain.size);
	if (!plain.failed && !tidy.failed)
		name = tree_name(tree, tidy.data, tidy.size);
	free(plain.data);
	free(tidy.data);
	return name;
}

/* ---- Groups ---- */

static uint64_t hash_of(struct groups *groups, const uint64_t *values)
{
	return pk_hash(values, groups->n * sizeof(*values), pk_table_secret(&groups->numbers));
}

/* 0: there is none. */
static uint32_t find(const struct groups *groups, const uint64_t *values, uint64_t hash)
{
	struct pk_probe probe = pk_table_probe(&groups->numbers, hash);
	uint32_t group;

	while ((group = (uint32_t)pk_probe_next(&probe)))
		if (!memcmp(groups->values + (size_t)group * groups->n, values,
			    groups->n * sizeof(*values)))
			break;
	return group;
}

/* Room for the values and names of one more group, and for those of no group. */
static bool grow(struct groups *groups)
{
	const size_t more = 2 * (size_t)groups->n, used = (size_t)groups->count * groups->n;

	return groups->count < UINT32_MAX - 2 &&
	       pk_reserve(&groups->values, &groups->values_capacity, used, more,
			  sizeof(*groups->values)) &&
	       pk_reserve(&groups->names, &groups->names_capacity, used, more,
			  sizeof(*groups->names)) &&
	       pk_table_reserve(&groups->numbers, groups->numbers.count + 1);
}

static uint32_t add(struct groups *groups, struct tree *tree, const struct pk_session *session,
		    const struct pk_event *event, const uint64_t *values)
{
	uint32_t *names, group = groups->count + 1;

	names = groups->names + (size_t)group * groups->n;
	for (unsigned int i = 0; i < groups->n; i++) {
		enum fold_key key = groups->options->by[i];

		names[i] = 0;
		if (key == KEY_COMM)
			continue;
		names[i] = name_of(tree, key, values[i], session, event);
		if (!names[i])
			return UINT32_MAX;
	}
	memcpy(groups->values + (size_t)group * groups->n, values, groups->n * sizeof(*values));
	pk_table_add(&groups->numbers, hash_of(groups, values), group);
	groups->count = group;
	return group;
}

uint32_t groups_of(struct groups *groups, struct tree *tree, const struct pk_session *session,
		   const struct pk_event *event, const struct pk_record *record)
{
	uint64_t values[FOLD_KEYS];
	uint32_t group = groups->last;

	for (unsigned int i = 0; i < groups->n; i++)
		values[i] = value_of(groups->options->by[i], event, record);
	if (group && !memcmp(groups->values + (size_t)group * groups->n, values,
			     groups->n * sizeof(*values)))
		return group;
	group = find(groups, values, hash_of(groups, values));
	if (!group && !grow(groups))
		return UINT32_MAX;
	if (!group)
		group = add(groups, tree, session, event, values);
	groups->last = group == UINT32_MAX ? 0 : group;
	return group;
}

const uint32_t *groups_names(const struct groups *groups, uint32_t group, unsigned int *count)
{
	*count = groups->n;
	return groups->names + (size_t)group * groups->n;
}
