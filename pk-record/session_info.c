// SPDX-License-Identifier: BSD-2-Clause
#include <elf.h>
#include <string.h>
#include <unistd.h>
#include <fcntl.h>

#include "lookups.h"
#include "session_info.h"

#define OFFSET_MACHINE offsetof(Elf64_Ehdr, e_machine) /* the same in both classes */

struct pk_session_info session_info(void)
{
	struct pk_session_info info = {
		.version = PK_FORMAT_VERSION,
		.byte_order = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? ELFDATA2MSB : ELFDATA2LSB,
		.word_size = sizeof(long),
	};
	static const char own[] = "/proc/self/exe";
	const int fd = open(own, O_RDONLY | O_CLOEXEC);
	uint8_t header[OFFSET_MACHINE + 2];
	ssize_t size;

	if (fd < 0) {
		pk_lookup_failed(own);
		return info;
	}
	size = read(fd, header, sizeof(header));
	if (size < 0)
		pk_lookup_failed(own);
	if (size == sizeof(header) && !memcmp(header, ELFMAG, SELFMAG))
		info.e_machine = pk_load_u16(header + OFFSET_MACHINE);
	close(fd);
	return info;
}
