// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "event.h"
#include "list_events.h"
#include "perf_syscall.h"
#include "pmu.h"
#include "tracefs.h"

struct listing {
	const char *glob;
	size_t shown;
};

static bool wanted(const struct listing *listing, const char *name)
{
	return !listing->glob || !fnmatch(listing->glob, name, 0);
}

/* Why an attr cannot be opened for ourselves; NULL if it can. */
static const char *obstacle(const struct perf_attr *wished)
{
	struct perf_attr attr = *wished;
	int fd;

	attr.size = PERF_ATTR_SIZE_VER7;
	attr.flags |= PERF_ATTR_DISABLED | PERF_ATTR_EXCLUDE_HV;
	fd = perf_event_open(&attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd < 0 && (errno == EACCES || errno == EPERM)) {
		attr.flags |= PERF_ATTR_EXCLUDE_KERNEL;
		fd = perf_event_open(&attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
	}
	if (fd < 0 && errno == EINVAL) /* of a whole CPU only */
		fd = perf_event_open(&attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
	if (fd >= 0) {
		close(fd);
		return NULL;
	}
	switch (errno) {
	case ENOENT:
	case ENXIO:
	case ENODEV:
	case EOPNOTSUPP: return "not on this machine";
	case EACCES:
	case EPERM: return "not for this user";
	default: return strerror(errno);
	}
}

static void show(struct listing *listing, const char *name, const char *kind, const char *why)
{
	if (!wanted(listing, name))
		return;
	listing->shown++;
	printf("%-48s %s%s%s\n", name, kind, why ? ": " : "", why ? why : "");
}

static void show_attr(struct listing *listing, const char *name, const char *kind,
		      const struct perf_attr *attr)
{
	if (wanted(listing, name))
		show(listing, name, kind, obstacle(attr));
}

static void list_generic(struct listing *listing)
{
	struct perf_attr attr;
	const char *name;

	for (size_t i = 0; (name = event_name_at(i)); i++) {
		attr = (struct perf_attr){0};
		if (!event_by_name(name, &attr))
			continue;
		show_attr(listing, name,
			  attr.type == PERF_TYPE_SOFTWARE   ? "software"
			  : attr.type == PERF_TYPE_HARDWARE ? "hardware"
							    : "cache",
			  &attr);
	}
}

/* The names of an event or a term between slashes. */
static void list_pmu(struct listing *listing, const char *sysfs, const char *pmu)
{
	struct pmu_names events = pmu_files(sysfs, pmu, "events");
	struct pmu_names terms = pmu_files(sysfs, pmu, "format");
	char name[600], format[128];
	struct perf_attr attr = {0};

	if (!pmu_type(sysfs, pmu, &attr.type))
		return;
	for (size_t i = 0; i < events.count; i++) {
		snprintf(name, sizeof(name), "%.250s/%.250s/", pmu, events.items[i]);
		show(listing, name, "of the PMU", NULL);
	}
	for (size_t i = 0; i < terms.count; i++) {
		snprintf(name, sizeof(name), "format/%.250s", terms.items[i]);
		if (!pmu_read(sysfs, pmu, name, format, sizeof(format)))
			continue;
		snprintf(name, sizeof(name), "%.250s/%.250s=.../", pmu, terms.items[i]);
		show(listing, name, format, NULL);
	}
	pmu_names_free(&events);
	pmu_names_free(&terms);
}

static void list_pmus(struct listing *listing)
{
	const char *sysfs = pmu_sysfs(NULL);
	struct pmu_names pmus = pmu_list(sysfs);
	bool uprobes = false, kprobes = false;

	for (size_t i = 0; i < pmus.count; i++) {
		uprobes |= !strcmp(pmus.items[i], "uprobe");
		kprobes |= !strcmp(pmus.items[i], "kprobe");
		list_pmu(listing, sysfs, pmus.items[i]);
	}
	pmu_names_free(&pmus);
	show(listing, "rNNN", "raw: a number of the processor's manual", NULL);
	show(listing, "mem:ADDRESS[/LENGTH][:rwx]", "breakpoint",
	     obstacle(&(struct perf_attr){.type = PERF_TYPE_BREAKPOINT,
					  .bp_type = 1,
					  .config1 = 4096,
					  .config2 = 4,
					  .flags = PERF_ATTR_EXCLUDE_KERNEL}));
	show(listing, "-x OBJECT --probe FUNCTION", "uprobe",
	     uprobes ? NULL : "this kernel has none (CONFIG_UPROBE_EVENTS)");
	show(listing, "--probe FUNCTION", "kprobe",
	     kprobes ? NULL : "this kernel has none (CONFIG_KPROBE_EVENTS)");
}

static bool show_tracepoint(void *arg, const char *system, const char *name, uint64_t id)
{
	struct listing *listing = arg;
	const char *why = geteuid() != 0 && paranoid_level() > -1
				  ? "not for this user (kernel.perf_event_paranoid)"
				  : NULL;
	char text[300];

	(void)id;
	snprintf(text, sizeof(text), "%.140s:%.140s", system, name);
	show(listing, text, "tracepoint", why);
	return true;
}

int list_events(const char *glob)
{
	struct listing listing = {.glob = glob};

	list_generic(&listing);
	list_pmus(&listing);
	if (!tracefs_path())
		show(&listing, "SYSTEM:NAME", "tracepoint",
		     "tracefs is not mounted or not accessible: root mounts it");
	else if (!glob || strchr(glob, ':') || strchr(glob, '*'))
		tracefs_find("*", "*", show_tracepoint, &listing);
	if (!listing.shown)
		pk_error("--list '%s': nothing is called so", glob ? glob : "*");
	return pk_finish(listing.shown ? PK_EXIT_OK : PK_EXIT_FAILED);
}
