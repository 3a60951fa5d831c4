// SPDX-License-Identifier: BSD-2-Clause
/* Tests tasks, their maps, and the mapped images (SPEC 3.5). */
#include <stdio.h>

#include "locate.h"
#include "task_builder.h"

static void begin(void)
{
	session = pk_session_new();
	ck_assert_ptr_nonnull(session);
}

static void end(void)
{
	pk_session_free(session);
	session = NULL;
}

START_TEST(names)
{
	begin();
	ck_assert_str_eq(comm_of(5, 7), ":7");
	ck_assert_str_eq(comm_of(0, 0), "swapper");
	ck_assert_str_eq(comm_of(UINT32_MAX, UINT32_MAX), ":-1");
	comm_is(5, 7, "seven");
	ck_assert_str_eq(comm_of(5, 7), "seven");
	ck_assert_str_eq(comm_of(5, 5), ":5");
	comm_is(5, 7, "again");
	comm_is(5, 5, "seven");
	ck_assert_str_eq(comm_of(5, 7), "again");
	ck_assert_str_eq(comm_of(5, 5), "seven");
	comm_is(5, 5, "");
	ck_assert_str_eq(comm_of(5, 5), "");
	ck_assert_str_eq(pk_session_comm(session, UINT32_MAX), "");
	end();
	pk_session_free(NULL);
}
END_TEST

/* `named` is true if a COMM record gave a name to the thread or to its parent. It is false if the
 * session made the name, such as ":5". */
START_TEST(named)
{
	begin();
	ck_assert_str_eq(comm_of(5, 5), ":5");
	ck_assert(!pk_session_known_thread(session, 5)->named);
	forks(5, 5, 6, 6, 0);
	ck_assert(!pk_session_known_thread(session, 6)->named);
	ck_assert_str_eq(comm_of(6, 6), ":6");
	forks(0, 0, 1, 1, 0);
	ck_assert_str_eq(comm_of(1, 1), "swapper");
	comm_is(5, 5, "five");
	ck_assert(pk_session_known_thread(session, 5)->named);
	forks(5, 5, 7, 7, 0);
	ck_assert(pk_session_known_thread(session, 7)->named);
	end();
}
END_TEST

/* Threads share the maps of their process. A forked process has separate maps, which begin as
 * copies. */
START_TEST(forking)
{
	begin();
	comm_is(10, 10, "parent");
	maps((struct mapped){.pid = 10, .start = 0x1000, .size = 0x1000, .name = "/bin/parent"});
	forks(10, 10, 10, 11, 0);
	ck_assert_str_eq(comm_of(10, 11), "parent");
	ck_assert_ptr_eq(pk_session_thread(session, 10, 11)->process,
			 pk_session_thread(session, 10, 10)->process);
	comm_is(10, 11, "thread");
	ck_assert_str_eq(comm_of(10, 10), "parent");
	forks(10, 11, 20, 20, 0);
	ck_assert_str_eq(comm_of(20, 20), "thread");
	ck_assert_str_eq(path_at(20, 0x1800), "/bin/parent");
	maps((struct mapped){.pid = 20, .start = 0x1000, .size = 0x800, .name = "/bin/child"});
	ck_assert_str_eq(path_at(20, 0x1000), "/bin/child");
	ck_assert_str_eq(path_at(20, 0x1800), "/bin/parent");
	ck_assert_str_eq(path_at(10, 0x1000), "/bin/parent");
	ck_assert_ptr_eq(image_at(20, 0x1800), image_at(10, 0x1800));
	/* The process that forked has exited. The child still has its maps. */
	exits(10, 10);
	exits(10, 11);
	ck_assert_str_eq(path_at(20, 0x1800), "/bin/parent");
	end();
}
END_TEST

