// SPDX-License-Identifier: BSD-2-Clause
#include <math.h>
#include <stdlib.h>

#include "discovery.h"

struct test {
	double probability;
	size_t index;
};

static int compare_tests(const void *left, const void *right)
{
	const struct test *a = left, *b = right;

	return (a->probability > b->probability) - (a->probability < b->probability);
}

enum pk_status pk_discovery_adjust(double *probabilities, size_t count)
{
	struct test *tests = calloc(count + 1, sizeof(*tests));
	size_t tested = 0;
	double least = 1;

	if (!tests)
		return PK_NOMEM;
	for (size_t i = 0; i < count; i++)
		if (!isnan(probabilities[i]))
			tests[tested++] = (struct test){probabilities[i], i};
	qsort(tests, tested, sizeof(*tests), compare_tests);
	for (size_t rank = tested; rank; rank--) {
		const struct test *test = &tests[rank - 1];

		least = fmin(least, test->probability * (double)tested / (double)rank);
		probabilities[test->index] = least;
	}
	free(tests);
	return PK_OK;
}
