/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE
#include <check.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "elf_builder.h"
#include "symbols.h"

static char dir[64];
static struct pk_symbols *store;

static const struct pk_build_id ours = {20, {0xab, 0xcd, 1}};
static const struct pk_build_id other = {20, {0xab, 0xcd, 2}};

static void make_dir(void)
{
	char kallsyms[128], cache[128];

	snprintf(dir, sizeof(dir), "/tmp/pk-symbols.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(dir));
	snprintf(kallsyms, sizeof(kallsyms), "%s/kallsyms", dir);
	snprintf(cache, sizeof(cache), "%s/cache", dir);
	store = pk_symbols_new(&(struct pk_symbols_options){
		.symfs = dir, .kallsyms = kallsyms, .debug_dir = "/debug", .cache_dir = cache});
	ck_assert_ptr_nonnull(store);
}

static void remove_dir(void)
{
	char command[128];

	pk_symbols_free(store);
	snprintf(command, sizeof(command), "rm -rf %s", dir);
	ck_assert_int_eq(system(command), 0);
}

/* Writes the file dir/path, and makes the folders in the path. */
static void write_file(const char *path, const void *bytes, size_t size)
{
	char full[512];
	FILE *file;

	snprintf(full, sizeof(full), "%s%s", dir, path);
	for (char *p = full + strlen(dir) + 1; (p = strchr(p, '/')); p++) {
		*p = 0;
		mkdir(full, 0700);
		*p = '/';
	}
	file = fopen(full, "w");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(bytes, 1, size, file), size);
	ck_assert_int_eq(fclose(file), 0);
}

/* Writes an ELF file. It has one symbol, which has 16 bytes and is at the offset 0x100. */
static void write_elf(const char *path, const char *symbol, const struct pk_build_id *id,
		      bool dynamic, const char *debug_link)
{
	struct built b = {
		.machine = EM_X86_64,
		.dynamic = dynamic,
		.debug_link = debug_link,
		.segments = {{0, 0x400000, 0x4000, 0x4000}},
		.symbols = {{symbol, 0x400100, 16, STB_GLOBAL, STT_FUNC, 0, BUILT_TEXT}},
	};

	if (id)
		memcpy(b.build_id, id->bytes, 20);
	built_build(&b);
	write_file(path, b.bytes, b.used);
}

static struct pk_object *file(const char *path, const struct pk_build_id *id)
{
	struct pk_object *o = pk_symbols_file(store, path, id, 0);

	ck_assert_ptr_nonnull(o);
	return o;
}

static void expect(struct pk_object *o, uint64_t address, const char *name, uint64_t start)
{
	struct pk_symbol symbol;

	ck_assert_msg(pk_object_lookup(o, address, &symbol), "%#" PRIx64 ": %s: %s", address,
		      pk_object_path(o), pk_object_reason(o));
	ck_assert_str_eq(symbol.name, name);
	ck_assert_uint_eq(symbol.start, start);
	ck_assert(address >= symbol.start && address < symbol.end);
}

static void expect_nothing(struct pk_object *o, uint64_t address, enum pk_object_state state)
{
	struct pk_symbol symbol;

	ck_assert(!pk_object_lookup(o, address, &symbol));
	ck_assert_int_eq(pk_object_state(o), state);
	ck_assert_ptr_nonnull(pk_object_reason(o));
}

START_TEST(by_path)
{
	struct pk_object *o = file("/bin/tool", NULL);
	uint64_t address;

	write_elf("/bin/tool", "main", NULL, false, NULL);
	expect(o, 0x100, "main", 0x100);
	expect(o, 0x10f, "main", 0x100);
	expect_nothing(o, 0x110, PK_OBJECT_READY);
	ck_assert_str_eq(pk_object_path(o), "/bin/tool");
	ck_assert(strstr(pk_object_source(o), "/bin/tool") > pk_object_source(o));
	ck_assert(pk_object_elf_address(o, 0x123, &address));
	ck_assert_uint_eq(address, 0x400123);
	ck_assert(!pk_object_elf_address(o, 0x4000, &address));
}
END_TEST

