// SPDX-License-Identifier: BSD-2-Clause
/* The range of addresses for which the result of a lookup is valid. */
#include "resolve.h"
#include "stream_builder.h"

/* Without maps and symbols, one result is valid for all user addresses: it is cached once, not for
 * each page. */
START_TEST(nothing_known)
{
	const struct pk_symbols_options options = {.symfs = "/nonexistent"};
	struct pk_symbols *symbols = pk_symbols_new(&options);
	struct pk_messages messages = {0};
	struct resolver *resolver = resolver_new(symbols, &options, &messages);
	struct pk_session *session = pk_session_new();

	resolver_start_session(resolver, session);
	for (int called = 0; called < 2; called++) {
		static const uint64_t addresses[] = {0, 1, 0x401000, UINT64_MAX - 1};

		for (size_t i = 0; i < sizeof(addresses) / sizeof(addresses[0]); i++) {
			const struct pk_location location = {.ip = addresses[i],
							     .address = addresses[i],
							     .flags = PK_FRAME_USER,
							     .called = called};
			struct pk_resolved resolved = {0};

			resolver_resolve(resolver, &location, &resolved);
			ck_assert_ptr_null(resolved.function);
			ck_assert_uint_eq(resolved.same.from, 0);
			ck_assert_uint_eq(resolved.same.to, UINT64_MAX);
		}
	}
	pk_session_free(session);
	resolver_free(resolver);
	pk_symbols_free(symbols);
}
END_TEST

RUN_TESTS("resolve", nothing_known)