/* A recorder writes the existing tasks, and then their maps (FORK with misc bit 13). */
START_TEST(synthesized)
{
	begin();
	comm_is(10, 10, "parent");
	maps((struct mapped){.pid = 10, .start = 0x1000, .size = 0x1000, .name = "/bin/parent"});
	forks(10, 10, 20, 20, PERF_RECORD_MISC_FORK_EXEC);
	ck_assert_str_eq(comm_of(20, 20), "parent");
	ck_assert_str_eq(path_at(20, 0x1000), "");
	/* The maps of a task can also come before its FORK. */
	maps((struct mapped){.pid = 30, .start = 0x1000, .size = 0x1000, .name = "/bin/thirty"});
	forks(10, 10, 30, 30, PERF_RECORD_MISC_FORK_EXEC);
	ck_assert_str_eq(path_at(30, 0x1000), "/bin/thirty");
	/* A FORK whose parent is the task itself. */
	forks(40, 40, 40, 40, PERF_RECORD_MISC_FORK_EXEC);
	comm_is(40, 40, "forty");
	forks(40, 40, 40, 40, PERF_RECORD_MISC_FORK_EXEC);
	ck_assert_str_eq(comm_of(40, 40), "forty");
	end();
}
END_TEST

/* If a pid is used again, it is another process, even if there was no EXIT record. */
START_TEST(reuse)
{
	for (int told = 0; told < 2; told++) {
		begin();
		comm_is(1, 1, "init");
		maps((struct mapped){.pid = 1, .start = 0x1000, .size = 0x1000, .name = "/init"});
		comm_is(50, 50, "old");
		forks(50, 50, 50, 51, 0);
		maps((struct mapped){.pid = 50, .start = 0x5000, .size = 0x1000, .name = "/old"});
		if (told) {
			exits(50, 51);
			exits(50, 50);
		}
		forks(1, 1, 50, 50, 0);
		ck_assert_str_eq(comm_of(50, 50), "init");
		ck_assert_str_eq(path_at(50, 0x5000), "");
		ck_assert_str_eq(path_at(50, 0x1000), "/init");
		forks(50, 50, 50, 51, 0);
		ck_assert_str_eq(comm_of(50, 51), "init");
		end();
	}
}
END_TEST

/* A tid becomes a thread of another process. */
START_TEST(moved)
{
	begin();
	comm_is(50, 51, "thread");
	ck_assert_str_eq(comm_of(51, 51), ":51");
	forks(51, 51, 51, 60, 0);
	ck_assert_str_eq(comm_of(51, 60), ":60");
	ck_assert_str_eq(comm_of(50, 60), ":60");
	end();
}
END_TEST

/* Invalid records must not cause leaks or uses after free. */
START_TEST(nonsense)
{
	uint64_t seed = 4101842887655102017;

	begin();
	for (int i = 0; i < 20000; i++) {
		uint32_t id[4];

		for (int j = 0; j < 4; j++)
			id[j] = (uint32_t)random_below(&seed, 5);
		switch (random_below(&seed, 5)) {
		case 0:
			forks(id[0], id[1], id[2], id[3],
			      id[0] % 2 ? PERF_RECORD_MISC_FORK_EXEC : 0);
			break;
		case 1: exits(id[0], id[1]); break;
		case 2: comm_is(id[0], id[1], "x"); break;
		case 3:
			maps((struct mapped){
				.pid = id[0], .start = id[1], .size = 1 + id[2], .name = "/x"});
			break;
		default: comm_of(id[0], id[1]); break;
		}
	}
	end();
}
END_TEST

/* Many tasks that end soon need no more memory than a few tasks. */
START_TEST(many_tasks)
{
	begin();
	comm_is(1, 1, "init");
	for (uint32_t pid = 2; pid < 20000; pid++) {
		forks(1, 1, pid, pid, 0);
		exits(pid, pid);
	}
	ck_assert_str_eq(comm_of(1, 1), "init");
	end();
}
END_TEST

