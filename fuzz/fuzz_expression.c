/* SPDX-License-Identifier: BSD-2-Clause */
/* covers: lib/field/expression.c lib/field/condition.c */
/*
 * Tests an expression of --where. The input has the expression and, after a NUL, the body of a
 * sample. Positions of errors and of nodes must be inside the text. The expression is evaluated for
 * samples of two events, one of which has few fields, and for the sample of the input. Three
 * evaluations must agree: the compiled steps, the same steps a second time, and a walk over the
 * tree.
 */
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "condition.h"
#include "stream_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_node(void *arg, struct pk_expression *node)
{
	const size_t *size = arg;

	check_that(node->at <= *size);
	check_that(node->op == PK_OP_NOT ? !node->right : (node->op >= PK_OP_FIELD) == !node->left);
	check_that(node->type != PK_IS_UNKNOWN);
}

/* ---- The samples ---- */

struct attr_record {
	struct perf_header header;
	struct perf_attr attr;
	uint64_t id;
};

static void put_record(struct output *out, uint32_t type, uint16_t misc, const void *body,
		       size_t size)
{
	const struct perf_header header = {type, misc, (uint16_t)(sizeof(header) + size)};

	write_output(out, &header, sizeof(header));
	write_output(out, body, size);
}

static void put_event(struct output *out, uint64_t id, uint64_t sample_type)
{
	const struct attr_record record = {
		.attr = {.type = PERF_TYPE_SOFTWARE,
			 .size = sizeof(record.attr),
			 .sample_type = PERF_SAMPLE_IDENTIFIER | sample_type},
		.id = id,
	};

	put_record(out, PERF_RECORD_HEADER_ATTR, 0, &record.attr,
		   sizeof(record) - sizeof(record.header));
}

/* Writes a stream. Its last sample is the sample of the input. */
static void put_stream(struct output *out, const uint8_t *body, size_t size)
{
	static const struct {
		uint32_t pid, tid;
		char text[8];
	} comm = {5, 5, "ngx"};
	/* the values of: id ip pid,tid time addr cpu period callchain cgroup */
	static const uint64_t rich[] = {1,	     0x401000,	 UINT64_C(5) << 32 | 5,
					12500000000, 0x7fff0000, 3,
					4096,	     2,		 0x401000,
					0x402000,    77};
	static const uint64_t poor[] = {2, UINT64_C(6) << 32 | 5};
	const uint64_t header[] = {PERF_MAGIC2, PERF_PIPE_HEADER_SIZE};

	write_output(out, header, sizeof(header));
	put_event(out, 1,
		  PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR |
			  PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN |
			  PERF_SAMPLE_CGROUP);
	put_event(out, 2, PERF_SAMPLE_TID);
	put_record(out, PERF_RECORD_COMM, 0, &comm, sizeof(comm));
	put_record(out, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, rich, sizeof(rich));
	put_record(out, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_KERNEL, poor, sizeof(poor));
	size = size < 1024 ? size & ~(size_t)7 : 1024;
	if (size)
		put_record(out, PERF_RECORD_SAMPLE, body[0] & 7, body, size);
}

/* ---- The tree, node by node ---- */

static struct pk_binding binding_of(const struct pk_expression *node, const struct pk_view *view)
{
	return pk_bind(view->context, &node->reference, view->event);
}

static bool number_of(const struct pk_expression *node, struct pk_view *view,
		      struct pk_wide *number)
{
	struct pk_binding binding;
	struct pk_wide right;

	switch (node->op) {
	case PK_OP_NUMBER: *number = node->number; return true;
	case PK_OP_BITS:
		if (!number_of(node->left, view, number) || !number_of(node->right, view, &right))
			return false;
		*number = pk_wide_and(*number, right);
		return true;
	default: binding = binding_of(node, view); return pk_view_number(view, &binding, number);
	}
}

static bool text_of(const struct pk_expression *node, struct pk_view *view, char *text, size_t size)
{
	struct pk_binding binding;
	struct pk_bytes bytes;

	if (node->op == PK_OP_STRING) {
		snprintf(text, size, "%s", node->text);
		return true;
	}
	binding = binding_of(node, view);
	if (!pk_view_text(view, &binding, &bytes))
		return false;
	snprintf(text, size, "%.*s", (int)bytes.size, (const char *)bytes.data);
	return true;
}

