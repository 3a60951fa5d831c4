// SPDX-License-Identifier: BSD-2-Clause
/* Tests the places of samples: the place of the stack's innermost frame, or of the sample's own
 * address. In all sessions, a place has the same number. */
#include "access_types.h"
#include "place.h"
#include "profile.h"
#include "stream_builder.h"

enum { SAMPLES_MAX = 16 };

static struct built stream;
static uint32_t seen[SAMPLES_MAX];
static size_t seen_count;

/* ---- Building ---- */

enum { STRINGS = 3, FRAMES = 3, STACKS = 3 };

/* Offsets of the ids in the set of definitions with the number n, which counts from 0. Ids continue
 * after a RESET. */
struct ids {
	uint32_t string, dso, frame, stack;
};

static struct ids ids_of(uint32_t n)
{
	return (struct ids){STRINGS * n, n, FRAMES * n, STACKS * n};
}

static void put_definition_string(uint32_t id, const char *text)
{
	open_definition(&stream, PK_STRING);
	PUT(&stream, "44", id, strlen(text));
	put_string(&stream, text);
	close_record(&stream);
}

static void put_frame(uint32_t id, uint32_t dso, uint32_t function, uint32_t flags,
		      uint64_t address)
{
	DEFINITION(&stream, PK_FRAME, "4444444488", id, dso, function, 0, 0, 0, flags, 0, address,
		   address & ~UINT64_C(0xfff));
}

static void put_stack(uint32_t id, uint32_t parent, uint32_t frame)
{
	DEFINITION(&stream, PK_STACK, "4444", id, parent, frame, 0);
}

/* Writes the definitions of three stacks. Stack 1 is outer() at 0x1010. Stack 2 is inner(), inlined
 * into outer() at 0x1010. Stack 3 has no function. */
static void put_definitions(uint32_t n)
{
	const struct ids id = ids_of(n);

	put_definition_string(id.string + 1, "/bin/app");
	put_definition_string(id.string + 2, "outer");
	put_definition_string(id.string + 3, "inner");
	DEFINITION(&stream, PK_DSO, "4444888", id.dso + 1, PK_DSO_FILE, id.string + 1, 0, 0, 0, 0);
	put_frame(id.frame + 1, id.dso + 1, id.string + 2, PK_FRAME_USER, 0x1010);
	put_frame(id.frame + 2, id.dso + 1, id.string + 3, PK_FRAME_USER | PK_FRAME_INLINED,
		  0x1010);
	put_frame(id.frame + 3, id.dso + 1, 0, PK_FRAME_USER, 0x2020);
	put_stack(id.stack + 1, 0, id.frame + 1);
	put_stack(id.stack + 2, id.stack + 1, id.frame + 2);
	put_stack(id.stack + 3, 0, id.frame + 3);
}

static void put_start(void)
{
	const struct perf_attr attr = {.sample_type = PERF_SAMPLE_IP, .sample_period = 1};

	put_header(&stream);
	put_session(&stream, PK_TRAILER_STACK);
	put_attr(&stream, &attr, 1, 1);
	put_definitions(0);
}

static void put_end(void)
{
	DEFINITION(&stream, PK_FINISH, "88", 0, 0);
}

static void put_sample(uint64_t ip, uint32_t stack)
{
	RECORD(&stream, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, "844", ip, PK_STACK_TRAILER_TAG,
	       stack);
}

/* ---- Reading ---- */

static enum pk_status note(void *arg, struct pk_view *view, uint64_t weight)
{
	(void)arg;
	(void)weight;
	ck_assert_uint_lt(seen_count, SAMPLES_MAX);
	seen[seen_count++] = pk_view_place(view);
	ck_assert(!view->context->failed);
	/* The second call returns the cached place. */
	ck_assert_uint_eq(pk_view_place(view), seen[seen_count - 1]);
	return PK_OK;
}

static void complain(void *arg, const struct pk_record *record, const char *text)
{
	(void)arg;
	ck_abort_msg("offset %llu: %s", (unsigned long long)record->offset, text);
}

static const struct pk_symbols_options names = {.no_cache = true, .cache_dir = "/nonexistent"};
static struct pk_messages messages;

