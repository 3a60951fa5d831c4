// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdlib.h>

#include "cli.h"
#include "object_debug.h"
#include "pkutil.h"
#include "table.h"
#include "unwind_rules.h"
#include "vector.h"

/* Above these numbers of addresses or rows the cache is cleared: 32 MB in total. */
#define ADDRESSES_MAX (UINT32_C(1) << 19)
#define ROWS_MAX      (UINT32_C(1) << 16)

/* A key has an image's index above the bits of an address, which is an offset in a file. Larger
 * ones are not cached. */
#define ADDRESS_BITS 44
#define IMAGES_MAX   (UINT32_C(1) << (64 - ADDRESS_BITS))
#define NO_KEY	     UINT64_MAX

/* The unwind information of an image. */
struct source {
	bool read;
	const struct pk_unwind_info *info;
	struct pk_cfi *cfi; /* NULL: none */
};

/* Most addresses share their row with many others: the distinct rows are few and stay in the
 * processor's cache. */
struct unwind_rules {
	struct resolver *resolver;
	struct pk_failures *failures;
	/* By image and address: the row's index + 1 if the status is OK, else 0, then two bits with
	 * the status. */
	struct pk_table addresses;
	struct pk_cfi_row *rows;
	size_t count, capacity;
	struct pk_table numbers; /* index in rows + 1, by the hash of the row */
	struct pk_cfi_row row;	 /* the last one that is not cached */
	struct source *sources;	 /* by image index */
	size_t sources_capacity;
};

struct unwind_rules *unwind_rules_new(struct resolver *resolver, struct pk_failures *failures)
{
	struct unwind_rules *rules = calloc(1, sizeof(*rules));

	if (!rules)
		return NULL;
	rules->resolver = resolver;
	rules->failures = failures;
	return rules;
}

static void forget_rules(struct unwind_rules *rules)
{
	pk_table_clear(&rules->addresses);
	pk_table_clear(&rules->numbers);
	rules->count = 0;
}

void unwind_rules_forget(struct unwind_rules *rules)
{
	forget_rules(rules);
	for (size_t i = 0; i < rules->sources_capacity; i++)
		pk_cfi_free(rules->sources[i].cfi);
	free(rules->sources);
	rules->sources = NULL;
	rules->sources_capacity = 0;
}

void unwind_rules_free(struct unwind_rules *rules)
{
	if (!rules)
		return;
	unwind_rules_forget(rules);
	pk_table_free(&rules->addresses);
	pk_table_free(&rules->numbers);
	free(rules->rows);
	free(rules);
}

/* ---- Images ---- */

static void report_image(const struct pk_object *object, const struct pk_cfi *cfi,
			 enum pk_object_state state)
{
	if (cfi && pk_cfi_count(cfi))
		pk_info("%s: %zu functions can be unwound", pk_object_path(object),
			pk_cfi_count(cfi));
	else if (state == PK_OBJECT_OTHER_BUILD)
		pk_warn("%s: is of another build: its functions cannot be unwound",
			pk_object_path(object));
	else if (state != PK_OBJECT_NOT_A_FILE)
		pk_info("%s: %s", pk_object_path(object),
			state == PK_OBJECT_READY ? "has no unwind information"
						 : "was not found, or cannot be read");
}

static void read_source(struct unwind_rules *rules, const struct pk_cfi_machine *machine,
			const struct pk_image *image, struct source *source)
{
	struct pk_object *object = NULL;
	enum pk_object_state state;

	source->read = true;
	if (image->kind == PK_DSO_FILE || image->kind == PK_DSO_VDSO)
		object = pk_resolver_object(rules->resolver, image);
	if (!object)
		return;
	source->info = pk_object_unwind_info(object, &state);
	if (source->info && source->info->machine == machine->elf_machine &&
	    source->info->swapped == machine->swapped)
		source->cfi = pk_need(rules->failures, pk_unwind_cfi(source->info, machine));
	report_image(object, source->cfi, state);
}

/* NULL: out of memory. */
static struct source *source_of(struct unwind_rules *rules, const struct pk_cfi_machine *machine,
				const struct pk_image *image)
{
	struct source *source;

	if (!pk_need_room(rules->failures,
			  pk_extend(&rules->sources, &rules->sources_capacity, image->index)))
		return NULL;
	source = &rules->sources[image->index];
	if (!source->read)
		read_source(rules, machine, image, source);
	return source;
}

