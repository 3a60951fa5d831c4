// SPDX-License-Identifier: BSD-2-Clause
#include <stdio.h>
#include <stdlib.h>

#include "sha256.h"
#include "stream_builder.h"

static void (*init)(struct pk_sha256 *); /* that which is tested */

static const char *hex_of(const char *text, size_t size, size_t piece, size_t repeat)
{
	static char hex[2 * PK_SHA256_SIZE + 1];
	uint8_t digest[PK_SHA256_SIZE];
	struct pk_sha256 sha;

	init(&sha);
	while (repeat--)
		for (size_t at = 0; at < size; at += piece)
			pk_sha256_add(&sha, text + at, size - at < piece ? size - at : piece);
	pk_sha256_end(&sha, digest);
	for (size_t i = 0; i < sizeof(digest); i++)
		snprintf(hex + 2 * i, 3, "%02x", digest[i]);
	return hex;
}

/* With a portable program, and with the instructions of the processor. */
static void (*const inits[])(struct pk_sha256 *) = {pk_sha256_init, pk_sha256_init_fast};

/* The examples of FIPS 180-2, appendix B, and the empty message. */
START_TEST(digests_are_those_of_the_standard)
{
	const char *two = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";

	for (size_t i = 0; i < 2; i++) {
		init = inits[i];
		ck_assert_str_eq(hex_of("", 0, 1, 1), "e3b0c44298fc1c149afbf4c8996fb924"
						      "27ae41e4649b934ca495991b7852b855");
		ck_assert_str_eq(hex_of("abc", 3, 3, 1), "ba7816bf8f01cfea414140de5dae2223"
							 "b00361a396177a9cb410ff61f20015ad");
		for (size_t piece = 1; piece <= 56; piece++)
			ck_assert_str_eq(hex_of(two, 56, piece, 1),
					 "248d6a61d20638b8e5c026930c3e6039"
					 "a33ce45964ff2167f6ecedd419db06c1");
	}
}
END_TEST

START_TEST(long_messages_in_pieces_of_any_size)
{
	static char text[1000];

	memset(text, 'a', sizeof(text));
	for (size_t i = 0; i < 2; i++) {
		init = inits[i];
		for (size_t piece = 1; piece <= 1000; piece += 63)
			ck_assert_str_eq(hex_of(text, sizeof(text), piece, 1000),
					 "cdc76e5c9914fb9281a1c7e284d73e67"
					 "f1809a48a497200e046d39ccc7112cd0");
	}
}
END_TEST

RUN_TESTS("sha256", digests_are_those_of_the_standard, long_messages_in_pieces_of_any_size)
