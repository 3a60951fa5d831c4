// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "browser.h"
#include "lookups.h"
#include "messages_held.h"
#include "pkutil.h"
#include "screen.h"

#define NS_PER_S  UINT64_C(1000000000)
#define NS_PER_MS UINT64_C(1000000)
/* Keys are read after every RECORDS_BETWEEN records. */
#define RECORDS_BETWEEN 512
/* Refreshes take at most 1/REFRESH_PART of the time. */
#define REFRESH_PART 20
/* The first refreshes come earlier. The first one comes after 1/FIRST_PART of the delay, and the
 * time to the next one doubles each time. */
#define FIRST_PART 8

#define WAIT_MAX_MS 60000

struct top_state {
	struct pk_run *run;
	struct reporter reporter;
	struct browser browser;
	uint64_t delay; /* in ns */
	uint64_t step;	/* time to the next refresh in ns; at most `delay` */
	uint64_t next;	/* time of the next refresh */
	uint64_t records;
	bool failed;   /* memory is exhausted */
	bool complete; /* the inputs were read to their end */
	bool lost;     /* the terminal was closed */
};

/* Returns the state. The argument of the tail's callbacks is the reporter, which is a member of the
 * state. */
static struct top_state *top_of(void *reporter)
{
	return (struct top_state *)((char *)reporter - offsetof(struct top_state, reporter));
}

static uint64_t now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * NS_PER_S + (uint64_t)ts.tv_nsec;
}

static void refresh(struct top_state *t)
{
	const uint64_t start = now();
	uint64_t cost;

	if (t->browser.frozen && !t->reporter.ended) {
		t->next = start + t->delay;
		return;
	}
	t->failed |= browser_refresh(&t->browser) != PK_OK;
	cost = (now() - start) * REFRESH_PART;
	t->next = now() + (cost > t->step ? cost : t->step);
	t->step = t->step < t->delay / 2 ? 2 * t->step : t->delay;
}

static bool is_over(const struct top_state *t)
{
	return t->failed || t->lost || t->browser.quit || t->browser.again ||
	       (t->browser.leaving && t->reporter.ended);
}

/* Handles keys, does a refresh if its time has come, and draws the screen. */
static void tick(struct top_state *t)
{
	int key;

	while (!is_over(t) && (key = screen_key()) != KEY_OF_NONE)
		browser_key(&t->browser, key);
	if (is_over(t))
		return;
	if (!t->reporter.ended && now() >= t->next)
		refresh(t);
	if (!t->browser.message[0])
		browser_hear(&t->browser);
	if (t->browser.changed)
		browser_draw(&t->browser);
}

/* Waits for a key, for the time of the next refresh, or for input. fd is -1 if there is no input to
 * wait for. Returns true if there is input. */
static bool wait_for(struct top_state *t, int fd)
{
	struct pollfd ready[] = {{.fd = screen_fd(), .events = POLLIN},
				 {.fd = fd, .events = POLLIN}};
	const uint64_t time = now();
	const uint64_t left = t->next > time ? (t->next - time) / NS_PER_MS + 1 : 0;
	const int timeout = t->reporter.ended ? -1 : left < WAIT_MAX_MS ? (int)left : WAIT_MAX_MS;

	/* A signal interrupts poll(), for example when the size of the terminal changes. */
	if (poll(ready, fd < 0 ? 1 : 2, timeout) <= 0)
		return false;
	if (ready[0].revents & (POLLHUP | POLLERR | POLLNVAL))
		t->lost = true;
	return fd >= 0 && ready[1].revents;
}

/* Drops further messages if the input is not read to its end, because they would report that the
 * input is incomplete. */
static void stop_messages(const struct top_state *t)
{
	if (t->browser.quit || t->lost)
		messages_stop();
}

static enum pk_status record(void *reporter, const struct pk_record *record)
{
	struct top_state *t = top_of(reporter);
	const enum pk_status status = pk_reporter_record(reporter, record);

	if (status || pk_likely(++t->records % RECORDS_BETWEEN))
		return status;
	t->browser.offset = record->offset;
	tick(t);
	if (!is_over(t))
		return PK_OK;
	stop_messages(t);
	t->run->enough = true;
	return t->failed ? PK_NOMEM : PK_END;
}