/* An exec changes the name. New maps replace old maps, because there are no records of munmap. */
START_TEST(exec)
{
	begin();
	comm_is(10, 10, "sh");
	maps((struct mapped){.pid = 10, .start = 0x1000, .size = 0x3000, .name = "/bin/sh"});
	comm_is(10, 10, "ls");
	maps((struct mapped){
		.pid = 10, .start = 0x2000, .size = 0x1000, .pgoff = 0x7000, .name = "/bin/ls"});
	ck_assert_str_eq(path_at(10, 0x2000), "/bin/ls");
	ck_assert_uint_eq(pk_map_address(map_at(10, 0x2345), 0x2345), 0x7345);
	ck_assert_uint_eq(pk_map_address(map_at(10, 0x3045), 0x3045), 0x2045);
	end();
}
END_TEST

static void expect_image(uint64_t ip, enum pk_dso_kind kind, const char *path, uint64_t address)
{
	const struct pk_map *map = map_at(77, ip);

	ck_assert_ptr_nonnull(map);
	ck_assert_str_eq(map->image->path, path);
	ck_assert_int_eq(map->image->kind, kind);
	ck_assert_uint_eq(pk_map_address(map, ip), address);
}

static void expect_kind(const char *name, enum pk_dso_kind kind, const char *path)
{
	maps((struct mapped){
		.pid = 77, .start = 0x10000, .size = 0x1000, .pgoff = 0x5000, .name = name});
	expect_image(0x10010, kind, path,
		     kind == PK_DSO_FILE   ? 0x5010
		     : kind == PK_DSO_VDSO ? 0x10
					   : 0x10010);
}

static void expect_location(uint64_t ip, bool in_text, const char *path, uint64_t address)
{
	const struct pk_thread *thread = pk_session_thread(session, 77, 77);
	struct pk_location location = pk_session_locate(session, thread, ip, PERF_RECORD_MISC_USER);

	ck_assert_str_eq(location.image->path, path);
	ck_assert_uint_eq(location.address, address);
	ck_assert(location.moved == in_text);
}

static void text_and(uint64_t start, uint64_t size)
{
	maps((struct mapped){
		.pid = 77, .start = 0x10000, .size = 0x10000, .pgoff = 0x1000, .name = "/bin/x"});
	maps((struct mapped){.pid = 77, .start = start, .size = size, .name = "//anon"});
}

/* Anonymous memory between two maps of a file has the code of the file. Other anonymous memory has
 * code of a just-in-time compiler. */
START_TEST(moved_text)
{
	begin();
	text_and(0x14000, 0x2000);
	expect_location(0x14010, true, "/bin/x", 0x5010);
	expect_location(0x16010, false, "/bin/x", 0x7010);
	maps((struct mapped){.pid = 77, .start = 0x16000, .size = 0x1000, .name = "//anon"});
	expect_location(0x14010, true, "/bin/x", 0x5010);
	expect_location(0x16010, true, "/bin/x", 0x7010);
	/* The anonymous memory is not between two maps of the file: it replaces the start or the
	 * end of the file's maps. */
	text_and(0xf000, 0x2000);
	expect_location(0x10010, false, "/tmp/perf-77.map", 0x10010);
	text_and(0x1f000, 0x2000);
	expect_location(0x1f010, false, "/tmp/perf-77.map", 0x1f010);
	/* The memory has a name, or a map beside it belongs to another file, or has another
	 * distance between address and offset. */
	text_and(0x14000, 0x1000);
	maps((struct mapped){.pid = 77, .start = 0x14000, .size = 0x1000, .name = "/memfd:jit"});
	expect_location(0x14010, false, "/memfd:jit", 0x14010);
	text_and(0x14000, 0x1000);
	maps((struct mapped){.pid = 77, .start = 0x15000, .size = 0x1000, .name = "/bin/y"});
	expect_location(0x14010, false, "/tmp/perf-77.map", 0x14010);
	maps((struct mapped){
		.pid = 77, .start = 0x15000, .size = 0x1000, .pgoff = 0x7000, .name = "/bin/x"});
	expect_location(0x14010, false, "/tmp/perf-77.map", 0x14010);
	end();
}
END_TEST

