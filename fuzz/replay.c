/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs a fuzz target on the given files. So its corpus can be tested without a fuzzer. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay_file(const char *path)
{
	FILE *file = fopen(path, "rb");
	uint8_t *data = NULL;
	long size = -1;
	int status = -1;

	if (!file)
		goto out;
	if (fseek(file, 0, SEEK_END) == 0)
		size = ftell(file);
	if (size < 0 || fseek(file, 0, SEEK_SET) != 0)
		goto out;
	/* The copy has the exact size of the input, so that a sanitizer reports a read after its
	 * end. */
	data = malloc(size > 0 ? (size_t)size : 1);
	if (!data || fread(data, 1, (size_t)size, file) != (size_t)size)
		goto out;
	status = LLVMFuzzerTestOneInput(data, (size_t)size);
out:
	if (status)
		fprintf(stderr, "replay: %s: failed\n", path);
	free(data);
	if (file)
		fclose(file);
	return status;
}

int main(int argc, char **argv)
{
	int failed = 0;

	for (int i = 1; i < argc; i++) {
		/* The name is printed before the test, because the target may crash. */
		printf("%s\n", argv[i]);
		fflush(stdout);
		failed |= replay_file(argv[i]) != 0;
	}
	return failed;
}
