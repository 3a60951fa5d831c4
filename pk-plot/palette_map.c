// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "palette_map.h"
#include "sandbox.h"
#include "text_lines.h"
#include "vector.h"

/* The line's last "->": names can contain it. */
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

static bool set(struct palette_map *map, const char *name, size_t size,
		const char colour[PALETTE_COLOUR])
{
	const uint32_t number = pk_texts_add(&map->names, name, size);

	if (!number || !pk_extend(&map->colours, &map->colours_count, number))
		return false;
	memcpy(map->colours[number].text, colour, PALETTE_COLOUR);
	return true;
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
	return set(map, text, (size_t)(arrow - text), colour);
}

bool palette_map_read(struct palette_map *map, const char *path)
{
	pk_sandbox_folder_of(path);
	map->path = path;
	return text_lines_read(path, true, add_line, map);
}

bool palette_map_colour(struct palette_map *map, const char *name, size_t size,
			char colour[PALETTE_COLOUR])
{
	const uint32_t number = pk_texts_find(&map->names, name, size);

	if (number && number < map->colours_count) {
		memcpy(colour, map->colours[number].text, PALETTE_COLOUR);
		return true;
	}
	map->changed = true;
	return set(map, name, size, colour);
}

/* The numbers of "#rgb" or "#rrggbb". */
static void split(const char *colour, unsigned int parts[3])
{
	const size_t digits = strlen(colour) > 4 ? 2 : 1;

	for (size_t i = 0; i < 3; i++) {
		char text[3] = {0};

		memcpy(text, colour + 1 + i * digits, digits);
		parts[i] = (unsigned int)strtoul(text, NULL, 16) * (digits == 1 ? 17 : 1);
	}
}

bool palette_map_write(const struct palette_map *map)
{
	const int fd = map->changed ? pk_create(map->path, PK_CREATE_REPLACE) : -1;
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
	bool failed;

	if (!map->changed || fd < 0)
		return !map->changed;
	if (!file) {
		close(fd);
		pk_error("%s: out of memory", map->path);
		return false;
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
	return !failed;
}

void palette_map_free(struct palette_map *map)
{
	pk_texts_free(&map->names);
	free(map->colours);
}