START_TEST(kinds)
{
	begin();
	expect_kind("/usr/lib/libc.so.6", PK_DSO_FILE, "/usr/lib/libc.so.6");
	expect_kind("/tmp/gone (deleted)", PK_DSO_FILE, "/tmp/gone (deleted)");
	expect_kind("[vdso]", PK_DSO_VDSO, "[vdso]");
	expect_kind("//anon", PK_DSO_JIT, "/tmp/perf-77.map");
	expect_kind("", PK_DSO_JIT, "/tmp/perf-77.map");
	expect_kind("[heap]", PK_DSO_JIT, "/tmp/perf-77.map");
	expect_kind("[stack]", PK_DSO_JIT, "/tmp/perf-77.map");
	expect_kind("/dev/zero (deleted)", PK_DSO_JIT, "/tmp/perf-77.map");
	expect_kind("/anon_hugepage (deleted)", PK_DSO_JIT, "/tmp/perf-77.map");
	expect_kind("/SYSV00000000 (deleted)", PK_DSO_JIT, "/tmp/perf-77.map");
	expect_kind("[anon:v8]", PK_DSO_JIT, "[anon:v8]");
	expect_kind("/memfd:jit (deleted)", PK_DSO_JIT, "/memfd:jit (deleted)");
	expect_kind("//toolong", PK_DSO_ANON, "//toolong");
	expect_kind("[uprobes]", PK_DSO_ANON, "[uprobes]");
	maps((struct mapped){.pid = 77,
			     .start = 0x20000,
			     .size = 0x1000,
			     .name = "/usr/bin/x",
			     .flags = 0x40000});
	expect_image(0x20010, PK_DSO_JIT, "/tmp/perf-77.map", 0x20010);
	maps((struct mapped){
		.pid = 77, .start = 0x20000, .size = 0x1000, .name = "//anon", .data = true});
	expect_image(0x20010, PK_DSO_ANON, "//anon", 0x20010);
	/* A vDSO with another map inside of it has the same addresses as before. */
	maps((struct mapped){
		.pid = 77, .start = 0x30000, .size = 0x3000, .pgoff = 0x30000, .name = "[vdso]"});
	maps((struct mapped){.pid = 77, .start = 0x31000, .size = 0x1000, .name = "/y"});
	expect_image(0x32010, PK_DSO_VDSO, "[vdso]", 0x2010);
	end();
}
END_TEST

/* Maps of the same file have the same image. Maps with another build-id, and code of another
 * process, have different images. */
START_TEST(images)
{
	static const char id_1[] = "build-id number one.", id_2[] = "build-id number two.";

	begin();
	maps((struct mapped){.pid = 1, .start = 0x1000, .size = 0x1000, .name = "/a"});
	maps_old(2, 0x5000, 0x1000, 0x3000, "/a", PERF_RECORD_MISC_USER);
	ck_assert_ptr_eq(image_at(2, 0x5000)->path, image_at(1, 0x1000)->path);
	maps((struct mapped){
		.pid = 2, .start = 0x5000, .size = 0x1000, .pgoff = 0x3000, .name = "/a"});
	ck_assert_ptr_eq(image_at(1, 0x1000), image_at(2, 0x5000));
	ck_assert_uint_eq(pk_map_address(map_at(2, 0x5010), 0x5010), 0x3010);
	ck_assert_uint_eq(image_at(1, 0x1000)->build_id_size, 0);
	maps((struct mapped){
		.pid = 1, .start = 0x1000, .size = 0x1000, .name = "/a", .build_id = id_1});
	maps((struct mapped){
		.pid = 2, .start = 0x1000, .size = 0x1000, .name = "/a", .build_id = id_2});
	maps((struct mapped){
		.pid = 3, .start = 0x1000, .size = 0x1000, .name = "/a", .build_id = id_1});
	ck_assert_ptr_ne(image_at(1, 0x1000), image_at(2, 0x1000));
	ck_assert_ptr_eq(image_at(1, 0x1000), image_at(3, 0x1000));
	ck_assert_uint_eq(image_at(2, 0x1000)->build_id_size, 20);
	ck_assert_mem_eq(image_at(2, 0x1000)->build_id, id_2, 20);
	ck_assert_uint_eq(image_at(2, 0x1000)->index, 3);
	maps((struct mapped){.pid = 1, .start = 0x9000, .size = 0x1000, .name = "//anon"});
	maps((struct mapped){.pid = 2, .start = 0x9000, .size = 0x1000, .name = "//anon"});
	maps((struct mapped){.pid = 2, .start = 0xb000, .size = 0x1000, .name = "[heap]"});
	ck_assert_ptr_ne(image_at(1, 0x9000), image_at(2, 0x9000));
	ck_assert_ptr_eq(image_at(2, 0xb000), image_at(2, 0x9000));
	ck_assert_uint_eq(image_at(1, 0x9000)->pid, 1);
	ck_assert_uint_eq(image_at(1, 0x9000)->index, 4);
	ck_assert_uint_eq(image_at(2, 0x9000)->index, 5);
	end();
}
END_TEST

