// SPDX-License-Identifier: BSD-2-Clause
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "pkprivate.h"
#include "pkstream.h"
#include "pkutil.h"
#include "tar.h"

enum { BLOCK = 512, RECORD = 10240, LEVEL = 3 };

struct tar {
	int fd, error;
	struct pk_compressor *compressor; /* NULL if the archive is not compressed */
	uint64_t size;
};

static ssize_t write_out(void *arg, const void *buf, size_t size)
{
	struct tar *tar = arg;

	if (pk_write_all(tar->fd, buf, size) == PK_OK)
		return (ssize_t)size;
	tar->error = errno;
	return -1;
}

struct tar *tar_new(int fd, bool zstd)
{
	struct tar *tar = calloc(1, sizeof(*tar));

	if (!tar)
		return NULL;
	tar->fd = fd;
	if (zstd) {
		tar->compressor = pk_compressor_new(LEVEL, write_out, tar);
		if (!tar->compressor) {
			free(tar);
			return NULL;
		}
	}
	return tar;
}

void tar_free(struct tar *tar)
{
	if (!tar)
		return;
	pk_compressor_free(tar->compressor);
	free(tar);
}

int tar_error(const struct tar *tar)
{
	return tar->error;
}

static bool put(struct tar *tar, const void *bytes, size_t size)
{
	tar->size += size;
	if (!tar->compressor)
		return write_out(tar, bytes, size) >= 0;
	if (pk_compressor_write(tar->compressor, bytes, size) == PK_OK)
		return true;
	if (!tar->error)
		tar->error = ENOMEM;
	return false;
}

static bool put_zeros(struct tar *tar, uint64_t size)
{
	static const char zeros[RECORD];

	for (; size > sizeof(zeros); size -= sizeof(zeros))
		if (!put(tar, zeros, sizeof(zeros)))
			return false;
	return !size || put(tar, zeros, (size_t)size);
}

static bool pad(struct tar *tar)
{
	return put_zeros(tar, -tar->size % BLOCK);
}

/* ---- Headers ---- */

/* The header of a member. See pax(1), "ustar Interchange Format". */
struct ustar {
	char name[100], mode[8], uid[8], gid[8], size[12], mtime[12], chksum[8], typeflag;
	char linkname[100], magic[6], version[2], uname[32], gname[32], devmajor[8], devminor[8];
	char prefix[155], rest[12];
};
_Static_assert(sizeof(struct ustar) == BLOCK, "ustar");

static void set_number(char *field, size_t size, uint64_t value)
{
	char digits[24];

	snprintf(digits, sizeof(digits), "%0*llo", (int)size - 1, (unsigned long long)value);
	memcpy(field, digits, size);
}

/* Copies the text. If the text is too long for the field, it is cut, and a pax header before this
 * header has the whole text. */
static void set_text(char *field, size_t size, const char *text)
{
	memcpy(field, text, strnlen(text, size));
}

static bool put_ustar(struct tar *tar, const char *name, char type, uint64_t size, const char *link)
{
	struct ustar header = {.typeflag = type, .magic = "ustar", .version = {'0', '0'}};
	const unsigned char *p = (const unsigned char *)&header;
	unsigned int sum = 0;

	set_text(header.name, sizeof(header.name), name);
	set_text(header.linkname, sizeof(header.linkname), link);
	set_number(header.mode, sizeof(header.mode), type == '2' ? 0777 : 0644);
	set_number(header.uid, sizeof(header.uid), 0);
	set_number(header.gid, sizeof(header.gid), 0);
	set_number(header.size, sizeof(header.size), size < UINT64_C(1) << 33 ? size : 0);
	set_number(header.mtime, sizeof(header.mtime), 0);
	set_number(header.devmajor, sizeof(header.devmajor), 0);
	set_number(header.devminor, sizeof(header.devminor), 0);
	memset(header.chksum, ' ', sizeof(header.chksum));
	for (size_t i = 0; i < sizeof(header); i++)
		sum += p[i];
	set_number(header.chksum, sizeof(header.chksum) - 1, sum);
	return put(tar, &header, sizeof(header));
}

