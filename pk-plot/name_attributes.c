// SPDX-License-Identifier: BSD-2-Clause
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "name_attributes.h"
#include "text_lines.h"
#include "vector.h"

static const char *const names[NAME_ATTRIBUTES] = {"title", "href",  "target",
						   "class", "style", "id"};

const char *name_attribute(enum name_attribute attribute)
{
	return names[attribute];
}

/* Whether a link leads to a page: it has no scheme, or that of the web. */
static bool is_safe_link(const char *link)
{
	const size_t scheme = strcspn(link, ":/?#");

	return link[scheme] != ':' || !strncmp(link, "http:", 5) || !strncmp(link, "https:", 6) ||
	       !strncmp(link, "mailto:", 7);
}

static bool add_value(struct name_attributes *attributes, struct name_values *item, char *text)
{
	const size_t size = strcspn(text, "=");

	for (unsigned int i = 0; text[size] && i < NAME_ATTRIBUTES; i++) {
		if (strlen(names[i]) != size || memcmp(names[i], text, size) != 0 ||
		    (i == NAME_HREF && !is_safe_link(text + size + 1)))
			continue;
		free(item->values[i]);
		item->values[i] = strdup(text + size + 1);
		return item->values[i];
	}
	attributes->refused++;
	return true;
}

static bool add_line(void *arg, char *text)
{
	struct name_attributes *attributes = arg;
	char *tab = strchr(text, '\t');
	uint32_t number;

	if (!*text || *text == '#')
		return true;
	number = pk_texts_add(&attributes->names, text, tab ? (size_t)(tab - text) : strlen(text));
	if (!number || !pk_extend(&attributes->items, &attributes->items_count, number))
		return false;
	while (tab) {
		char *value = tab + 1;

		tab = strchr(value, '\t');
		if (tab)
			*tab = '\0';
		if (*value && !add_value(attributes, &attributes->items[number], value))
			return false;
	}
	return true;
}

bool name_attributes_read(struct name_attributes *attributes, const char *path)
{
	attributes->path = path;
	if (!text_lines_read(path, false, add_line, attributes))
		return false;
	if (attributes->refused)
		pk_warn("%s: %llu attributes are not title, class, style, id, target, or href of a "
			"page, skipped",
			path, (unsigned long long)attributes->refused);
	return true;
}

struct name_values *name_attributes_find(const struct name_attributes *attributes, const char *name,
					 size_t size)
{
	const uint32_t number = pk_texts_find(&attributes->names, name, size);
	struct name_values *item =
		number && number < attributes->items_count ? &attributes->items[number] : NULL;

	if (item)
		item->used = true;
	return item;
}

void name_attributes_report(const struct name_attributes *attributes)
{
	size_t unused = 0, first = 0;

	for (size_t i = attributes->names.count; i; i--) {
		if (i >= attributes->items_count || attributes->items[i].used)
			continue;
		unused++;
		first = i;
	}
	if (unused)
		pk_warn("%s: %zu names have no frame in the picture: %s%s", attributes->path,
			unused, pk_texts_get(&attributes->names, (uint32_t)first, NULL),
			unused > 1 ? " ..." : "");
}

void name_attributes_free(struct name_attributes *attributes)
{
	for (size_t i = 0; i < attributes->items_count; i++)
		for (unsigned int value = 0; value < NAME_ATTRIBUTES; value++)
			free(attributes->items[i].values[value]);
	free(attributes->items);
	pk_texts_free(&attributes->names);
}
