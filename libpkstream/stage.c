// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "feature_records.h"
#include "pkprivate.h"
#include "records.h"

/* The state of a stage in the current session. */
struct pk_stage {
	struct pk_writer *writer;
	struct pk_stage_options options;
	bool attr_seen, session_written, stage_written;
	bool finished; /* true after the END of the input was read */
	void (*opening)(void *arg);
	void *opening_arg;
	struct pk_session_info input;
	uint32_t parent, id;
	struct {
		uint64_t count, total;
	} losses[PK_LOSS_CAUSE_MAX];
};

enum pk_status pk_stage_new_sized(struct pk_writer *writer, const struct pk_stage_options *options,
				  size_t options_size, struct pk_stage **stage)
{
	*stage = calloc(1, sizeof(**stage));
	if (!*stage)
		return PK_NOMEM;
	(*stage)->writer = writer;
	pk_copy_sized(&(*stage)->options, sizeof((*stage)->options), options, options_size);
	return PK_OK;
}

void pk_stage_free(struct pk_stage *stage)
{
	free(stage);
}

const struct pk_session_info *pk_stage_input(const struct pk_stage *stage)
{
	return &stage->input;
}

enum pk_status pk_session_info_decode(const struct pk_record *record, struct pk_session_info *info)
{
	const struct pk_record_session *session = (const void *)record->data;

	if (record->size < sizeof(*session))
		return PK_CORRUPT;
	if (session->version > PK_FORMAT_VERSION)
		return PK_UNSUPPORTED;
	*info = (struct pk_session_info){session->version, session->byte_order, session->word_size,
					 session->trailers, session->e_machine};
	return PK_OK;
}

enum pk_status pk_loss_decode(const struct pk_record *record, struct pk_loss *loss)
{
	const struct pk_record_loss *from = (const void *)record->data;

	if (record->size < sizeof(*from))
		return PK_CORRUPT;
	*loss = (struct pk_loss){from->stage, from->cause, from->count, from->total};
	return PK_OK;
}

void pk_stage_on_open(struct pk_stage *stage, void (*opening)(void *arg), void *arg)
{
	stage->opening = opening;
	stage->opening_arg = arg;
}

static void write_session(struct pk_stage *stage, const struct pk_session_info *info)
{
	struct pk_record_session *record;

	stage->session_written = true;
	if (stage->opening)
		stage->opening(stage->opening_arg);
	record = pk_definition_append(stage->writer, PK_SESSION, sizeof(*record));
	if (record)
		*record = (struct pk_record_session){
			.head = record->head,
			.version = PK_FORMAT_VERSION,
			.byte_order = info->byte_order,
			.word_size = info->word_size,
			.trailers = info->trailers | stage->options.trailers,
			.e_machine = info->e_machine,
		};
}

static void write_order(struct pk_stage *stage)
{
	struct pk_record_order *record;

	if (stage->options.order == PK_ORDER_NONE)
		return;
	record = pk_definition_append(stage->writer, PK_ORDER, sizeof(*record));
	if (!record)
		return;
	record->kind = stage->options.order;
	record->clockid = -1; /* -1 is the clock of the recording */
}

/* Appends a string with its NUL. Returns false if there is no room for the string. */
static bool put_string(uint8_t *record, size_t *at, size_t room, const char *text)
{
	size_t size = strlen(text) + 1;

	if (size > room - *at)
		return false;
	memcpy(record + *at, text, size);
	*at += size;
	return true;
}

static void write_stage(struct pk_stage *stage)
{
	const struct pk_stage_options *options = &stage->options;
	uint8_t data[sizeof(struct pk_definition_head) + 4096] = {0};
	struct pk_record_stage *built = (void *)data, *record;
	char host[256] = "";
	struct timespec now = {0};
	size_t at = sizeof(*built);
	int argc = 0;

	if (!options->anonymous) {
		clock_gettime(CLOCK_REALTIME, &now);
		gethostname(host, sizeof(host) - 1);
	}
	stage->id = stage->parent + 1;
	built->id = stage->id;
	built->parent = stage->parent;
	built->time = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
	put_string(data, &at, sizeof(data), options->program);
	put_string(data, &at, sizeof(data), options->anonymous ? "" : pk_version());
	put_string(data, &at, sizeof(data), host);
	while (!options->anonymous && argc < options->argc &&
	       put_string(data, &at, sizeof(data), options->argv[argc]))
		argc++;
	built->argc = (uint32_t)argc;
	record = pk_definition_append(stage->writer, PK_STAGE, at);
	if (record) {
		built->head = record->head;
		memcpy(record, built, PK_ALIGN8(at));
	}
	stage->stage_written = true;
}

