/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef PK_NAME_ATTRIBUTES_H
#define PK_NAME_ATTRIBUTES_H

/* The file of --nameattr: attributes of frames by name, in lines of
 *
 *     NAME<TAB>ATTRIBUTE=VALUE<TAB>...
 *
 * as for flamegraph.pl. Attributes are title, href, target, class, style and id; others could run
 * code, and are refused. */

#include "texts.h"

enum name_attribute {
	NAME_TITLE,
	NAME_HREF,
	NAME_TARGET,
	NAME_CLASS,
	NAME_STYLE,
	NAME_ID,
	NAME_ATTRIBUTES
};

struct name_attributes {
	const char *path;
	struct pk_texts names;
	struct name_values {
		char *values[NAME_ATTRIBUTES]; /* NULL: none */
		bool used;
	} * items; /* by number of the name */
	size_t items_count;
	uint64_t refused; /* attributes */
};

/* False after a message. */
bool name_attributes_read(struct name_attributes *attributes, const char *path);
/* The values of a name; NULL: it has none. */
struct name_values *name_attributes_find(const struct name_attributes *attributes, const char *name,
					 size_t size);
/* The name of an attribute. */
const char *name_attribute(enum name_attribute attribute);
/* Warns about names that no frame has. */
void name_attributes_report(const struct name_attributes *attributes);
void name_attributes_free(struct name_attributes *attributes);

#endif