static bool is_text_true(const struct pk_expression *node, struct pk_view *view)
{
	char left[4096], right[4096];

	if (!text_of(node->left, view, left, sizeof(left)) ||
	    !text_of(node->right, view, right, sizeof(right)))
		return false;
	if (node->op == PK_OP_LIKE || node->op == PK_OP_UNLIKE)
		return !fnmatch(right, left, 0) == (node->op == PK_OP_LIKE);
	return !strcmp(left, right) == (node->op == PK_OP_EQ);
}

static bool is_true(const struct pk_expression *node, struct pk_view *view)
{
	struct pk_wide left, right;

	switch (node->op) {
	case PK_OP_OR: return is_true(node->left, view) || is_true(node->right, view);
	case PK_OP_AND: return is_true(node->left, view) && is_true(node->right, view);
	case PK_OP_NOT: return !is_true(node->left, view);
	case PK_OP_FIELD:
	case PK_OP_NUMBER:
	case PK_OP_BITS: return number_of(node, view, &left) && !pk_wide_is_zero(left);
	default: break;
	}
	if (node->left->type == PK_IS_TEXT)
		return is_text_true(node, view);
	if (!number_of(node->left, view, &left) || !number_of(node->right, view, &right))
		return false;
	switch (node->op) {
	case PK_OP_EQ: return pk_wide_equal(left, right);
	case PK_OP_NE: return !pk_wide_equal(left, right);
	case PK_OP_LT: return pk_wide_less(left, right);
	case PK_OP_LE: return !pk_wide_less(right, left);
	case PK_OP_GT: return pk_wide_less(right, left);
	default: return !pk_wide_less(left, right);
	}
}

/* Finds nodes that the walk over the tree cannot evaluate. `stack` stands for all frames, and an
 * object stands for two texts. */
static void find_several(void *arg, struct pk_expression *node)
{
	bool *several = arg;

	if (node->op == PK_OP_FIELD && node->reference.field)
		*several |= !strcmp(node->reference.field->name, "stack") ||
			    !strcmp(node->reference.field->name, "dso");
}

/* ---- The whole ---- */

static void evaluate_sample(struct pk_condition *condition, const struct pk_expression *expression,
			    struct pk_context *context, const struct pk_record *record,
			    bool several)
{
	struct pk_view view;
	bool holds;

	if (!record->event || pk_sample_check(record->event, record) == PK_CORRUPT)
		return;
	check_that(pk_context_sample(context, record) == PK_OK);
	holds = pk_condition_holds(condition, record);
	check_that(pk_condition_holds(condition, record) == holds);
	pk_view_begin(&view, context, record);
	check_that(several || is_true(expression, &view) == holds);
	check_that(!context->failed);
}

static void evaluate(struct pk_expression *expression, const uint8_t *body, size_t size)
{
	struct pk_context context = {.needs = pk_expression_needs(expression)};
	struct pk_condition *condition;
	struct output output = {0};
	struct memory memory = {.piece = SIZE_MAX};
	struct pk_reader *reader;
	struct pk_record record;
	bool several = false;

	pk_expression_walk(expression, find_several, &several);
	put_stream(&output, body, size);
	memory.data = output.data;
	memory.size = output.size;
	check_that(pk_context_init(&context) == PK_OK);
	condition = pk_condition_new(&context, expression);
	check_that(condition != NULL);
	reader = open_memory(&memory);
	while (pk_reader_next(reader, &record) == PK_OK) {
		record.event = pk_reader_event_of(reader, &record);
		record.time = record.event ? pk_event_time(record.event, &record) : PK_NO_TIME;
		if (record.type == PERF_RECORD_SAMPLE)
			evaluate_sample(condition, expression, &context, &record, several);
		else
			check_that(pk_context_record(&context, reader, &record) == PK_OK);
	}
	pk_condition_end_session(condition);
	check_that(pk_context_end(&context) == PK_OK);
	pk_condition_free(condition);
	pk_context_free(&context);
	pk_reader_free(reader);
	free(output.data);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	struct pk_expression_error error = {0};
	struct pk_expression *expression;
	size_t length, end;

	check_that(text != NULL);
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	length = strlen(text);
	end = length < size ? length + 1 : size;
	expression = pk_expression_parse(text, &error);
	if (expression) {
		pk_expression_walk(expression, check_node, &length);
		evaluate(expression, data + end, size - end);
	} else {
		check_that(error.text && *error.text && error.at <= length);
	}
	pk_expression_free(expression);
	free(text);
	return 0;
}
