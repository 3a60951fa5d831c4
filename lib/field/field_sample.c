// SPDX-License-Identifier: BSD-2-Clause
#include "context_internal.h"
#include "field_table.h"
#include "pkutil.h"

/* The fields that do not belong to stacks, memory accesses or branches. */

/* ---- Texts ---- */

static bool event_key(struct pk_view *view, uint64_t *key)
{
	*key = view->counted->index;
	return true;
}

static const char *event_text(struct pk_context *context, uint64_t key, size_t *size)
{
	const struct pk_event *event = pk_events_at(pk_reader_events(context->state->reader), key);

	return pk_with_size(event ? event->name : NULL, size);
}

static bool mode_key(struct pk_view *view, uint64_t *key)
{
	*key = view->record->misc & PERF_RECORD_MISC_CPUMODE_MASK;
	return true;
}

const char *pk_mode_name(uint16_t misc)
{
	switch (misc & PERF_RECORD_MISC_CPUMODE_MASK) {
	case PERF_RECORD_MISC_KERNEL: return "kernel";
	case PERF_RECORD_MISC_USER: return "user";
	case PERF_RECORD_MISC_HYPERVISOR: return "hypervisor";
	case PERF_RECORD_MISC_GUEST_KERNEL: return "guest_kernel";
	case PERF_RECORD_MISC_GUEST_USER: return "guest_user";
	default: return "unknown";
	}
}

static const char *mode_text(struct pk_context *context, uint64_t key, size_t *size)
{
	(void)context;
	return pk_with_size(pk_mode_name((uint16_t)key), size);
}

static bool cgroup_key(struct pk_view *view, uint64_t *key)
{
	const struct pk_sample *sample = pk_view_sample(view);

	if (sample)
		*key = sample->cgroup;
	return sample;
}

static const char *cgroup_text(struct pk_context *context, uint64_t key, size_t *size)
{
	return pk_with_size(pk_session_cgroup(context->state->session, key), size);
}

static bool container_key(struct pk_view *view, uint64_t *key)
{
	uint64_t id = 0;

	*key = cgroup_key(view, &id) ? pk_session_container(view->context->state->session, id) : 0;
	return *key;
}

static bool pod_key(struct pk_view *view, uint64_t *key)
{
	uint64_t id = 0;

	*key = cgroup_key(view, &id) ? pk_session_pod(view->context->state->session, id) : 0;
	return *key;
}

static const char *container_text(struct pk_context *context, uint64_t key, size_t *size)
{
	return pk_session_cgroup_name(context->state->session, (uint32_t)key, size);
}

static const char *pod_text(struct pk_context *context, uint64_t key, size_t *size)
{
	return pk_session_cgroup_name(context->state->session, (uint32_t)key, size);
}

static bool host_key(struct pk_view *view, uint64_t *key)
{
	*key = 0;
	return *pk_session_machine(view->context->state->session)->host;
}

static const char *host_text(struct pk_context *context, uint64_t key, size_t *size)
{
	(void)key;
	return pk_with_size(pk_session_machine(context->state->session)->host, size);
}

/* ---- Numbers without a fixed offset ---- */

static bool cgroup_id_key(struct pk_view *view, uint64_t *key)
{
	return cgroup_key(view, key);
}

static bool parallelism_key(struct pk_view *view, uint64_t *key)
{
	const struct pk_context *context = view->context;
	const uint16_t at = view->event->layout.tid;

	if (!at || !pk_parallelism_is_known(&context->state->parallelism))
		return false;
	*key = pk_parallelism_of(&context->state->parallelism,
				 pk_record_task(view->record, at)->pid);
	return true;
}

static bool socket_key(struct pk_view *view, uint64_t *key)
{
	const uint16_t at = view->event->layout.cpu;
	uint32_t socket = UINT32_MAX;

	if (at)
		socket = pk_socket_of(&view->context->state->sockets,
				      pk_load_u32(view->record->data + at));
	*key = socket;
	return socket != UINT32_MAX;
}