bool pk_stage_change(struct pk_stage *stage, uint32_t order, uint32_t trailers)
{
	stage->options.order = order;
	stage->options.trailers = trailers;
	if (stage->stage_written)
		write_order(stage);
	return !stage->session_written;
}

void pk_stage_start(struct pk_stage *stage)
{
	if (!stage->session_written)
		write_session(stage, &stage->options.session);
	write_stage(stage);
	write_order(stage);
}

static void start_session(struct pk_stage *stage)
{
	stage->attr_seen = stage->session_written = stage->stage_written = false;
	stage->finished = false;
	stage->parent = 0;
	stage->input = (struct pk_session_info){0};
	pk_writer_header(stage->writer);
}

/* Writes this stage's SESSION in place of the input's SESSION. It has the values of the input, and
 * also the trailers of this stage. */
static void rewrite_session(struct pk_stage *stage, const struct pk_record *record)
{
	if (!stage->session_written && stage->attr_seen &&
	    pk_session_info_decode(record, &stage->input) == PK_OK)
		write_session(stage, &stage->input);
}

bool pk_stage_open(struct pk_stage *stage, bool swapped)
{
	if (!stage->attr_seen || stage->stage_written)
		return stage->stage_written;
	if (!stage->session_written)
		stage->options.session =
			(struct pk_session_info){.byte_order = swapped != PK_HOST_IS_BIG ? 2 : 1};
	pk_stage_start(stage);
	return true;
}

static bool rewrite_feature(struct pk_stage *stage, const struct pk_record *record, bool swapped)
{
	const struct perf_record_header_feature *feature = (const void *)record->data;
	const uint64_t id = feature->feat_id;
	bool kept = swapped &&
		    id >= PERF_FEATURE_MAX; /* the content is in the other byte order, because the
					     * reader could not swap this feature */

	if (!pk_feature_is_new(record) || id > UINT32_MAX || stage->options.anonymous)
		return false;
	if (record->size > sizeof(*feature))
		pk_parts_write(stage->writer, feature, record->size,
			       kept != PK_HOST_IS_BIG ? 2 : 1);
	return true;
}

bool pk_stage_record(struct pk_stage *stage, const struct pk_record *record, bool swapped)
{
	unsigned int definition;

	if (pk_likely(stage->stage_written && record->type != PERF_RECORD_EVENT_UPDATE &&
		      record->type != PERF_RECORD_HEADER_FEATURE &&
		      record->type != PK_RECORD_BEGIN))
		return false;
	definition = pk_definition_of(record);
	if (record->type == PK_RECORD_BEGIN) {
		start_session(stage);
		return true;
	}
	if (record->type == PERF_RECORD_HEADER_ATTR) {
		stage->attr_seen = true;
		return false;
	}
	switch (definition) {
	case PK_SESSION: rewrite_session(stage, record); return true;
	case PK_STAGE:
		if (record->size >= sizeof(struct pk_record_stage))
			stage->parent = ((const struct pk_record_stage *)record->data)->id;
		return false;
	case PK_ORDER: return stage->options.order != PK_ORDER_NONE;
	default: break;
	}
	pk_stage_open(stage, swapped);
	if (record->type == PERF_RECORD_HEADER_FEATURE)
		return stage->stage_written && rewrite_feature(stage, record, swapped);
	stage->finished |= definition == PK_FINISH;
	return definition == PK_FINISH;
}

void pk_stage_lose(struct pk_stage *stage, enum pk_loss_cause cause, uint64_t count, uint64_t total)
{
	if (cause >= PK_LOSS_CAUSE_MAX)
		return;
	stage->losses[cause].count += count;
	stage->losses[cause].total += total;
}

void pk_stage_enough(struct pk_stage *stage)
{
	stage->finished = true;
}

void pk_stage_end(struct pk_stage *stage, bool complete)
{
	struct pk_record_finish *finish;
	struct pk_record_loss *loss;
	uint64_t records, samples;

	for (uint32_t cause = 0; cause < PK_LOSS_CAUSE_MAX && stage->stage_written; cause++) {
		if (!stage->losses[cause].count)
			continue;
		loss = pk_definition_append(stage->writer, PK_LOSS, sizeof(*loss));
		if (!loss)
			break;
		*loss = (struct pk_record_loss){loss->head, stage->id, cause,
						stage->losses[cause].count,
						stage->losses[cause].total};
	}
	memset(stage->losses, 0, sizeof(stage->losses));
	/* If the input is a pk stream without END, it is incomplete, so this stage writes no END
	 * either. */
	if (!stage->stage_written || !complete || (stage->input.version && !stage->finished))
		return;
	records = pk_writer_records(stage->writer);
	samples = pk_writer_samples(stage->writer);
	finish = pk_definition_append(stage->writer, PK_FINISH, sizeof(*finish));
	if (finish)
		*finish = (struct pk_record_finish){finish->head, records, samples};
}
