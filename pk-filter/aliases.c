// SPDX-License-Identifier: BSD-2-Clause
#define _GNU_SOURCE
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "aliases.h"
#include "number.h"
#include "perf_abi.h"

#define PAGE	      ((uint64_t)4096)
#define BUILD_ID_SIZE 20
#define COUNT(all)    (sizeof(all) / sizeof((all)[0]))

/* Derives a hash key for one kind of data. So equal bytes of two kinds have different hashes. */
static struct hash_key key_for(const struct hash_key *key, const char *kind)
{
	return (struct hash_key){keyed_hash(key, kind, strlen(kind)), key->high};
}

static uint64_t hash_as(const struct aliases *aliases, const char *kind, const void *data,
			size_t size)
{
	const struct hash_key key = key_for(&aliases->key, kind);

	return keyed_hash(&key, data, size);
}

/* Chooses the distances by which addresses are moved. User addresses are moved up by at most 2^46
 * bytes. User mode has 2^47 bytes of addresses (2^56 on some machines). Kernel addresses are moved
 * down, because the kernel is near the end of the address space. Kernel addresses are moved by 2^26
 * to 2^28 bytes. This is more than the size of the kernel's code, so a reader cannot confuse them
 * with addresses of its own kernel. */
void aliases_init_from(struct aliases *aliases, const struct hash_key *key)
{
	aliases->key = *key;
	aliases->user = hash_as(aliases, "user", "", 0) % ((UINT64_C(1) << 46) / PAGE) * PAGE;
	aliases->kernel = (1 + hash_as(aliases, "kernel", "", 0) % 3) << 26;
	aliases->kernel += hash_as(aliases, "kernel", "+", 1) % ((UINT64_C(1) << 26) / PAGE) * PAGE;
}

void aliases_init(struct aliases *aliases, const void *key, size_t size)
{
	static const struct hash_key low = {1, 2}, high = {3, 4};
	const struct hash_key made = {keyed_hash(&low, key, size), keyed_hash(&high, key, size)};

	aliases_init_from(aliases, &made);
}

/* ---- Names ---- */

static void note(const struct aliases *aliases, enum alias_kind kind, const char *alias,
		 const char *original, size_t size)
{
	if (aliases->names)
		alias_key_add(aliases->names, kind, alias, strlen(alias), original, size);
}

/* Returns the original of an alias. If the name is not an alias, returns a copy of the name. */
static const char *original_of(const struct aliases *aliases, const char *name, size_t size)
{
	const char *found = alias_key_find(aliases->names, ALIAS_NAME, name, size);

	return found ? found : alias_key_copy(aliases->names, name, size);
}

/* Writes 12 digits. Each digit stands for 5 bits. */
static void put_digits(char *text, uint64_t hash)
{
	for (int i = 0; i < 12; i++, hash >>= 5)
		text[i] = "abcdefghijklmnopqrstuvwxyz234567"[hash % 32];
	text[12] = '\0';
}

static bool is_one_of(const char *const *names, size_t count, const char *name, size_t size)
{
	for (size_t i = 0; i < count; i++)
		if (strlen(names[i]) == size && !memcmp(names[i], name, size))
			return true;
	return false;
}

bool alias_consists_of(const char *text, size_t size, const char *set)
{
	for (size_t i = 0; i < size; i++)
		if (!text[i] || !strchr(set, text[i]))
			return false;
	return true;
}

/* Returns true for a name that is the same on all machines, and for a name that was made by a
 * program that reads the stream. */
static bool is_public(const char *name, size_t size)
{
	static const char *const names[] = {
		"",
		"/",
		"//anon",
		"//enomem",
		"//toolong",
		"/dev/zero",
		"[heap]",
		"[stack]",
		"[vdso]",
		"[vsyscall]",
		"[uprobes]",
		"[stack truncated]",
		"[unknown]",
		"swapper",
		"[kernel.kallsyms]",
		"[kernel.kallsyms]_text",
		"[kernel.kallsyms]_stext",
		"[guest.kernel.kallsyms]",
		"[guest.kernel.kallsyms]_text",
		"[guest.kernel.kallsyms]_stext",
	};

	if (is_one_of(names, COUNT(names), name, size))
		return true;
	/* ":TID" is the name of a thread whose real name is unknown. */
	return size > 1 && size < 12 && name[0] == ':' &&
	       alias_consists_of(name + 1, size - 1, "0123456789");
}

