// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "name_files.h"
#include "sandbox.h"
#include "vector.h"

/* ---- Lines of files ---- */

#define TEXT_LINES_MAX 1000000 /* maximum number of lines; longer files are refused */

static bool read_lines(FILE *file, bool (*line)(void *arg, char *text), void *arg)
{
	char *text = NULL;
	size_t capacity = 0, count = 0;
	ssize_t size;
	bool done = true;

	while (done && (size = getline(&text, &capacity, file)) >= 0) {
		if (size && text[size - 1] == '\n')
			text[size - 1] = '\0';
		errno = 0;
		if (count++ == TEXT_LINES_MAX)
			errno = EFBIG;
		done = !errno && line(arg, text);
		if (!done && !errno)
			errno = ENOMEM;
	}
	free(text);
	return done && feof(file);
}

enum pk_status text_lines_read(const char *path, bool missing, bool (*line)(void *arg, char *text),
			       void *arg)
{
	FILE *file = fopen(path, "re");
	bool done;

	if (!file && missing && errno == ENOENT)
		return PK_OK;
	done = file && read_lines(file, line, arg);
	if (!done)
		pk_error("%s: %s", path, strerror(errno));
	if (file)
		fclose(file);
	return done ? PK_OK : PK_FAILED;
}

/* ---- Colours ---- */

/* Returns the last "->" of the line, because a name can contain "->". */
static char *find_arrow(char *text)
{
	char *found = NULL;

	for (char *at = text; (at = strstr(at, "->")); at += 2)
		found = at;
	return found;
}

/* Parses "rgb(1,2,3)". */
static bool parse_colour(const char *text, char colour[PALETTE_COLOUR])
{
	unsigned int red, green, blue;
	int end = 0;

	if (sscanf(text, "rgb(%3u,%3u,%3u)%n", &red, &green, &blue, &end) != 3 || !end ||
	    text[end] || red > 255 || green > 255 || blue > 255)
		return false;
	if (red % 17 || green % 17 || blue % 17)
		snprintf(colour, PALETTE_COLOUR, "#%02x%02x%02x", red, green, blue);
	else
		snprintf(colour, PALETTE_COLOUR, "#%x%x%x", red / 17, green / 17, blue / 17);
	return true;
}

static enum pk_status set(struct palette_map *map, const char *name, size_t size,
			  const char colour[PALETTE_COLOUR])
{
	const uint32_t number = pk_texts_add(&map->names, name, size);

	if (!number)
		return PK_NOMEM;
	PK_TRY(pk_extend(&map->colours, &map->colours_count, number));
	memcpy(map->colours[number].text, colour, PALETTE_COLOUR);
	return PK_OK;
}

static bool add_line(void *arg, char *text)
{
	struct palette_map *map = arg;
	char colour[PALETTE_COLOUR] = "";
	char *arrow = find_arrow(text);

	if (!*text)
		return true;
	if (!arrow || !parse_colour(arrow + 2, colour)) {
		pk_warn("%s: a line has no color: NAME->rgb(R,G,B)", map->path);
		return true;
	}
	return set(map, text, (size_t)(arrow - text), colour) == PK_OK;
}

enum pk_status palette_map_read(struct palette_map *map, const char *path)
{
	pk_sandbox_folder_of(path);
	map->path = path;
	return text_lines_read(path, true, add_line, map);
}

enum pk_status palette_map_colour(struct palette_map *map, const char *name, size_t size,
				  char colour[PALETTE_COLOUR])
{
	const uint32_t number = pk_texts_find(&map->names, name, size);

	if (number && number < map->colours_count) {
		memcpy(colour, map->colours[number].text, PALETTE_COLOUR);
		return PK_OK;
	}
	map->changed = true;
	return set(map, name, size, colour);
}

/* Sets `parts` to the numbers of "#rgb" or "#rrggbb". */
static void split(const char *colour, unsigned int parts[3])
{
	const size_t digits = strlen(colour) > 4 ? 2 : 1;

	for (size_t i = 0; i < 3; i++) {
		char text[3] = {0};

		memcpy(text, colour + 1 + i * digits, digits);
		parts[i] = (unsigned int)strtoul(text, NULL, 16) * (digits == 1 ? 17 : 1);
	}
}

enum pk_status palette_map_write(const struct palette_map *map)
{
	const int fd = map->changed ? pk_create(map->path, PK_CREATE_REPLACE) : -1;
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
	bool failed;

	if (!map->changed || fd < 0)
		return map->changed ? PK_FAILED : PK_OK;
	if (!file) {
		close(fd);
		pk_error("%s: out of memory", map->path);
		return PK_FAILED;
	}
	for (uint32_t i = 1; i <= map->names.count && i < map->colours_count; i++) {
		unsigned int parts[3];

		split(map->colours[i].text, parts);
		fprintf(file, "%s->rgb(%u,%u,%u)\n", pk_texts_get(&map->names, i, NULL), parts[0],
			parts[1], parts[2]);
	}
	failed = ferror(file);
	failed |= fclose(file) != 0;
	if (failed)
		pk_error("%s: cannot be written", map->path);
	return failed ? PK_FAILED : PK_OK;
}

void palette_map_free(struct palette_map *map)
{
	pk_texts_free(&map->names);
	free(map->colours);
}

/* ---- Attributes ---- */

static const char *const names[NAME_ATTRIBUTES] = {"title", "href",  "target",
						   "class", "style", "id"};

const char *name_attribute(enum name_attribute attribute)
{
	return names[attribute];
}

/* Returns true if a link has no scheme, or a scheme of the web. Other links could run a script. */
static bool is_safe_link(const char *link)
{
	const size_t scheme = strcspn(link, ":/?#");

	return link[scheme] != ':' || !strncmp(link, "http:", 5) || !strncmp(link, "https:", 6) ||
	       !strncmp(link, "mailto:", 7);
}

static enum pk_status add_value(struct name_attributes *attributes, struct name_values *item,
				char *text)
{
	const size_t size = strcspn(text, "=");

	for (unsigned int i = 0; text[size] && i < NAME_ATTRIBUTES; i++) {
		if (strlen(names[i]) != size || memcmp(names[i], text, size) != 0 ||
		    (i == NAME_HREF && !is_safe_link(text + size + 1)))
			continue;
		free(item->values[i]);
		item->values[i] = strdup(text + size + 1);
		return item->values[i] ? PK_OK : PK_NOMEM;
	}
	attributes->refused++;
	return PK_OK;
}

static bool read_attributes_line(void *arg, char *text)
{
	struct name_attributes *attributes = arg;
	char *tab = strchr(text, '\t');
	uint32_t number;

	if (!*text || *text == '#')
		return true;
	number = pk_texts_add(&attributes->names, text, tab ? (size_t)(tab - text) : strlen(text));
	if (!number || pk_extend(&attributes->items, &attributes->items_count, number) != PK_OK)
		return false;
	while (tab) {
		char *value = tab + 1;

		tab = strchr(value, '\t');
		if (tab)
			*tab = '\0';
		if (*value && add_value(attributes, &attributes->items[number], value) != PK_OK)
			return false;
	}
	return true;
}

enum pk_status name_attributes_read(struct name_attributes *attributes, const char *path)
{
	attributes->path = path;
	PK_TRY(text_lines_read(path, false, read_attributes_line, attributes));
	if (attributes->refused)
		pk_warn("%s: %llu attributes are not title, class, style, id, target, or href of a "
			"page, skipped",
			path, (unsigned long long)attributes->refused);
	return PK_OK;
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
