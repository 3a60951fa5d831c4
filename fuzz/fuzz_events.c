/* SPDX-License-Identifier: BSD-2-Clause */
/* covers: lib/event/event_parse.c lib/event/terms.c lib/event/modifiers.c */
/* Parses lists of events, on a simulated machine. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check_that.h"
#include "event.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char root[64];

static void put(const char *path, const char *content)
{
	char name[256];
	FILE *file;

	snprintf(name, sizeof(name), "%s/bus/event_source/devices/%s", root, path);
	for (char *slash = strchr(name + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = 0;
		mkdir(name, 0700);
		*slash = '/';
	}
	file = fopen(name, "w");
	if (!file)
		return;
	fputs(content, file);
	fclose(file);
}

static void clean_up(void)
{
	char command[100];

	snprintf(command, sizeof(command), "rm -r %s", root);
	if (system(command) != 0)
		perror(root);
}

static void set_up(void)
{
	snprintf(root, sizeof(root), "/tmp/fuzz_events.XXXXXX");
	if (!mkdtemp(root))
		return;
	atexit(clean_up);
	put("cpu/type", "4");
	put("cpu/format/event", "config:0-7,32-35");
	put("cpu/format/umask", "config:8-15");
	put("cpu/format/ldlat", "config1:0-15");
	put("cpu/format/odd", "config3:60-63,0");
	put("cpu/format/wrong", "confi");
	put("cpu/events/mem-loads", "event=0xcd,umask=0x1,ldlat=3");
	put("cpu/events/asks", "event=?,umask=1");
	put("cpu/events/broken", "event=/x");
	put("uncore_imc_0/type", "20");
	put("uncore_imc_0/cpumask", "0");
	put("uncore_imc_0/format/event", "config:0-7");
	put("uncore_imc_1/type", "21");
	put("uncore_imc_1/cpumask", "0");
	put("uncore_imc_1/format/event", "config:0-7");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct event_list list = {.sysfs = root, .messages.quiet = true};
	unsigned int slow = 0;
	char *text;

	if (!*root)
		set_up();
	/* These characters are counted, because patterns of tracepoints are slow: they are compared
	 * with thousands of names. */
	for (size_t i = 0; i < size; i++)
		slow += data[i] == ':' || data[i] == '*';
	text = slow < 8 ? malloc(size + 1) : NULL;
	if (!text)
		return 0;
	memcpy(text, data, size);
	text[size] = 0;
	(void)(pk_event_list_parse(&list, text) == PK_OK);
	for (size_t i = 0; i < list.count; i++) {
		const struct event *event = &list.items[i];

		check_that(event->name && event->leader <= i);
		check_that(list.items[event->leader].leader == event->leader);
		check_that(pk_event_group_size(&list, event) >= 1);
		check_that(event->terms.stack_size % 8 == 0 && event->terms.stack_size <= 65528);
		check_that(!event->terms.period || !event->terms.frequency);
	}
	pk_event_list_free(&list);
	free(text);
	return 0;
}