static enum pk_status build_id_is(const char *path, const char *build_id, unsigned int size,
				  uint16_t misc)
{
	struct built b = {0};

	open_record(&b, PERF_RECORD_HEADER_BUILD_ID, misc);
	put(&b, 4, UINT32_MAX);
	put_bytes(&b, build_id, 20);
	PUT(&b, "1111", size, 0, 0, 0);
	put_string(&b, path);
	close_record(&b);
	return give(&b);
}

/* In another mount namespace, the path is another file with another inode. A build-id that is
 * recorded for the path applies to all these files. */
START_TEST(inodes)
{
	static const char id[] = "the same for each...";

	begin();
	maps((struct mapped){.pid = 1, .start = 0x1000, .size = 0x1000, .name = "/a"});
	maps((struct mapped){.pid = 2, .start = 0x1000, .size = 0x1000, .name = "/a", .inode = 5});
	maps((struct mapped){.pid = 3, .start = 0x1000, .size = 0x1000, .name = "/a", .inode = 5});
	ck_assert_ptr_ne(image_at(1, 0x1000), image_at(2, 0x1000));
	ck_assert_ptr_eq(image_at(2, 0x1000), image_at(3, 0x1000));
	ck_assert_int_eq(build_id_is("/a", id, 20, PERF_RECORD_MISC_BUILD_ID_SIZE), PK_OK);
	maps((struct mapped){.pid = 4, .start = 0x1000, .size = 0x1000, .name = "/a", .inode = 6});
	for (uint32_t pid = 1; pid <= 4; pid++)
		ck_assert_mem_eq(image_at(pid, 0x1000)->build_id, id, 20);
	end();
}
END_TEST

/* Some kernels set the bit for build-ids in records that have a device and an inode instead of a
 * build-id. */
START_TEST(no_build_id)
{
	struct built b = {0};

	begin();
	open_record(&b, PERF_RECORD_MMAP2, 2 | PERF_RECORD_MISC_MMAP_BUILD_ID);
	PUT(&b,
	    "44888"
	    "4488"
	    "44",
	    1, 1, 0x1000, 0x1000, 0, 8, 1, 77, 0, 5, 0);
	put_string(&b, "/a");
	close_record(&b);
	ck_assert_int_eq(give(&b), PK_OK);
	ck_assert_uint_eq(image_at(1, 0x1000)->build_id_size, 0);
	end();
}
END_TEST

