// SPDX-License-Identifier: BSD-2-Clause
/* The program `mkvectors DIRECTORY` writes the streams DIRECTORY/good/NAME.pk and
 * DIRECTORY/bad/NAME.pk. */
#include <stdio.h>
#include <stdlib.h>

#include "mkvectors.h"

static bool write_one(const char *dir, const char *kind, const struct vector *vector, bool big)
{
	const char *suffix = !vector->both ? "" : big ? "-be" : "-le";
	struct stream s = {.big = big};
	char path[4096];
	FILE *file;
	bool ok;

	vector->make(&s);
	snprintf(path, sizeof(path), "%s/%s/%s%s.pk", dir, kind, vector->name, suffix);
	file = fopen(path, "wb");
	ok = file && (!s.size || fwrite(s.data, s.size, 1, file) == 1);
	if (file && fclose(file))
		ok = false;
	free(s.data);
	if (!ok)
		perror(path);
	return ok;
}

static bool write_all(const char *dir, const char *kind, const struct vector *vectors)
{
	for (; vectors->name; vectors++) {
		if (!write_one(dir, kind, vectors, false) ||
		    (vectors->both && !write_one(dir, kind, vectors, true)))
			return false;
	}
	return true;
}

int main(int argc, char **argv)
{
	static const struct vector *const good[] = {
		kernel_vectors, user_vectors, sample_vectors,  feature_vectors,
		stream_vectors, pk_vectors,   derived_vectors, file_vectors,
	};
	static const struct vector *const bad[] = {
		bad_stream_vectors, bad_record_vectors, bad_sample_vectors,
		bad_pk_vectors,	    bad_file_vectors,
	};

	if (argc != 2) {
		fprintf(stderr, "usage: mkvectors DIRECTORY\n");
		return 2;
	}
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		if (!write_all(argv[1], "good", good[i]))
			return 1;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		if (!write_all(argv[1], "bad", bad[i]))
			return 1;
	return 0;
}
