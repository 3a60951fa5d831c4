// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "where_internal.h"

const char where_no_memory[] = "out of memory";

static const struct {
	const char *name;
	enum where_type type;
} fields[WHERE_OWN] = {
	[WHERE_PID] = {"pid", WHERE_IS_NUMBER},
	[WHERE_TID] = {"tid", WHERE_IS_NUMBER},
	[WHERE_CPU] = {"cpu", WHERE_IS_NUMBER},
	[WHERE_TIME] = {"time", WHERE_IS_NUMBER},
	[WHERE_PERIOD] = {"period", WHERE_IS_NUMBER},
	[WHERE_IP] = {"ip", WHERE_IS_NUMBER},
	[WHERE_ADDR] = {"addr", WHERE_IS_NUMBER},
	[WHERE_ID] = {"id", WHERE_IS_NUMBER},
	[WHERE_WEIGHT] = {"weight", WHERE_IS_NUMBER},
	[WHERE_PHYS_ADDR] = {"phys_addr", WHERE_IS_NUMBER},
	[WHERE_DATA_SRC] = {"data_src", WHERE_IS_NUMBER},
	[WHERE_DEPTH] = {"depth", WHERE_IS_NUMBER},
	[WHERE_COMM] = {"comm", WHERE_IS_STRING},
	[WHERE_EVENT] = {"event", WHERE_IS_STRING},
	[WHERE_MODE] = {"mode", WHERE_IS_STRING},
	[WHERE_CGROUP] = {"cgroup", WHERE_IS_STRING},
	[WHERE_HOST] = {"host", WHERE_IS_STRING},
	[WHERE_DSO] = {"dso", WHERE_IS_STRING},
	[WHERE_SYMBOL] = {"symbol", WHERE_IS_STRING},
	[WHERE_STACK] = {"stack", WHERE_IS_STRING},
};

const char *where_field_name(enum where_field field)
{
	return fields[field].name;
}

void where_walk(struct where *where, void (*each)(void *arg, struct where *node), void *arg)
{
	if (!where)
		return;
	where_walk(where->left, each, arg);
	where_walk(where->right, each, arg);
	each(arg, where);
}

static void free_node(void *arg, struct where *node)
{
	(void)arg;
	free(node->text);
	free(node);
}

void where_free(struct where *where)
{
	where_walk(where, free_node, NULL);
}

bool where_uses(const struct where *where, enum where_field field)
{
	return where && ((where->op == WHERE_FIELD && where->field == field) ||
			 where_uses(where->left, field) || where_uses(where->right, field));
}

/* ---- Building ---- */

static struct where *new_node(enum where_op op, enum where_type type)
{
	struct where *node = calloc(1, sizeof(*node));

	if (node) {
		node->op = op;
		node->type = type;
	}
	return node;
}

struct where *where_join(enum where_op op, struct where *left, struct where *right)
{
	struct where *node = NULL;

	if (left && (right || op == WHERE_NOT))
		node = new_node(op, op == WHERE_BITS ? WHERE_IS_NUMBER : WHERE_IS_TRUTH);
	if (!node) {
		where_free(left);
		where_free(right);
		return NULL;
	}
	node->left = left;
	node->right = right;
	node->at = left->at;
	return node;
}

struct where *where_number(__int128 number)
{
	struct where *node = new_node(WHERE_NUMBER, WHERE_IS_NUMBER);

	if (node)
		node->number = number;
	return node;
}

struct where *where_text(enum where_op op, enum where_type type, const char *text, size_t size)
{
	struct where *node = new_node(op, type);

	if (!node)
		return NULL;
	node->text = strndup(text, size);
	if (node->text)
		return node;
	free(node);
	return NULL;
}

struct where *where_named(const char *name, size_t size)
{
	struct where *node = where_text(WHERE_FIELD, WHERE_IS_UNKNOWN, name, size);

	if (!node)
		return NULL;
	node->field = WHERE_OWN;
	for (enum where_field field = 0; field < WHERE_OWN; field++) {
		if (strcmp(fields[field].name, node->text))
			continue;
		node->field = field;
		node->type = fields[field].type;
	}
	return node;
}

struct where *where_compare(enum where_op op, enum where_field field, __int128 number)
{
	const char *name = fields[field].name;

	return where_join(op, where_named(name, strlen(name)), where_number(number));
}

struct where *where_match(enum where_op op, enum where_field field, const char *text)
{
	const char *name = fields[field].name;

	return where_join(op, where_named(name, strlen(name)),
			  where_text(WHERE_STRING, WHERE_IS_STRING, text, strlen(text)));
}