/* Returns the start of the name that the alias keeps. */
static const char *prefix_of(const char *name, size_t size)
{
	static const char *const prefixes[] = {"[kernel.kallsyms]", "[anon:", "/memfd:", "/SYSV"};

	for (size_t i = 0; i < COUNT(prefixes); i++)
		if (size > strlen(prefixes[i]) && !memcmp(name, prefixes[i], strlen(prefixes[i])))
			return prefixes[i];
	if (size && (*name == '/' || *name == '['))
		return *name == '/' ? "/" : "[";
	return "";
}

const char *alias_of(const struct aliases *aliases, const char *name, size_t size,
		     char alias[ALIAS_SIZE])
{
	static const char deleted[] = " (deleted)";
	const size_t tail = sizeof(deleted) - 1;
	const char *prefix, *suffix = "";
	const size_t whole = size;
	char digits[16];

	if (aliases->restore)
		return original_of(aliases, name, size);
	if (is_public(name, size)) {
		snprintf(alias, ALIAS_SIZE, "%.*s", (int)size, name);
		return alias;
	}
	prefix = prefix_of(name, size);
	if (size > tail && *prefix == '/' && !memcmp(name + size - tail, deleted, tail)) {
		suffix = deleted;
		size -= tail;
	} else if (size && *prefix == '[' && name[size - 1] == ']') {
		suffix = "]";
	}
	put_digits(digits, hash_as(aliases, "name", name, size));
	snprintf(alias, ALIAS_SIZE, "%s%s%s", prefix, digits, suffix);
	note(aliases, ALIAS_NAME, alias, name, whole);
	return alias;
}

/* ---- Events ---- */

/* Returns true if the name is a counter that perf list shows on every machine. */
static bool is_counter(const char *name, size_t size)
{
	static const char *const names[] = {
		"alignment-faults",
		"bpf-output",
		"branch-instructions",
		"branch-misses",
		"branches",
		"bus-cycles",
		"cache-misses",
		"cache-references",
		"cgroup-switches",
		"context-switches",
		"cpu-clock",
		"cpu-cycles",
		"cpu-migrations",
		"cs",
		"cycles",
		"dummy",
		"emulation-faults",
		"faults",
		"instructions",
		"major-faults",
		"migrations",
		"minor-faults",
		"offcpu-time",
		"page-faults",
		"ref-cycles",
		"stalled-cycles-backend",
		"stalled-cycles-frontend",
		"task-clock",
	};
	static const char *const caches[] = {"L1-dcache-", "L1-icache-", "LLC-", "branch-",
					     "dTLB-",	   "iTLB-",	 "node-"};
	static const char *const ends[] = {"loads",	   "load-misses", "stores",
					   "store-misses", "prefetches",  "prefetch-misses",
					   "load",	   "store",	  "prefetch"};

	if (is_one_of(names, COUNT(names), name, size))
		return true;
	for (size_t i = 0; i < COUNT(caches); i++) {
		const size_t length = strlen(caches[i]);

		if (size > length && !memcmp(name, caches[i], length) &&
		    is_one_of(ends, COUNT(ends), name + length, size - length))
			return true;
	}
	return false;
}

/* Returns true if the name is a tracepoint of the kernel. The system of the tracepoint, which
 * precedes the colon, decides this. The systems of probes have other names. */
