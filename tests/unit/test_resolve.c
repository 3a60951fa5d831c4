// SPDX-License-Identifier: BSD-2-Clause
/* Tests the range of addresses for which the result of a lookup is valid. */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "resolve.h"
#include "stream_builder.h"

/* Without maps and symbols, one result is valid for all user addresses. It is cached once, and not
 * once for each page. */
START_TEST(nothing_known)
{
	const struct pk_symbols_options options = {.symfs = "/nonexistent"};
	struct pk_symbols *symbols = pk_symbols_new(&options);
	struct pk_messages messages = {0};
	struct resolver *resolver = pk_resolver_new(symbols, &options, &messages);
	struct pk_session *session = pk_session_new();

	pk_resolver_start_session(resolver, session);
	for (int called = 0; called < 2; called++) {
		static const uint64_t addresses[] = {0, 1, 0x401000, UINT64_MAX - 1};

		for (size_t i = 0; i < sizeof(addresses) / sizeof(addresses[0]); i++) {
			const struct pk_location location = {.ip = addresses[i],
							     .address = addresses[i],
							     .flags = PK_FRAME_USER,
							     .called = called};
			struct pk_resolved resolved = {0};

			pk_resolver_resolve(resolver, &location, &resolved);
			ck_assert_ptr_null(resolved.function);
			ck_assert_uint_eq(resolved.same.from, 0);
			ck_assert_uint_eq(resolved.same.to, UINT64_MAX);
		}
	}
	pk_session_free(session);
	pk_resolver_free(resolver);
	pk_symbols_free(symbols);
}
END_TEST

/* A perf map is created after the first lookup. The first result from this perf map shows that
 * earlier results are out of date. */
START_TEST(perf_map_appears)
{
	char dir[] = "/tmp/pk-test.XXXXXX", path[64];
	const struct pk_symbols_options options = {.symfs = mkdtemp(dir)};
	const struct pk_image image = {
		.kind = PK_DSO_JIT, .pid = 5, .path = "//anon", .code = true};
	const struct pk_location location = {
		.image = &image, .ip = 0x1010, .address = 0x1010, .flags = PK_FRAME_USER};
	struct pk_symbols *symbols = pk_symbols_new(&options);
	struct pk_messages messages = {0};
	struct resolver *resolver = pk_resolver_new(symbols, &options, &messages);
	struct pk_session *session = pk_session_new();
	struct pk_resolved resolved = {0};
	FILE *file;

	pk_resolver_start_session(resolver, session);
	pk_resolver_resolve(resolver, &location, &resolved);
	ck_assert_ptr_null(resolved.function);
	ck_assert(!resolved.appeared && !resolved.retry);
	snprintf(path, sizeof(path), "%s/tmp", dir);
	ck_assert(!mkdir(path, 0700));
	snprintf(path, sizeof(path), "%s/tmp/perf-5.map", dir);
	file = fopen(path, "w");
	fputs("1000 100 jitted\n", file);
	fclose(file);
	do { /* the file is searched every 100 ms */
		resolved = (struct pk_resolved){0};
		pk_resolver_resolve(resolver, &location, &resolved);
	} while (!resolved.function);
	ck_assert_str_eq(resolved.function, "jitted");
	ck_assert(resolved.appeared);
	resolved = (struct pk_resolved){0};
	pk_resolver_resolve(resolver, &location, &resolved);
	ck_assert(!resolved.appeared);
	unlink(path);
	snprintf(path, sizeof(path), "%s/tmp", dir);
	rmdir(path);
	rmdir(dir);
	pk_session_free(session);
	pk_resolver_free(resolver);
	pk_symbols_free(symbols);
	pk_messages_clear(&messages);
}
END_TEST

RUN_TESTS("resolve", nothing_known, perf_map_appears)