static void read_all(struct pk_profile *profile, struct pk_symbols *symbols)
{
	struct source source = source_of(&stream);
	struct pk_reader *reader = read_source(&source);
	struct pk_record record;
	enum pk_status status;

	*profile = (struct pk_profile){
		.context = {.needs = PK_NEED_CODE,
			    .code = {.symbols = symbols, .names = &names, .messages = &messages},
			    .complain = complain},
		.weigh = {.kind = PK_WEIGHT_SAMPLES, .each_event = true},
		.sample = note,
	};
	ck_assert(pk_profile_init(profile) == PK_OK);
	seen_count = 0;
	while (!(status = pk_reader_next(reader, &record))) {
		if (record.type == PERF_RECORD_SAMPLE)
			record.event = pk_reader_event_of(reader, &record);
		ck_assert_int_eq(pk_profile_record(profile, reader, &record), PK_OK);
	}
	ck_assert_msg(status == PK_END, "%s", pk_reader_error(reader));
	ck_assert_int_eq(pk_profile_end(profile), PK_OK);
	ck_assert_msg(!source.warnings, "%s", source.warning);
	pk_reader_free(reader);
}

static void expect(const uint32_t *expected, size_t count)
{
	ck_assert_uint_eq(seen_count, count);
	for (size_t i = 0; i < count; i++)
		ck_assert_msg(seen[i] == expected[i], "sample %zu: place %u, not %u", i, seen[i],
			      expected[i]);
}

START_TEST(leaves)
{
	/* The third sample has no function. The fourth sample has no stack, and the stack of the
	 * fifth is not defined. The address of the sixth sample is not that of its stack, and is in
	 * no map. */
	static const uint32_t expected[] = {1, 1, 0, 0, 0, 0, 1, 2, 1};
	struct pk_symbols *symbols = pk_symbols_new(&names);
	struct pk_profile profile;
	const struct pk_places *places;
	struct pk_place place;

	ck_assert_ptr_nonnull(symbols);
	put_start();
	put_sample(0x401010, 1);
	put_sample(0x401010, 2);
	put_sample(0x402020, 3);
	put_sample(0x401010, 0);
	put_sample(0x401010, 77);
	put_sample(0x401fff, 1);
	/* The same function has other ids after a RESET. */
	DEFINITION(&stream, PK_RESET, "44", 0, 0);
	put_definitions(1);
	put_frame(ids_of(2).frame + 1, ids_of(1).dso + 1, ids_of(1).string + 3, PK_FRAME_USER,
		  0x1014);
	put_stack(ids_of(2).stack + 1, 0, ids_of(2).frame + 1);
	put_sample(0x401010, ids_of(1).stack + 2);
	put_sample(0x401014, ids_of(2).stack + 1);
	put_end();
	/* Starts a second session. */
	put_start();
	put_sample(0x401010, 1);
	put_end();
	read_all(&profile, symbols);
	expect(expected, COUNT(expected));
	ck_assert_uint_eq(pk_source_missing(&profile.context.stacks).without, 1);
	ck_assert_uint_eq(pk_source_missing(&profile.context.stacks).undefined, 1);
	places = pk_context_places(&profile.context);
	ck_assert_uint_eq(pk_places_count(places), 2);
	place = pk_places_at(places, 1);
	ck_assert_str_eq(place.function.name, "outer");
	ck_assert_uint_eq(place.function.start, 0x1000);
	ck_assert_uint_eq(place.address, 0x1010);
	ck_assert_str_eq(pk_places_object_at(places, place.function.object).path, "/bin/app");
	place = pk_places_at(places, 2);
	ck_assert_str_eq(place.function.name, "inner");
	ck_assert_uint_eq(place.address, 0x1014);
	pk_profile_free(&profile);
	pk_symbols_free(symbols);
	pk_messages_clear(&messages);
	built_clear(&stream);
}
END_TEST

/* Without symbols, samples have no places. This is not a failure. */
START_TEST(without_symbols)
{
	static const uint32_t expected[] = {0};
	struct pk_profile profile;

	put_start();
	put_sample(0x401010, 1);
	put_end();
	read_all(&profile, NULL);
	expect(expected, COUNT(expected));
	pk_profile_free(&profile);
	built_clear(&stream);
}
END_TEST

RUN_TESTS("place", leaves, without_symbols)