/* HEADER_BUILD_ID can come before or after the maps. */
START_TEST(build_id_records)
{
	static const char id_1[] = "build-id number one.", id_2[] = "build-id number two.";
	const uint16_t sized = PERF_RECORD_MISC_BUILD_ID_SIZE;

	begin();
	maps((struct mapped){.pid = 1, .start = 0x1000, .size = 0x1000, .name = "/before"});
	ck_assert_int_eq(build_id_is("/before", id_1, 0, 0), PK_OK);
	ck_assert_int_eq(build_id_is("/behind", id_2, 16, sized), PK_OK);
	maps((struct mapped){.pid = 1, .start = 0x2000, .size = 0x1000, .name = "/behind"});
	ck_assert_uint_eq(image_at(1, 0x1000)->build_id_size, 20);
	ck_assert_mem_eq(image_at(1, 0x1000)->build_id, id_1, 20);
	ck_assert_uint_eq(image_at(1, 0x2000)->build_id_size, 16);
	ck_assert_mem_eq(image_at(1, 0x2000)->build_id, id_2, 16);
	/* The build-id in a map has precedence over HEADER_BUILD_ID. Of several HEADER_BUILD_ID for
	 * a path, the first is used. */
	maps((struct mapped){
		.pid = 1, .start = 0x3000, .size = 0x1000, .name = "/own", .build_id = id_1});
	ck_assert_int_eq(build_id_is("/own", id_2, 20, sized), PK_OK);
	ck_assert_int_eq(build_id_is("/before", id_2, 20, sized), PK_OK);
	ck_assert_mem_eq(image_at(1, 0x3000)->build_id, id_1, 20);
	ck_assert_mem_eq(image_at(1, 0x1000)->build_id, id_1, 20);
	/* A file of a guest is not the file of the host with this path. */
	ck_assert_int_eq(build_id_is("/guest", id_1, 20, sized | PERF_RECORD_MISC_GUEST_USER),
			 PK_OK);
	maps((struct mapped){.pid = 1, .start = 0x4000, .size = 0x1000, .name = "/guest"});
	ck_assert_uint_eq(image_at(1, 0x4000)->build_id_size, 0);
	/* Sizes that a build-id cannot have. */
	ck_assert_int_eq(build_id_is("/guest", id_1, 0, sized), PK_CORRUPT);
	ck_assert_int_eq(build_id_is("/guest", id_1, 21, sized), PK_CORRUPT);
	/* A build-id of the kernel. */
	ck_assert_int_eq(build_id_is("[kernel.kallsyms]", id_2, 20, sized | 1), PK_OK);
	maps((struct mapped){.pid = UINT32_MAX,
			     .start = 0x80000000,
			     .size = 0x1000,
			     .name = "[kernel.kallsyms]_text",
			     .mode = 1});
	ck_assert_mem_eq(kernel_at(0x80000000)->build_id, id_2, 20);
	end();
}
END_TEST

/* Very many images, and as many build-ids. The time must be proportional to the number of records.
 */
START_TEST(many_build_ids)
{
	begin();
	for (int i = 0; i < 20000; i++) {
		char path[32];

		snprintf(path, sizeof(path), "/%d", i);
		maps((struct mapped){.pid = 1, .start = 0x1000, .size = 0x1000, .name = path});
		ck_assert_int_eq(build_id_is(path, "01234567890123456789", 20, 0), PK_OK);
		ck_assert_uint_eq(image_at(1, 0x1000)->build_id_size, 20);
	}
	end();
}
END_TEST

START_TEST(kernel_maps)
{
	const struct pk_image *kernel, *module;

	begin();
	maps_old(UINT32_MAX, 0xffffffff81000000, 0x1000000, 0xffffffff81000040,
		 "[kernel.kallsyms]_text", PERF_RECORD_MISC_KERNEL);
	maps_old(UINT32_MAX, 0xffffffffc0000000, 0x10000, 0, "/lib/modules/x/ext4.ko",
		 PERF_RECORD_MISC_KERNEL);
	maps_old(UINT32_MAX, 0xffffffffc0020000, 0x10000, 0, "[nf_tables]",
		 PERF_RECORD_MISC_KERNEL);
	kernel = kernel_at(0xffffffff81234567);
	ck_assert_ptr_nonnull(kernel);
	ck_assert_str_eq(kernel->path, "[kernel.kallsyms]");
	ck_assert_int_eq(kernel->kind, PK_DSO_KERNEL);
	ck_assert_str_eq(kernel->reference_symbol, "_text");
	ck_assert_uint_eq(kernel->reference_address, 0xffffffff81000040);
	module = kernel_at(0xffffffffc0001234);
	ck_assert_str_eq(module->path, "/lib/modules/x/ext4.ko");
	ck_assert_int_eq(module->kind, PK_DSO_MODULE);
	ck_assert_ptr_null(module->reference_symbol);
	ck_assert_int_eq(kernel_at(0xffffffffc0021234)->kind, PK_DSO_MODULE);
	/* Maps of the kernel are not maps of a process. */
	ck_assert_str_eq(path_at(UINT32_MAX, 0xffffffff81234567), "");
	/* Maps of guests are ignored. */
	ck_assert_int_eq(maps_old(0, 0x9000000, 0x1000, 0, "[guest.kernel.kallsyms]",
				  PERF_RECORD_MISC_GUEST_KERNEL),
			 PK_OK);
	ck_assert_ptr_null(kernel_at(0x9000000));
	end();
}
END_TEST

