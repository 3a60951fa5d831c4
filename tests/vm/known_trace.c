// SPDX-License-Identifier: BSD-2-Clause
/* A PMU that writes known bytes to the AUX areas of its events, as the trace unit of a processor
 * does. A timer of each event that runs writes the next `chunk` bytes. A word of 8 bytes has its
 * own position in the trace, divided by 8.
 *
 * The name of the PMU is that of a trace unit that perf and pk-record know. */
#include <linux/hrtimer.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/slab.h>
#include <linux/version.h>

static char *name = "arm_spe_0";
module_param(name, charp, 0444);
static unsigned int chunk = 1000; /* bytes */
module_param(chunk, uint, 0644);
static unsigned int interval = 1000; /* in us */
module_param(interval, uint, 0644);

/* An AUX area. */
struct area {
	unsigned char **pages;
	unsigned long size;
	u64 position; /* number of bytes that were written */
	bool overwrite;
};

/* The kernel exports this function only to PMUs that are built in. */
static long (*copy_aux)(struct perf_output_handle *from, struct perf_output_handle *to,
			unsigned long start, unsigned long end);

static void write_bytes(struct area *area, unsigned long size)
{
	for (unsigned long i = 0; i < size; i++, area->position++) {
		const unsigned long at = area->position & (area->size - 1);
		const u64 word = area->position >> 3;

		area->pages[at >> PAGE_SHIFT][at & ~PAGE_MASK] = word >> 8 * (area->position & 7);
	}
}

static void write_chunk(struct perf_event *event)
{
	struct perf_output_handle handle = {};
	struct area *area = perf_aux_output_begin(&handle, event);
	unsigned long size = chunk;

	if (!area)
		return;
	if (!area->overwrite && handle.size < size) {
		size = handle.size;
		perf_aux_output_flag(&handle, PERF_AUX_FLAG_TRUNCATED);
	}
	if (area->overwrite)
		size = min(size, area->size);
	write_bytes(area, size);
	if (area->overwrite) /* as Intel PT does, the position in the area */
		handle.head = area->position & (area->size - 1);
	perf_aux_output_end(&handle, area->overwrite ? 0 : size);
}

static enum hrtimer_restart tick(struct hrtimer *timer)
{
	struct perf_event *event = container_of(timer, struct perf_event, hw.hrtimer);

	if (event->hw.state & PERF_HES_STOPPED)
		return HRTIMER_NORESTART;
	write_chunk(event);
	hrtimer_forward_now(timer, ns_to_ktime(interval * 1000ull));
	return HRTIMER_RESTART;
}

static void start_event(struct perf_event *event, int flags)
{
	event->hw.state = 0;
	hrtimer_start(&event->hw.hrtimer, ns_to_ktime(interval * 1000ull),
		      HRTIMER_MODE_REL_PINNED_HARD);
}

static void stop_event(struct perf_event *event, int flags)
{
	event->hw.state = PERF_HES_STOPPED | PERF_HES_UPTODATE;
	hrtimer_try_to_cancel(&event->hw.hrtimer);
}

static int add_event(struct perf_event *event, int flags)
{
	event->hw.state = PERF_HES_STOPPED;
	if (flags & PERF_EF_START)
		start_event(event, flags);
	return 0;
}

static void del_event(struct perf_event *event, int flags)
{
	stop_event(event, flags);
}

static void read_event(struct perf_event *event)
{
}

static void destroy(struct perf_event *event)
{
	hrtimer_cancel(&event->hw.hrtimer);
}

static int init_event(struct perf_event *event)
{
	if (event->attr.type != event->pmu->type)
		return -ENOENT;
#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 15, 0)
	hrtimer_setup(&event->hw.hrtimer, tick, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
#else
	hrtimer_init(&event->hw.hrtimer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	event->hw.hrtimer.function = tick;
#endif
	event->destroy = destroy;
	return 0;
}

static void *setup_area(struct perf_event *event, void **pages, int count, bool overwrite)
{
	struct area *area = kzalloc(sizeof(*area), GFP_KERNEL);

	if (!area)
		return NULL;
	area->pages = (unsigned char **)pages;
	area->size = (unsigned long)count << PAGE_SHIFT;
	area->overwrite = overwrite;
	return area;
}

static void free_area(void *area)
{
	kfree(area);
}

/* Copies the last bytes of the trace to a sample of another event. */
static long snapshot(struct perf_event *event, struct perf_output_handle *to, unsigned long size)
{
	struct perf_event *owner = event->parent ?: event;
	struct perf_output_handle from = {.event = event, .rb = owner->rb};
	const struct area *area = from.rb ? perf_get_aux(&from) : NULL;

	if (!copy_aux || !area)
		return 0;
	return copy_aux(&from, to, area->position - size, area->position);
}

static int validate_filters(struct list_head *filters)
{
	return 0;
}

static void sync_filters(struct perf_event *event)
{
}

PMU_FORMAT_ATTR(pt, "config:0");
PMU_FORMAT_ATTR(cyc, "config:1");
PMU_FORMAT_ATTR(mtc, "config:9");
PMU_FORMAT_ATTR(tsc, "config:10");
PMU_FORMAT_ATTR(noretcomp, "config:11");
PMU_FORMAT_ATTR(branch, "config:13");
PMU_FORMAT_ATTR(mtc_period, "config:14-17");
PMU_FORMAT_ATTR(psb_period, "config:24-27");
PMU_FORMAT_ATTR(ts_enable, "config:32");
static struct attribute *formats[] = {
	&format_attr_pt.attr,	      &format_attr_cyc.attr,
	&format_attr_mtc.attr,	      &format_attr_tsc.attr,
	&format_attr_noretcomp.attr,  &format_attr_branch.attr,
	&format_attr_mtc_period.attr, &format_attr_psb_period.attr,
	&format_attr_ts_enable.attr,  NULL,
};
static const struct attribute_group format_group = {.name = "format", .attrs = formats};
static const struct attribute_group *groups[] = {&format_group, NULL};

static struct pmu known_trace = {
	.module = THIS_MODULE,
	.task_ctx_nr = perf_sw_context,
	.capabilities = PERF_PMU_CAP_ITRACE,
	.attr_groups = groups,
	.event_init = init_event,
	.add = add_event,
	.del = del_event,
	.start = start_event,
	.stop = stop_event,
	.read = read_event,
	.setup_aux = setup_area,
	.free_aux = free_area,
	.snapshot_aux = snapshot,
	.addr_filters_validate = validate_filters,
	.addr_filters_sync = sync_filters,
	.nr_addr_filters = 4,
};

static int __init start(void)
{
	struct kprobe probe = {.symbol_name = "perf_output_copy_aux"};

	if (!register_kprobe(&probe)) {
		copy_aux = (void *)probe.addr;
		unregister_kprobe(&probe);
	}
	return perf_pmu_register(&known_trace, name, -1);
}

static void __exit end(void)
{
	perf_pmu_unregister(&known_trace);
}

module_init(start);
module_exit(end);
MODULE_LICENSE("Dual BSD/GPL");
MODULE_DESCRIPTION("A PMU that writes known bytes to AUX areas");
