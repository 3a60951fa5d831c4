/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE
#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kallsyms_cache.h"

static char dir[64];
static struct pk_kallsyms_cache cache;
static const char text[] = "ffffffff81000000 T _text\nffffffff81000100 T start\n"
			   "ffffffffc0200000 t init\t[mod]\n";

static void begin(void)
{
	char folder[128];

	snprintf(dir, sizeof(dir), "/tmp/pk-cache.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(folder, sizeof(folder), "%s/cache/pk", dir);
	ck_assert(pk_kallsyms_cache_find(&cache, folder));
}

static void end(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf %s", dir);
	ck_assert_int_eq(system(command), 0);
}

/* Looks up all symbols, as a program does. */
static void look_up(struct pk_kallsyms *k)
{
	for (size_t i = 0; i < k->table.count; i++) {
		struct pk_symtable_entry *e = &k->table.entries[i];

		pk_kallsyms_module(k, e);
		ck_assert_uint_lt(strlen(pk_symtable_name(&k->table, e)), 1 << 20);
		pk_symtable_find(&k->table, e->at);
		pk_kallsyms_may_lack(k, e);
	}
}

static bool is_same(struct pk_kallsyms *a, struct pk_kallsyms *b)
{
	bool same = a->table.count == b->table.count &&
		    !memcmp(a->references, b->references, sizeof(a->references));

	for (size_t i = 0; same && i < a->table.count; i++) {
		struct pk_symtable_entry *x = &a->table.entries[i], *y = &b->table.entries[i];
		const char *in_a = pk_kallsyms_module(a, x), *in_b = pk_kallsyms_module(b, y);

		same = x->at == y->at && x->size == y->size && !in_a == !in_b &&
		       (!in_a || !strcmp(in_a, in_b)) &&
		       !strcmp(pk_symtable_name(&a->table, x), pk_symtable_name(&b->table, y));
	}
	return same;
}

static void parse(struct pk_kallsyms *k)
{
	*k = (struct pk_kallsyms){0};
	ck_assert(pk_kallsyms_parse(k, strdup(text), strlen(text)) == PK_OK);
}

/* Loads the copy. Returns true if there is a valid copy. Sets *same to true if the copy has the
 * symbols of `text`. */
static bool load(bool *same)
{
	struct pk_kallsyms k = {0}, parsed;
	const bool loaded = pk_kallsyms_cache_load(&cache, &k);

	if (loaded) {
		parse(&parsed);
		look_up(&k);
		*same = is_same(&k, &parsed);
		pk_kallsyms_clear(&parsed);
	}
	pk_kallsyms_clear(&k);
	return loaded;
}

/* Returns true if there is a copy that can be read and has the same symbols. */
static bool is_kept(void)
{
	bool same = false;
	const bool loaded = load(&same);

	ck_assert(same == loaded);
	return loaded;
}

static void write_copy(void)
{
	struct pk_kallsyms k;

	parse(&k);
	pk_kallsyms_cache_prepare(&cache);
	pk_kallsyms_cache_save(&cache, &k);
	pk_kallsyms_clear(&k);
}

START_TEST(keeps)
{
	begin();
	ck_assert(!is_kept());
	write_copy();
	ck_assert(is_kept());
	write_copy();
	ck_assert(is_kept());
	cache.key++;
	ck_assert(!is_kept());
	end();
}
END_TEST

/* Symbols of code that the kernel generates are not copied, at any address. */
START_TEST(generated)
{
	static const char *const others[] = {
		"ffffffffc0370000 t bpf_prog_6deef7357e7b4530_sd_fw_egress\t[bpf]\n",
		"ffffffffc0201000 t ftrace_trampoline\t[__builtin__ftrace]\n"
		"ffffffffc0370000 t bpf_trampoline_6442\t[bpf]\n"
		"ffffffffc0202000 t kprobe_insn_page\t[__builtin__kprobes]\n",
	};
	char all[512];

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		snprintf(all, sizeof(all), "%s%s", text, others[i]);
		ck_assert_uint_eq(pk_kallsyms_lasting_size(all, strlen(all)), strlen(text));
	}
	ck_assert_uint_eq(pk_kallsyms_lasting_size(text, strlen(text)), strlen(text));
}
END_TEST

/* Only the ends of the last symbols of the kernel and of each module are estimates. */
START_TEST(lacking)
{
	static const char lines[] =
		"ffffffff81000000 T _text\nffffffff81000100 T last\n"
		"ffffffffc0200000 t one\t[ext4]\nffffffffc0200100 t two\t[ext4]\n";
	static const struct {
		uint64_t address;
		bool may;
	} cases[] = {
		{0xffffffff80fff000, true}, {0xffffffff81000000, false}, {0xffffffff81000100, true},
		{0xffffffff81009000, true}, {0xffffffffc0200001, false}, {0xffffffffc0200101, true},
	};
	struct pk_kallsyms k = {.table.failures = NULL};

	ck_assert(pk_kallsyms_parse(&k, strdup(lines), strlen(lines)) == PK_OK);
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
		ck_assert_int_eq(
			pk_kallsyms_may_lack(&k, pk_symtable_find(&k.table, cases[i].address)),
			cases[i].may);
	pk_kallsyms_clear(&k);
}
END_TEST