/* The callback pk_run.idle. It is called when no bytes of the input can be read at present. */
static void idle(struct pk_run *run)
{
	struct top_state *t = top_of(((struct pk_tail *)run->arg)->arg);
	int none;

	do
		tick(t);
	while (!is_over(t) && !wait_for(t, run->input.fd));
	if (!is_over(t))
		return;
	stop_messages(t);
	/* The input is replaced by /dev/null. So the program that writes the input notices the end,
	 * and read(2) does not wait. */
	run->enough = true;
	none = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (none < 0)
		return;
	dup2(none, run->input.fd);
	close(none);
}

/* Reads the inputs, once for each layout that the user selects. Returns the exit status of the run.
 */
static int read_inputs(struct top_state *t)
{
	int result;

	do {
		t->browser.again = false;
		t->reporter.ended = false;
		t->run->enough = false;
		t->next = 0;
		t->step = t->reporter.options->decay ? t->delay : t->delay / FIRST_PART + 1;
		pk_run_forget_losses(t->run);
		result = pk_run(t->run);
		if (t->run->refused)
			return result;
		t->complete = !is_over(t);
		t->reporter.ended = true;
		if (is_over(t))
			continue;
		t->browser.frozen = false;
		screen_repair(); /* removes the last messages of other programs */
		refresh(t);
		tick(t);
		while (!is_over(t)) {
			wait_for(t, -1);
			tick(t);
		}
	} while (t->browser.again);
	return result;
}

static void close_screen(void)
{
	screen_close();
	messages_release();
}

/* Returns true if the inputs can be opened. So an error is reported before the screen is opened. */
static bool has_inputs(const struct pk_run *run)
{
	bool all = true;

	if (!run->files_count && isatty(STDIN_FILENO))
		return pk_input_open("-") >= 0; /* this call prints the message */
	for (int i = 0; i < run->files_count; i++) {
		if (!strcmp(run->files[i], "-") || !access(run->files[i], R_OK))
			continue;
		pk_error("%s: %s", run->files[i], strerror(errno));
		all = false;
	}
	return all;
}

static int browse(struct top_state *t)
{
	int result, problems;

	if (!has_inputs(t->run) || screen_open() != PK_OK)
		return PK_EXIT_FAILED;
	/* The screen must also be closed if a library function prints a message and ends the
	 * program. */
	atexit(close_screen);
	if (messages_hold() != PK_OK) {
		screen_close();
		return PK_EXIT_FAILED;
	}
	result = read_inputs(t);
	problems = t->complete ? pk_reporter_problems(&t->reporter) : PK_EXIT_OK;
	result = !t->complete ? PK_EXIT_OK : result > problems ? result : problems;
	close_screen();
	if (t->failed)
		return pk_no_memory();
	return t->lost ? PK_EXIT_FAILED : result;
}

int top(struct pk_run *run, const struct top_options *options)
{
	struct report_options *report = &options->arguments->report;
	struct top_state t = {.run = run, .delay = options->delay};
	int result;

	report->live = options->delay;
	/* The report needs more than its fields require, so that the user can change the fields
	 * while a pipe is read. */
	report->needs =
		PK_NEED_STACKS | PK_NEED_CALLERS | PK_NEED_NAMES | PK_NEED_TASKS | PK_NEED_FORMATS;
	t.reporter.run = run;
	t.reporter.options = report;
	t.browser.options = options;
	t.browser.run = run;
	t.browser.reporter = &t.reporter;
	report->keep = browser_reads_files(run);
	t.browser.outline.reporter = &t.reporter;
	t.browser.texts.outline = &t.browser.outline;
	if (pk_reporter_start(&t.reporter) != PK_OK)
		return pk_reporter_end(&t.reporter, pk_no_memory());
	t.browser.outline.caller =
		report->graph.ordered ? report->graph.caller : t.reporter.results.has_children;
	t.reporter.tail.record = record;
	run->idle = idle;
	result = browse(&t);
	browser_free(&t.browser);
	return pk_reporter_end(&t.reporter, result);
}