bool unwind_rules_differ(struct unwind_rules *rules, const struct pk_image *image, uint64_t a,
			 uint64_t b)
{
	struct pk_object *object = pk_resolver_object(rules->resolver, image);
	struct pk_symbol symbol;

	return object && pk_object_lookup(object, a, &symbol) &&
	       (b < symbol.start || b >= symbol.end);
}

/* ---- Cached rules ---- */

static uint64_t key_of(const struct pk_image *image, uint64_t address)
{
	return image->index < IMAGES_MAX - 1 && address >> ADDRESS_BITS == 0
		       ? (uint64_t)image->index << ADDRESS_BITS | address
		       : NO_KEY;
}

static struct unwind_rule rule_of(const struct unwind_rules *rules, const struct pk_image *image,
				  uint64_t value)
{
	const enum pk_cfi_status status = value & 3;

	if (status)
		return (struct unwind_rule){.status = status};
	return (struct unwind_rule){PK_CFI_OK, &rules->rows[(value >> 2) - 1],
				    rules->sources[image->index].cfi};
}

/* The index of the row, which is added if it is new; the caller has made room. */
static size_t share_row(struct unwind_rules *rules, const struct pk_cfi_row *row)
{
	const uint64_t hash = pk_hash(row, sizeof(*row), pk_table_secret(&rules->numbers));
	struct pk_probe probe = pk_table_probe(&rules->numbers, hash);
	uint64_t number;

	while ((number = pk_probe_next(&probe)))
		if (!memcmp(&rules->rows[number - 1], row, sizeof(*row)))
			return number - 1;
	rules->rows[rules->count++] = *row;
	pk_table_add(&rules->numbers, hash, rules->count);
	return rules->count - 1;
}

/* Makes room for one address and one row, so that adding them cannot fail. */
static bool make_room(struct unwind_rules *rules)
{
	if (rules->addresses.count == ADDRESSES_MAX || rules->count == ROWS_MAX)
		forget_rules(rules);
	if (pk_reserve(&rules->rows, &rules->capacity, rules->count, 1, sizeof(*rules->rows)) &&
	    pk_table_reserve(&rules->numbers, rules->numbers.count + 1) &&
	    pk_table_reserve(&rules->addresses, rules->addresses.count + 1))
		return true;
	pk_failed(rules->failures, NULL, ENOMEM);
	return false;
}

static enum pk_cfi_status work_out(const struct source *source, uint64_t offset, uint64_t *work,
				   struct pk_cfi_row *row)
{
	uint64_t address;

	if (!source->cfi || !pk_unwind_address(source->info, offset, &address))
		return PK_CFI_NONE;
	return pk_cfi_find_within(source->cfi, address, work, row);
}

static struct unwind_rule find_new(struct unwind_rules *rules, const struct pk_cfi_machine *machine,
				   const struct pk_image *image, uint64_t address, uint64_t *work)
{
	const struct source *source = source_of(rules, machine, image);
	const uint64_t key = key_of(image, address);
	enum pk_cfi_status status;
	uint64_t value;

	if (!source || !make_room(rules))
		return (struct unwind_rule){.status = PK_CFI_NONE};
	status = work_out(source, address, work, &rules->row);
	/* If the work limit is reached, the rule is not cached: another sample may have more. */
	if (!*work || key == NO_KEY)
		return status ? (struct unwind_rule){.status = status}
			      : (struct unwind_rule){status, &rules->row, source->cfi};
	value = status ? status : (share_row(rules, &rules->row) + 1) << 2;
	pk_table_add(&rules->addresses, key, value);
	return rule_of(rules, image, value);
}

struct unwind_rule unwind_rules_find(struct unwind_rules *rules,
				     const struct pk_cfi_machine *machine,
				     const struct pk_image *image, uint64_t address, uint64_t *work)
{
	const uint64_t value = pk_table_get_u64(&rules->addresses, key_of(image, address));

	return pk_likely(value) ? rule_of(rules, image, value)
				: find_new(rules, machine, image, address, work);
}