static enum pk_status ksymbol(uint64_t address, uint32_t size, uint16_t flags, const char *name)
{
	struct built b = {0};

	open_record(&b, PERF_RECORD_KSYMBOL, 0);
	PUT(&b, "8422", address, size, 1, flags);
	put_string(&b, name);
	close_record(&b);
	return give(&b);
}

START_TEST(ksymbols)
{
	struct pk_location location;

	begin();
	ck_assert_int_eq(ksymbol(0xffffffffc0100000, 0x100, 0, "bpf_prog_1_f"), PK_OK);
	ck_assert_str_eq(kernel_at(0xffffffffc01000ff)->path, "bpf_prog_1_f");
	ck_assert_int_eq(kernel_at(0xffffffffc01000ff)->kind, PK_DSO_BPF);
	location = pk_session_locate(session, NULL, 0xffffffffc01000ff, PERF_RECORD_MISC_KERNEL);
	ck_assert_uint_eq(location.address, 0xffffffffc01000ff);
	ck_assert_uint_eq(location.map_start, 0xffffffffc0100000);
	ck_assert_uint_eq(location.map_end, 0xffffffffc0100100);
	ck_assert_ptr_null(kernel_at(0xffffffffc0100100));
	ck_assert_int_eq(ksymbol(0xffffffffc0100000, 0x100, 1, "bpf_prog_1_f"), PK_OK);
	ck_assert_ptr_null(kernel_at(0xffffffffc0100000));
	ck_assert_int_eq(ksymbol(0xffffffffc0100000, 0, 0, "nothing"), PK_CORRUPT);
	ck_assert_int_eq(ksymbol(UINT64_MAX - 5, 100, 0, "beyond"), PK_CORRUPT);
	end();
}
END_TEST

/* SPEC 12: a map of length 0 is a valid record, but maps nothing. */
START_TEST(empty_maps)
{
	begin();
	ck_assert_int_eq(maps((struct mapped){.pid = 1, .start = 0x1000, .name = "/a"}), PK_OK);
	ck_assert_int_eq(
		maps((struct mapped){.pid = 1, .start = UINT64_MAX - 9, .size = 10, .name = "/a"}),
		PK_OK);
	ck_assert_int_eq(
		maps((struct mapped){.pid = 1, .start = 0x1000, .size = UINT64_MAX, .name = "/a"}),
		PK_OK);
	ck_assert_str_eq(path_at(1, 0x1000), "");
	ck_assert_str_eq(path_at(1, UINT64_MAX - 5), "");
	end();
}
END_TEST

/* Records with strings without NUL. */
START_TEST(malformed)
{
	static const uint32_t types[] = {PERF_RECORD_COMM, PERF_RECORD_MMAP, PERF_RECORD_MMAP2,
					 PERF_RECORD_KSYMBOL, PERF_RECORD_HEADER_BUILD_ID};

	begin();
	for (size_t i = 0; i < COUNT(types); i++) {
		struct built b = {0};

		open_record(&b, types[i], 2);
		for (int j = 0; j < 100; j++)
			put(&b, 1, 1);
		close_record(&b);
		ck_assert_int_eq(give(&b), PK_CORRUPT);
	}
	end();
}
END_TEST

RUN_TESTS("session", names, named, forking, synthesized, reuse, moved, nonsense, many_tasks, exec,
	  moved_text, kinds, images, inodes, no_build_id, build_id_records, many_build_ids,
	  kernel_maps, ksymbols, empty_maps, malformed)
