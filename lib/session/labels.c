// SPDX-License-Identifier: BSD-2-Clause
#include <string.h>

#include "labels.h"

enum pk_status pk_labels_record(struct pk_labels *labels, const struct pk_record *record)
{
	struct pk_label label;
	uint32_t name, value;

	if (pk_label_decode(record, &label))
		return PK_CORRUPT;
	if (pk_labels_find(labels, label.name))
		return PK_OK;
	if (labels->names.count == PK_LABELS_MAX)
		return PK_CORRUPT;
	value = pk_texts_add(&labels->values, label.value, strlen(label.value));
	name = value ? pk_texts_add(&labels->names, label.name, strlen(label.name)) : 0;
	if (!name)
		return PK_NOMEM;
	labels->values_of[name - 1] = value;
	return PK_OK;
}

uint32_t pk_labels_find(const struct pk_labels *labels, const char *name)
{
	const uint32_t number = pk_texts_find(&labels->names, name, strlen(name));

	return number ? labels->values_of[number - 1] : 0;
}

void pk_labels_free(struct pk_labels *labels)
{
	pk_texts_free(&labels->names);
	pk_texts_free(&labels->values);
}