START_TEST(by_build_id)
{
	write_elf("/bin/tool", "main", &ours, false, NULL);
	expect(file("/bin/tool", &ours), 0x100, "main", 0x100);
	expect_nothing(file("/bin/tool", &other), 0x100, PK_OBJECT_OTHER_BUILD);
	write_elf("/bin/none", "main", NULL, false, NULL);
	expect_nothing(file("/bin/none", &other), 0x100, PK_OBJECT_OTHER_BUILD);
}
END_TEST

/* After the symbols of a build were found, files with this build-id and any path are the same
 * object. */
START_TEST(one_build)
{
	write_elf("/bin/tool", "main", &ours, false, NULL);
	expect_nothing(file("/container/tool", &ours), 0x100, PK_OBJECT_NO_FILE);
	expect(file("/bin/tool", &ours), 0x100, "main", 0x100);
	ck_assert_ptr_eq(file("/other/tool", &ours), file("/bin/tool", &ours));
	ck_assert_ptr_ne(file("/bin/tool", NULL), file("/bin/tool", &ours));
}
END_TEST

START_TEST(interned)
{
	struct pk_object *objects[300];
	char path[32];

	for (int i = 0; i < 300; i++) {
		snprintf(path, sizeof(path), "/bin/%d", i);
		objects[i] = file(path, &ours);
		ck_assert_ptr_ne(file(path, &other), objects[i]);
		ck_assert_ptr_ne(file(path, NULL), objects[i]);
	}
	for (int i = 0; i < 300; i++) {
		snprintf(path, sizeof(path), "/bin/%d", i);
		ck_assert_ptr_eq(file(path, &ours), objects[i]);
	}
}
END_TEST

START_TEST(not_there)
{
	char fifo[128];

	expect_nothing(file("/no/such", NULL), 0x100, PK_OBJECT_NO_FILE);
	expect_nothing(file("/tool (deleted)", NULL), 0, PK_OBJECT_NOT_A_FILE);
	expect_nothing(file("//anon", NULL), 0, PK_OBJECT_NOT_A_FILE);
	expect_nothing(file("[heap]", NULL), 0, PK_OBJECT_NOT_A_FILE);
	expect_nothing(file("/memfd:jit", NULL), 0, PK_OBJECT_NOT_A_FILE);
	expect_nothing(file("", NULL), 0, PK_OBJECT_NOT_A_FILE);
	expect_nothing(file("/", NULL), 0, PK_OBJECT_UNUSABLE);
	write_file("/text", "no ELF\n", 7);
	expect_nothing(file("/text", NULL), 0, PK_OBJECT_UNUSABLE);
	write_file("/empty", "", 0);
	expect_nothing(file("/empty", NULL), 0, PK_OBJECT_UNUSABLE);
	snprintf(fifo, sizeof(fifo), "%s/fifo", dir);
	ck_assert_int_eq(mkfifo(fifo, 0600), 0);
	expect_nothing(file("/fifo", NULL), 0, PK_OBJECT_UNUSABLE);
}
END_TEST

/* Files are searched only inside of symfs. A recorded path with ".." is not searched, even if it
 * would end inside of symfs. */
START_TEST(out_of_symfs)
{
	static const char *const there[] = {"/lib/tool", "/lib/..tool", "/lib/tool.."};
	char path[128];

	for (size_t i = 0; i < sizeof(there) / sizeof(there[0]); i++) {
		write_elf(there[i], "main", NULL, false, NULL);
		expect(file(there[i], NULL), 0x100, "main", 0x100);
	}
	expect_nothing(file("/lib/../lib/tool", NULL), 0x100, PK_OBJECT_NOT_A_FILE);
	expect_nothing(file("/lib/tool/..", NULL), 0x100, PK_OBJECT_NOT_A_FILE);
	snprintf(path, sizeof(path), "/..%s/lib/tool", strrchr(dir, '/'));
	expect_nothing(file(path, NULL), 0x100, PK_OBJECT_NOT_A_FILE);
	expect_nothing(pk_symbols_module(store, path, NULL), 0x100, PK_OBJECT_NOT_A_FILE);
	expect_nothing(pk_symbols_jitdump(store, path, 0), 0x100, PK_OBJECT_NOT_A_FILE);
}
END_TEST

