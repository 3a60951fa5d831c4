/* SPDX-License-Identifier: BSD-2-Clause */
/* covers: lib/profile/density.c */
/* Tests samples with two numbers each, of any size and in any order. The cells must have the same
 * sums as a list of the samples, also after bins were joined. Each sum must be in the cell of its
 * numbers. */
#include <string.h>

#include "check_that.h"
#include "density.h"
#include "status.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define SAMPLES_MAX 256

struct sample {
	struct pk_wide x, y;
	uint64_t weight;
	uint32_t layer;
};

static struct pk_wide number_of(const uint8_t *data)
{
	uint64_t number;

	memcpy(&number, data + 1, sizeof(number));
	number >>= data[0] & 63;
	return data[0] & 64 ? pk_wide_of((int64_t)number) : pk_wide_of_u64(number);
}

static struct pk_bin_axis axis_of(const uint8_t *data)
{
	struct pk_bin_axis axis = {.max = 2u + data[1]};

	axis.scale.kind = (enum pk_scale_kind)(data[0] % 3);
	axis.scale.sub_bits = data[0] / 3 % 9;
	axis.scale.unit = 1 + (UINT64_C(1) << data[2] % 64) / 3 * (data[2] >> 6);
	return axis;
}

static bool is_in(const struct pk_bin_axis *axis, uint32_t index, struct pk_wide number)
{
	return !pk_wide_less(number, pk_bin_axis_number(axis, index)) &&
	       pk_wide_less(number, pk_bin_axis_number(axis, index + 1));
}

static void compare_cell(const struct pk_density *d, const struct sample *samples, size_t count,
			 uint32_t cell[3])
{
	uint64_t sum = 0;

	for (size_t i = 0; i < count; i++)
		if (samples[i].layer == cell[0] && is_in(&d->x, cell[1], samples[i].x) &&
		    is_in(&d->y, cell[2], samples[i].y))
			sum += samples[i].weight;
	check_that(pk_density_cell(d, cell[0], cell[1], cell[2]) == sum);
}

static void compare(const struct pk_density *d, const struct sample *samples, size_t count)
{
	uint64_t all = 0, wanted = 0;

	check_that(d->x.count <= d->x.max && d->y.count <= d->y.max);
	for (uint32_t layer = 0; layer < d->layers_count; layer++) {
		for (uint32_t column = 0; d->layers[layer].columns && column < d->x.count;
		     column++) {
			for (uint32_t row = 0; row < d->y.count; row++) {
				const uint64_t sum = pk_density_cell(d, layer, column, row);
				uint32_t cell[] = {layer, column, row};

				all += sum;
				if (sum)
					compare_cell(d, samples, count, cell);
			}
		}
	}
	for (size_t i = 0; i < count; i++)
		wanted += samples[i].weight;
	check_that(all == wanted);
}

static void check_places(const struct pk_density *d, const struct sample *sample)
{
	const double place = pk_bin_axis_place(&d->y, sample->y);
	double number;

	check_that(place >= -0.001 && place <= d->y.count + 0.001);
	for (uint32_t column = 0; column < d->x.count; column++)
		if (d->layers[sample->layer].columns &&
		    pk_density_quantile(d, sample->layer, column, 0.5, &number))
			check_that(number >= pk_wide_real(pk_bin_axis_number(&d->y, 0)) &&
				   number <= pk_wide_real(pk_bin_axis_number(&d->y, d->y.count)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct sample samples[SAMPLES_MAX];
	struct pk_density d = {.layers_max = 4};
	size_t count = 0;

	if (size < 8)
		return 0;
	d.x = axis_of(data);
	d.y = axis_of(data + 3);
	for (size_t at = 8; at + 19 <= size && count < SAMPLES_MAX; at += 19) {
		struct sample *sample = &samples[count++];

		*sample = (struct sample){number_of(data + at), number_of(data + at + 9),
					  1 + (data[at + 18] >> 2), data[at + 18] & 3};
		check_that(pk_density_add(&d, sample->layer, sample->x, sample->y,
					  sample->weight) == PK_OK);
	}
	compare(&d, samples, count);
	for (size_t i = 0; i < count; i++)
		check_places(&d, &samples[i]);
	pk_density_join_columns(&d, pk_bin_axis_factor(&d.x, 2u + data[6] % 64));
	pk_density_join_rows(&d, pk_bin_axis_factor(&d.y, 2u + data[7] % 64));
	compare(&d, samples, count);
	pk_density_free(&d);
	return 0;
}