/*
 * Adds a line of the form "LENGTH KEY=VALUE" to a pax header. LENGTH is the size of the whole line
 * in bytes.
 */
static bool add_pax(char *text, size_t room, size_t *used, const char *key, const char *value)
{
	size_t rest = strlen(key) + strlen(value) + 3, size = rest + 1;
	int n;

	while (size != rest + (size_t)snprintf(NULL, 0, "%zu", size))
		size = rest + (size_t)snprintf(NULL, 0, "%zu", size);
	n = snprintf(text + *used, room - *used, "%zu %s=%s\n", size, key, value);
	if (n < 0 || (size_t)n >= room - *used)
		return false;
	*used += (size_t)n;
	return true;
}

static bool put_header(struct tar *tar, const char *name, char type, uint64_t size,
		       const char *link)
{
	char text[20000], number[24];
	size_t used = 0;
	bool ok = true;

	if (strlen(name) > 100)
		ok = ok && add_pax(text, sizeof(text), &used, "path", name);
	if (strlen(link) > 100)
		ok = ok && add_pax(text, sizeof(text), &used, "linkpath", link);
	if (size >= UINT64_C(1) << 33) {
		snprintf(number, sizeof(number), "%llu", (unsigned long long)size);
		ok = ok && add_pax(text, sizeof(text), &used, "size", number);
	}
	if (!ok) {
		tar->error = ENAMETOOLONG;
		return false;
	}
	if (used && !(put_ustar(tar, "pax", 'x', used, "") && put(tar, text, used) && pad(tar)))
		return false;
	return put_ustar(tar, name, type, size, link);
}

/* ---- Members ---- */

enum pk_status tar_symlink(struct tar *tar, const char *name, const char *target)
{
	return put_header(tar, name, '2', 0, target) ? PK_OK : PK_FAILED;
}

enum pk_status tar_bytes(struct tar *tar, const char *name, const void *bytes, uint64_t size)
{
	if (!put_header(tar, name, '0', size, ""))
		return PK_FAILED;
	if (!put(tar, bytes, (size_t)size))
		return PK_FAILED;
	return pad(tar) ? PK_OK : PK_FAILED;
}

/* Reads the file, and writes its content unless tar is NULL. Returns false on failure. If reading
 * failed, *why has the reason. If writing failed, tar_error() has the reason. */
static bool copy(struct tar *tar, int fd, uint64_t size, struct tar_unreadable *why)
{
	char buffer[64 << 10];

	*why = (struct tar_unreadable){0};
	while (why->offset < size) {
		const uint64_t left = size - why->offset;
		const size_t want = left < sizeof(buffer) ? (size_t)left : sizeof(buffer);
		ssize_t n = pread(fd, buffer, want, (off_t)why->offset);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			why->error = n ? errno : 0;
			return false;
		}
		if (tar && !put(tar, buffer, (size_t)n))
			return false;
		why->offset += (uint64_t)n;
	}
	return true;
}

enum pk_status tar_file(struct tar *tar, const char *name, int fd, uint64_t size, bool *read,
			struct tar_unreadable *why)
{
	*read = copy(NULL, fd, size, why);
	if (!*read)
		return PK_OK;
	if (!put_header(tar, name, '0', size, ""))
		return PK_FAILED;
	if (copy(tar, fd, size, why))
		return pad(tar) ? PK_OK : PK_FAILED;
	why->cut = true;
	*read = tar->error; /* If there was no error of writing, the error was one of reading. */
	return PK_FAILED;
}

enum pk_status tar_end(struct tar *tar)
{
	if (!put_zeros(tar, 2 * (uint64_t)BLOCK) || !put_zeros(tar, -tar->size % RECORD))
		return PK_FAILED;
	if (!tar->compressor || pk_compressor_end(tar->compressor) == PK_OK)
		return PK_OK;
	if (!tar->error)
		tar->error = ENOMEM; /* Later calls must fail, too. An error of writing has already
				      * set tar->error. */
	return PK_FAILED;
}