START_TEST(too_long)
{
	char path[20000];

	memset(path, 'x', sizeof(path));
	path[0] = '/';
	path[sizeof(path) - 1] = 0;
	expect_nothing(file(path, &ours), 0, PK_OBJECT_NO_FILE);
}
END_TEST

/* The places where debug files are searched. The mapped file has only its exported symbols. */
static const char *const debug_files[] = {
	"/lib/link.debug",
	"/lib/.debug/link.debug",
	"/debug/lib/link.debug",
	"/debug/.build-id/ab/cd010000000000000000000000000000000000.debug",
	"/debug/lib/x.so.debug",
	"/debug/lib/x.so",
	"/cache/.build-id/ab/cd010000000000000000000000000000000000/elf",
	"/cache/.build-id/ab/cd010000000000000000000000000000000000/debug",
};

START_TEST(debug_file)
{
	struct pk_object *o = file("/lib/x.so", &ours);

	write_elf("/lib/x.so", "exported", &ours, true, "link.debug");
	write_elf(debug_files[_i], "complete", &ours, false, NULL);
	expect(o, 0x100, "complete", 0x100);
	ck_assert(strstr(pk_object_source(o), debug_files[_i]) != NULL);
}
END_TEST

START_TEST(debug_file_of_other_build)
{
	write_elf("/lib/x.so", "exported", &ours, true, "link.debug");
	write_elf(debug_files[_i], "wrong", &other, false, NULL);
	expect(file("/lib/x.so", &ours), 0x100, "exported", 0x100);
}
END_TEST

START_TEST(debug_link_out_of_place)
{
	write_elf("/lib/x.so", "exported", NULL, true, "../evil");
	write_elf("/evil", "wrong", NULL, false, NULL);
	expect(file("/lib/x.so", NULL), 0x100, "exported", 0x100);
}
END_TEST

START_TEST(cached_file)
{
	write_elf(debug_files[6], "kept", &ours, false, NULL);
	expect(file("/gone", &ours), 0x100, "kept", 0x100);
	write_elf("/replaced", "wrong", &other, false, NULL);
	expect(file("/replaced", &ours), 0x100, "kept", 0x100);
}
END_TEST

START_TEST(vdso)
{
	write_elf("/vdso32.so", "wrong", &other, false, NULL);
	write_elf("/vdso64.so", "__vdso_time", &ours, false, NULL);
	expect(file("[vdso]", &ours), 0x100, "__vdso_time", 0x100);
	expect(file("[vdso]", &other), 0x100, "wrong", 0x100);
	expect(file("[vdso]", NULL), 0x100, "__vdso_time", 0x100);
}
END_TEST

START_TEST(own_vdso)
{
	struct pk_symbols *s = pk_symbols_new(&(struct pk_symbols_options){0});
	struct pk_object *o = pk_symbols_file(s, "[vdso]", NULL, 0);
	struct pk_symbol symbol;
	unsigned found = 0;

	if (getauxval(AT_SYSINFO_EHDR)) {
		for (uint64_t offset = 0; offset < 0x2000; offset += 16)
			found += pk_object_lookup(o, offset, &symbol);
		ck_assert_uint_gt(found, 0);
		ck_assert_int_eq(pk_object_state(pk_symbols_file(s, "[vdso]", &ours, 0)),
				 PK_OBJECT_OTHER_BUILD);
	}
	pk_symbols_free(s);
	/* The build-id is unknown. With symfs, the vDSO of this machine is not used, because the
	 * recording can be from another machine. */
	expect_nothing(file("[vdso]", NULL), 0x800, PK_OBJECT_NO_FILE);
}
END_TEST

/* Finds the executable file of this program through /proc/PID. */
START_TEST(live_process)
{
	struct pk_symbols *s = pk_symbols_new(&(struct pk_symbols_options){0});
	char path[256];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);
	struct pk_object *o;

	ck_assert_int_gt(n, 0);
	path[n] = 0;
	o = pk_symbols_file(s, path, NULL, &(struct pk_mapped){.pid = getpid()});
	ck_assert_int_eq(pk_object_state(o), PK_OBJECT_READY);
	ck_assert(strstr(pk_object_source(o), path) != NULL);
	pk_symbols_free(s);
}
END_TEST

static void write_kallsyms(const char *text)
{
	write_file("/kallsyms", text, strlen(text));
}