/* A copy is valid if its header and its size are valid. Lookups read only bytes of the copy, for
 * all contents of its other bytes. */
START_TEST(damaged)
{
	enum { HEADER = 56 };
	static const unsigned char patterns[] = {0x01, 0x20, 0xff};
	unsigned char bytes[512];
	bool same;
	size_t size;
	FILE *file;

	begin();
	write_copy();
	file = fopen(cache.path, "r");
	ck_assert_ptr_nonnull(file);
	size = fread(bytes, 1, sizeof(bytes), file);
	fclose(file);
	ck_assert_uint_gt(size, HEADER);
	for (size_t i = 0; i <= size * sizeof(patterns); i++) {
		const size_t at = i / sizeof(patterns);
		const unsigned char pattern = patterns[i % sizeof(patterns)];

		file = fopen(cache.path, "w");
		bytes[at] ^= pattern;
		fwrite(bytes, 1, at < size ? size : size - 1, file);
		bytes[at] ^= pattern;
		fclose(file);
		ck_assert_int_eq(load(&same), at >= HEADER && at < size - 1);
	}
	file = fopen(cache.path, "w");
	fwrite(bytes, 1, size, file);
	fclose(file);
	ck_assert(is_kept());
	end();
}
END_TEST

/* A file of another user is not used. */
START_TEST(foreign)
{
	char other[5000];

	begin();
	write_copy();
	ck_assert_int_eq(chmod(cache.path, 0620), 0);
	ck_assert(!is_kept());
	ck_assert_int_eq(chmod(cache.path, 0600), 0);
	snprintf(other, sizeof(other), "%s.other", cache.path);
	ck_assert_int_eq(rename(cache.path, other), 0);
	ck_assert_int_eq(symlink(other, cache.path), 0);
	ck_assert(!is_kept());
	unlink(cache.path);
	ck_assert_int_eq(mkfifo(cache.path, 0600), 0);
	ck_assert(!is_kept());
	unlink(cache.path);
	ck_assert_int_eq(mkdir(cache.path, 0700), 0);
	ck_assert(!is_kept());
	write_copy();
	end();
}
END_TEST

/* The cache is not changed if its folder is a link, or if other users can write to it. */
START_TEST(foreign_folder)
{
	char folder[128], real[128], stale[160];
	const struct timespec long_ago[2] = {{.tv_sec = 1}, {.tv_sec = 1}};
	FILE *file;

	begin();
	snprintf(folder, sizeof(folder), "%s/cache/pk", dir);
	snprintf(real, sizeof(real), "%s/real", dir);
	snprintf(stale, sizeof(stale), "%s/kallsyms-stale", real);
	write_copy();
	ck_assert(is_kept());
	ck_assert_int_eq(unlink(cache.path), 0);
	ck_assert_int_eq(rename(folder, real), 0);
	file = fopen(stale, "w");
	ck_assert_ptr_nonnull(file);
	fclose(file);
	ck_assert_int_eq(utimensat(AT_FDCWD, stale, long_ago, 0), 0);
	ck_assert_int_eq(symlink(real, folder), 0);
	write_copy();
	ck_assert(!is_kept());
	ck_assert_int_eq(access(stale, F_OK), 0);
	ck_assert_int_eq(unlink(folder), 0);
	ck_assert_int_eq(rename(real, folder), 0);
	ck_assert_int_eq(chmod(folder, 0777), 0);
	write_copy();
	ck_assert(!is_kept());
	ck_assert_int_eq(chmod(folder, 0700), 0);
	write_copy();
	ck_assert(is_kept());
	end();
}
END_TEST

START_TEST(nowhere)
{
	ck_assert(!pk_kallsyms_cache_find(&cache, ""));
	write_copy();
	ck_assert(pk_kallsyms_cache_find(&cache, "/proc/no/such/folder"));
	write_copy();
	ck_assert(!is_kept());
}
END_TEST

int main(void)
{
	Suite *s = suite_create("kallsyms_cache");
	TCase *c = tcase_create("kallsyms_cache");
	SRunner *r;
	int failed;

	tcase_add_test(c, keeps);
	tcase_add_test(c, generated);
	tcase_add_test(c, lacking);
	tcase_add_test(c, damaged);
	tcase_add_test(c, foreign);
	tcase_add_test(c, foreign_folder);
	tcase_add_test(c, nowhere);
	suite_add_tcase(s, c);
	r = srunner_create(s);
	srunner_run_all(r, CK_NORMAL);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed != 0;
}