/* Computes the start of a span: the time of the sample minus the field "duration" of its event. */
static bool start_key(struct pk_view *view, uint64_t *key)
{
	struct pk_context *context = view->context;
	const struct pk_binding *duration =
		pk_column_bind(&context->state->duration, context, view->event);
	const uint16_t at = view->event->layout.time;
	struct pk_wide number;

	context->failed |= !duration;
	if (!at || !duration || !pk_view_number(view, duration, &number))
		return false;
	*key = pk_load_u64(view->record->data + at) - number.low;
	return true;
}

static bool id_key(struct pk_view *view, uint64_t *key)
{
	const struct pk_layout *layout = &view->event->layout;
	const uint16_t at = layout->identifier ? layout->identifier : layout->id;

	if (at)
		*key = pk_load_u64(view->record->data + at);
	return at;
}

/* This function is used if the address has no fixed offset in the record. */
static bool ip_key(struct pk_view *view, uint64_t *key)
{
	*key = pk_sample_ip(view->event, view->record);
	return true;
}

/* This function is used if the samples do not contain PERF_SAMPLE_PERIOD. If the period is fixed,
 * it is in the attr of the event. */
static bool period_key(struct pk_view *view, uint64_t *key)
{
	*key = view->event->attr.sample_period;
	return !(view->event->attr.flags & PERF_ATTR_FREQ);
}

DECODED(transaction)

/* ---- The table ---- */

static const struct pk_field fields[] = {
	{"pid", NULL, PK_VALUE_INT, PLACED(tid, 0, 4), .about = "process"},
	{"tid", NULL, PK_VALUE_INT, PLACED(tid, 4, 4), .about = "thread"},
	{"cpu", NULL, PK_VALUE_INT, PLACED(cpu, 0, 4), .about = "processor"},
	{"socket", NULL, NUMBER(socket, PK_VALUE_NUMBER), .about = "socket of the processor"},
	{"time", NULL, PK_VALUE_TIME, PLACED(time, 0, 8),
	 .about = "nanoseconds of the recording's clock"},
	{"event", NULL, TEXT(event), .needs = PK_NEED_FORMATS, .is_private = true, .is_event = true,
	 .about = "name of the event"},
	{"period", NULL, NUMBER(period, PK_VALUE_NUMBER), PLACED(period, 0, 8),
	 .about = "number of events that the sample stands for"},
	{"mode", NULL, TEXT(mode),
	 .about = "user, kernel, hypervisor, guest_user, guest_kernel or unknown"},
	{"cgroup_id", NULL, NUMBER(cgroup_id, PK_VALUE_NUMBER), .sample_bits = PERF_SAMPLE_CGROUP,
	 .about = "number of the control group"},
	{"parallelism", NULL, NUMBER(parallelism, PK_VALUE_NUMBER), .needs = PK_NEED_PARALLELISM,
	 .about = "number of threads of the process that run at this time, computed from context "
		  "switches"},
	{"start", NULL, NUMBER(start, PK_VALUE_TIME), .needs = PK_NEED_FORMATS,
	 .about = "start of a span in nanoseconds: time minus duration"},
	{"cgroup", NULL, TEXT(cgroup), .sample_bits = PERF_SAMPLE_CGROUP, .is_private = true,
	 .about = "path of the control group"},
	{"container", NULL, TEXT(container), .sample_bits = PERF_SAMPLE_CGROUP, .is_private = true,
	 .about = "id or name of the container that the control group belongs to"},
	{"pod", NULL, TEXT(pod), .sample_bits = PERF_SAMPLE_CGROUP, .is_private = true,
	 .about = "uid of the Kubernetes pod that the control group belongs to"},
	{"host", NULL, TEXT(host), .is_private = true, .about = "name of the recorded machine"},
	{"ip", NULL, NUMBER(ip, PK_VALUE_ADDRESS), PLACED(ip, 0, 8), .sample_bits = PERF_SAMPLE_IP,
	 .is_private = true, .about = "address of the instruction"},
	{"id", NULL, NUMBER(id, PK_VALUE_NUMBER), .about = "number of the counter"},
	{"transaction", NULL, NUMBER(transaction, PK_VALUE_HEX),
	 .sample_bits = PERF_SAMPLE_TRANSACTION, .about = "bits of a hardware transaction"},
};

const struct pk_fields pk_fields_of_samples = FIELDS(fields);