static bool is_tracepoint(const char *name, size_t size)
{
	static const char *const systems[] = {
		"alarmtimer", "block",	      "bpf_trace",   "bridge",	   "btrfs",
		"cgroup",     "clk",	      "cma",	     "compaction", "cpuhp",
		"csd",	      "damon",	      "devlink",     "dma_fence",  "drm",
		"erofs",      "error_report", "exceptions",  "ext4",	   "f2fs",
		"fib",	      "filelock",     "filemap",     "fs_dax",	   "ftrace",
		"fuse",	      "gpio",	      "huge_memory", "hugetlbfs",  "hwmon",
		"i2c",	      "interconnect", "io_uring",    "iomap",	   "iommu",
		"ipi",	      "irq",	      "irq_vectors", "jbd2",	   "kmem",
		"ksm",	      "kvm",	      "kyber",	     "lock",	   "maple_tree",
		"mce",	      "mdio",	      "memcg",	     "migrate",	   "mmap",
		"mmap_lock",  "module",	      "mptcp",	     "msr",	   "napi",
		"neigh",      "net",	      "netlink",     "nfs",	   "nfsd",
		"nmi",	      "notifier",     "nvme",	     "oom",	   "page_isolation",
		"page_pool",  "pagemap",      "percpu",	     "power",	   "printk",
		"pwm",	      "qdisc",	      "random",	     "ras",	   "raw_syscalls",
		"rcu",	      "regmap",	      "regulator",   "resctrl",	   "rpm",
		"rseq",	      "rtc",	      "rxrpc",	     "sched",	   "sched_ext",
		"scsi",	      "signal",	      "skb",	     "smbus",	   "sock",
		"spi",	      "sunrpc",	      "swiotlb",     "syscalls",   "task",
		"tcp",	      "thermal",      "timer",	     "tlb",	   "tls",
		"udp",	      "virtio_gpu",   "vmalloc",     "vmscan",	   "vsyscall",
		"watchdog",   "wbt",	      "workqueue",   "writeback",  "x86_fpu",
		"xdp",	      "xen",	      "xfs"};
	const char *colon = memchr(name, ':', size);

	return colon && is_one_of(systems, COUNT(systems), name, (size_t)(colon - name)) &&
	       alias_consists_of(colon + 1, size - (size_t)(colon - name) - 1,
				 "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
}

const char *alias_of_event(const struct aliases *aliases, const char *name, char alias[ALIAS_SIZE])
{
	const char *last = strrchr(name, ':');
	size_t size = strlen(name);

	if (aliases->restore)
		return original_of(aliases, name, size);
	/* Modifiers at the end of the name are ignored. */
	if (last && last[1] && strspn(last + 1, "ukhGHpPSDWIbe") == strlen(last + 1))
		size = (size_t)(last - name);
	if (is_counter(name, size) || is_tracepoint(name, size))
		return name;
	put_digits(alias, hash_as(aliases, "name", name, strlen(name)));
	note(aliases, ALIAS_NAME, alias, name, strlen(name));
	return alias;
}

/* ---- Numbers ---- */

typedef char build_id_hex[2 * BUILD_ID_SIZE + 1];

static void format_build_id(const uint8_t *build_id, size_t size, build_id_hex hex)
{
	hex[0] = '\0';
	for (size_t i = 0; i < size; i++)
		snprintf(hex + 2 * i, 3, "%02x", build_id[i]);
}

static void restore_build_id(const struct aliases *aliases, uint8_t *build_id, size_t size)
{
	const char *original;
	build_id_hex hex;
	unsigned int byte;

	format_build_id(build_id, size, hex);
	original = alias_key_find(aliases->names, ALIAS_BUILD_ID, hex, 2 * size);
	if (!original || strlen(original) != 2 * size)
		return;
	for (size_t i = 0; i < size && sscanf(original + 2 * i, "%2x", &byte) == 1; i++)
		build_id[i] = (uint8_t)byte;
}

void alias_build_id(const struct aliases *aliases, uint8_t *build_id, size_t size)
{
	uint8_t source[BUILD_ID_SIZE + 1] = {0};
	build_id_hex before, after;

	if (size > BUILD_ID_SIZE)
		size = BUILD_ID_SIZE;
	if (aliases->restore) {
		restore_build_id(aliases, build_id, size);
		return;
	}
	memcpy(source, build_id, size);
	for (size_t at = 0; at < size; at += 8) {
		uint64_t hash;

		source[BUILD_ID_SIZE] = (uint8_t)at;
		hash = hash_as(aliases, "build-id", source, sizeof(source));
		memcpy(build_id + at, &hash, size - at < 8 ? size - at : 8);
	}
	if (!aliases->names || !size)
		return;
	format_build_id(source, size, before);
	format_build_id(build_id, size, after);
	note(aliases, ALIAS_BUILD_ID, after, before, 2 * size);
}

static uint64_t hash_number(const struct aliases *aliases, uint64_t number)
{
	return number ? hash_as(aliases, "number", &number, sizeof(number)) >> 16 : 0;
}

static void note_number(const struct aliases *aliases, enum alias_kind kind, uint64_t number,
			uint64_t original)
{
	char text[2][24];
	int n;

	if (!aliases->names)
		return;
	snprintf(text[0], sizeof(text[0]), "%" PRIu64, number);
	n = snprintf(text[1], sizeof(text[1]), "%" PRIu64, original);
	note(aliases, kind, text[0], text[1], (size_t)n);
}

static uint64_t original_number(const struct aliases *aliases, enum alias_kind kind,
				uint64_t number, uint64_t unknown)
{
	char text[24];
	const int n = snprintf(text, sizeof(text), "%" PRIu64, number);
	const char *found = alias_key_find(aliases->names, kind, text, (size_t)n);

	return found && pk_parse_u64(found, &number) ? number : unknown;
}

uint64_t alias_file(const struct aliases *aliases, uint64_t inode, uint64_t *device)
{
	uint64_t number;

	if (aliases->restore) {
		*device = original_number(aliases, ALIAS_DEVICE, inode, *device);
		return original_number(aliases, ALIAS_NUMBER, inode, inode);
	}
	number = hash_number(aliases, inode ^ hash_number(aliases, *device));
	if (number)
		note_number(aliases, ALIAS_NUMBER, number, inode);
	if (number && *device)
		note_number(aliases, ALIAS_DEVICE, number, *device);
	*device = 0;
	return number;
}

uint64_t alias_reference(const struct aliases *aliases, uint64_t address, uint64_t offset)
{
	if (aliases->restore)
		return original_number(aliases, ALIAS_REFERENCE, address, offset);
	if (offset)
		note_number(aliases, ALIAS_REFERENCE, address, offset);
	return 0;
}

uint64_t alias_number(const struct aliases *aliases, uint64_t number)
{
	uint64_t device = 0;

	return alias_file(aliases, number, &device);
}

/* Returns the original of a moved address. If alias_address() cannot have returned the address,
 * returns it unchanged. */
static uint64_t restore_address(const struct aliases *aliases, uint64_t address)
{
	if (address >> 63)
		return PERF_CONTEXT_MAX - address > aliases->kernel ? address + aliases->kernel
								    : address;
	return address >= aliases->user + PAGE ? address - aliases->user : address;
}

uint64_t alias_address(const struct aliases *aliases, uint64_t address)
{
	if (address < PAGE || address >= PERF_CONTEXT_MAX)
		return address;
	if (aliases->restore)
		return restore_address(aliases, address);
	return address >> 63 ? address - aliases->kernel : address + aliases->user;
}

uint64_t alias_offset(const struct aliases *aliases, const char *path, size_t size)
{
	const char *original = path;
	uint64_t offset;

	if (aliases->restore && !is_public(path, size)) {
		original = alias_key_find(aliases->names, ALIAS_NAME, path, size);
		if (!original)
			return 0;
		size = strlen(original);
	}
	offset = hash_as(aliases, "offset", original, size) % ((UINT64_C(1) << 36) / PAGE) * PAGE;
	return aliases->restore ? -offset : offset;
}