START_TEST(kernel)
{
	struct pk_object *o = pk_symbols_kernel(store, &ours, NULL, 0);
	struct pk_symbol symbol;

	write_kallsyms("1000 T _text\n1100 T f\n2000 t end\n80000000 t init\t[mod]\n");
	expect(o, 0x1104, "f", 0x1100);
	expect(o, 0x80000001, "init", 0x80000000);
	ck_assert(pk_object_lookup(o, 0x80000001, &symbol));
	ck_assert_str_eq(symbol.module, "mod");
	ck_assert(pk_object_lookup(o, 0x1000, &symbol));
	ck_assert_ptr_null(symbol.module);
	expect_nothing(o, 0x10, PK_OBJECT_READY);
}
END_TEST

/* The kernel and its modules had other addresses in the recording than they have now. */
START_TEST(kernel_moved)
{
	struct pk_object *o = pk_symbols_kernel(store, &ours, "_text", 0x51000);
	struct pk_object *same = pk_symbols_kernel(store, &ours, "_text", 0x1000);
	struct pk_object *unknown = pk_symbols_kernel(store, &ours, "_etext", 0x51000);

	write_kallsyms("1000 T _text\n1100 T f\n2000 t end\n80000000 t init\t[mod]\n");
	ck_assert_ptr_ne(o, same);
	ck_assert_ptr_eq(o, pk_symbols_kernel(store, &ours, "_text", 0x51000));
	expect(o, 0x51104, "f", 0x51100);
	expect_nothing(o, 0x1104, PK_OBJECT_READY);
	expect_nothing(o, 0x80050001, PK_OBJECT_READY);
	expect(same, 0x1104, "f", 0x1100);
	expect(same, 0x80000001, "init", 0x80000000);
	expect(unknown, 0x1104, "f", 0x1100);
}
END_TEST

START_TEST(kernel_hidden)
{
	write_kallsyms("0 T _text\n0 T f\n0 t init\t[mod]\n");
	expect_nothing(pk_symbols_kernel(store, NULL, NULL, 0), 0, PK_OBJECT_HIDDEN);
}
END_TEST

START_TEST(kernel_without_kallsyms)
{
	expect_nothing(pk_symbols_kernel(store, NULL, NULL, 0), 0x1000, PK_OBJECT_NO_FILE);
	write_kallsyms("no such format\n");
	expect_nothing(pk_symbols_kernel(store, &ours, NULL, 0), 0x1000, PK_OBJECT_UNUSABLE);
}
END_TEST

START_TEST(other_kernel)
{
	struct pk_symbols *s = pk_symbols_new(&(struct pk_symbols_options){.cache_dir = dir});

	expect_nothing(pk_symbols_kernel(s, &ours, NULL, 0), 0x1000, PK_OBJECT_OTHER_BUILD);
	pk_symbols_free(s);
}
END_TEST

int main(void)
{
	const int places = sizeof(debug_files) / sizeof(debug_files[0]);
	Suite *s = suite_create("symbols");
	TCase *c = tcase_create("symbols");
	SRunner *r;
	int failed;

	tcase_add_checked_fixture(c, make_dir, remove_dir);
	tcase_add_test(c, by_path);
	tcase_add_test(c, by_build_id);
	tcase_add_test(c, one_build);
	tcase_add_test(c, interned);
	tcase_add_test(c, not_there);
	tcase_add_test(c, out_of_symfs);
	tcase_add_test(c, too_long);
	tcase_add_loop_test(c, debug_file, 0, places);
	tcase_add_loop_test(c, debug_file_of_other_build, 0, places);
	tcase_add_test(c, debug_link_out_of_place);
	tcase_add_test(c, cached_file);
	tcase_add_test(c, vdso);
	tcase_add_test(c, own_vdso);
	tcase_add_test(c, live_process);
	tcase_add_test(c, kernel);
	tcase_add_test(c, kernel_moved);
	tcase_add_test(c, kernel_hidden);
	tcase_add_test(c, kernel_without_kallsyms);
	tcase_add_test(c, other_kernel);
	suite_add_tcase(s, c);
	r = srunner_create(s);
	srunner_run_all(r, CK_NORMAL);
	failed = srunner_ntests_failed(r);
	srunner_free(r);
	return failed != 0;
}
