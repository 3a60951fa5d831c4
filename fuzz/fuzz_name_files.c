/* SPDX-License-Identifier: BSD-2-Clause */
/* covers: pk-plot/name_files.c */
/*
 * Tests the files of names that flame graphs read: attributes (--nameattr) and colours (--cp).
 * Links of accepted attributes must not be able to run code. All colours must have the form of a
 * colour.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check_that.h"
#include "cli.h"
#include "name_files.h"
#include "status.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_attributes(const char *path)
{
	struct name_attributes attributes = {0};

	if (name_attributes_read(&attributes, path) == PK_OK) {
		for (size_t i = 1; i < attributes.items_count; i++) {
			const char *link = attributes.items[i].values[NAME_HREF];

			check_that(!link || strncasecmp(link, "javascript:", 11) != 0);
			check_that(!link || strncasecmp(link, "data:", 5) != 0);
		}
		name_attributes_report(&attributes);
	}
	name_attributes_free(&attributes);
}

static void check_colours(const char *path)
{
	struct palette_map map = {0};

	if (palette_map_read(&map, path) == PK_OK) {
		for (uint32_t i = 1; i <= map.names.count; i++) {
			char colour[PALETTE_COLOUR] = "#000";
			size_t name_size, digits;
			const char *name = pk_texts_get(&map.names, i, &name_size);

			check_that(palette_map_colour(&map, name, name_size, colour) == PK_OK);
			digits = strspn(colour + 1, "0123456789abcdef");
			check_that(*colour == '#' && !colour[1 + digits]);
			check_that(digits == 3 || digits == 6);
		}
		check_that(!map.changed);
	}
	palette_map_free(&map);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const int fd = memfd_create("names", MFD_CLOEXEC);
	char path[64];

	if (fd < 0)
		return 0;
	pk_cli_verbosity(-1);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (write(fd, data, size) == (ssize_t)size) {
		check_attributes(path);
		check_colours(path);
	}
	close(fd);
	return 0;
}
