#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# shellcheck disable=SC2046,SC2048 # words on purpose: names of files without spaces
# libraries.sh FOLDER: builds the libraries of static programs with CC (musl-gcc) from the source packages of Debian,
# into FOLDER/lib and FOLDER/include. FOLDER/src has the packages. apt-get checks their signatures.
set -eu -o pipefail
CC=${CC:-musl-gcc}
mkdir -p "$1/src/lists/partial" "$1/include" "$1/lib"
cd "$1"
out=$PWD
for tool in "${CC%% *}" apt-get dpkg-source; do
	command -v "$tool" >/dev/null || {
		echo "static programs need $tool: apt-get install musl-tools dpkg-dev" >&2
		exit 77
	}
done

# The archives that the machine installs Debian's packages from also have the source packages.
fetch()
{
	local apt=(apt-get -qq -o Dir::Etc::sourcelist="$out/src/sources.list" -o Dir::Etc::sourceparts=-
		-o Dir::State::lists="$out/src/lists" -o APT::Sandbox::User=root)

	apt-get indextargets --format 'deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $(REPO_URI) $(RELEASE) $(COMPONENT)' \
		'Created-By: Packages' 'Origin: Debian' >src/sources.list
	"${apt[@]}" update
	(cd src && "${apt[@]}" source "$@" >/dev/null)
}

# library NAME FOLDER FLAGS FILES...: the files, without their folder, become lib/libNAME.a.
library()
{
	local name=$1 folder=$2 flags=$3 file

	shift 3
	rm -rf "obj/$name" && mkdir -p "obj/$name"
	for file in "$@"; do
		# shellcheck disable=SC2086 # words on purpose
		(cd "$folder" && $CC -isystem "$out/include" -Os -g0 -w -ffunction-sections -fdata-sections $flags \
			-c -o "$out/obj/$name/$(tr / - <<<"${file%.*}").o" "$file")
	done
	ar rcs "lib/lib$name.a" "obj/$name"/*.o
}

# The names of files in a folder: files FOLDER PATTERN...
files()
{
	local folder=$1
	shift
	(cd "$folder" && ls -- $*)
}

fetch zlib libzstd libdeflate xz-utils jansson elfutils libiberty libbpf nettle
# Names of folders contain versions.
folder()
{
	echo "$out/src/$1"-*/
}

# The headers of the kernel are not part of musl.
for h in linux asm-generic asm; do
	for path in /usr/include/$h /usr/include/"$(uname -m)"-linux-*/$h; do
		[ ! -e "$path" ] || ln -sfn "$path" "include/$h"
	done
done

# Programs load these libraries at run time, which a static program cannot do. Only their headers are needed.
for path in capstone elfutils dwarf.h traceevent libunwind.h; do
	found=$(find /usr/include /usr/include/"$(uname -m)"-linux-* -maxdepth 1 -name "$path" -print -quit)
	[ "$found" ] || {
		echo "static programs need the headers of $path: tests/deps.sh build" >&2
		exit 77
	}
	cp -r "${found%/*}"/"${path%.h}"* include
done

s=$(folder zlib)
cp "$s"/zlib.h "$s"/zconf.h include
library z "$s" '-DHAVE_UNISTD_H -DHAVE_STDARG_H' $(files "$s" '*.c')

s=$(folder libzstd)/lib
cp "$s"/zstd.h "$s"/zstd_errors.h include
library zstd "$s" '-I. -Icommon -DZSTD_DISABLE_ASM -DZSTD_LEGACY_SUPPORT=0' \
	$(files "$s" 'common/*.c' 'compress/*.c' 'decompress/*.c')

s=$(folder libdeflate)
cp "$s"/libdeflate.h include
library deflate "$s" '-I. -std=gnu99' $(files "$s" 'lib/*.c' 'lib/*/*.c')

s=$(folder xz-utils)/src
cp -r "$s"/liblzma/api/lzma "$s"/liblzma/api/lzma.h include
library lzma "$s/liblzma" "$(printf -- '-I%s ' api common check lz rangecoder lzma delta simple ../common)$(
	printf -- '-DHAVE_%s ' SMALL STDBOOL_H _BOOL STDINT_H INTTYPES_H CHECK_CRC32 CHECK_CRC64 CHECK_SHA256 \
		DECODER_LZMA1 DECODER_LZMA2 DECODER_X86)" \
	$(files "$s/liblzma" 'common/*.c' 'check/*_small.c' check/check.c check/sha256.c lz/lz_decoder.c \
		'lzma/lzma*_decoder.c' 'simple/*.c' | grep -v -e encode -e _mt -e hardware -e outqueue)

s=$(folder jansson)
mkdir -p obj/config && : >obj/config/jansson_private_config.h
sed -e 's/@json_inline@/inline/' -e 's/@json_have_long_long@/1/' -e 's/@json_have_localeconv@/1/' -e 's/@[a-z_]*@/0/' \
	"$s"/src/jansson_config.h.in >include/jansson_config.h
cp "$s"/src/jansson.h include
library jansson "$s/src" "-I$out/obj/config -DHAVE_STDINT_H" $(files "$s/src" '*.c')

s=$(folder elfutils)
cp "$s"/libelf/{libelf,gelf,elf}.h include
cat >obj/config/config.h <<'END'
#define _GNU_SOURCE 1
#define HAVE_CONFIG_H 1
#define HAVE_DECL_MEMPCPY 1
#define HAVE_DECL_POWEROF2 1
#define HAVE_DECL_REALLOCARRAY 1
#define HAVE_ERR_H 1
#define HAVE_VISIBILITY 1
#define HAVE_GCC_STRUCT 1
#include <eu-config.h>
END
library elf "$s/libelf" "-std=gnu99 -I$out/obj/config -I. -I../lib -DHAVE_CONFIG_H" $(files "$s/libelf" '*.c')

s=$(folder libbpf)
mkdir -p include/bpf
cp "$s"/src/*.h include/bpf
library bpf "$s/src" "-I../include -I../include/uapi -D_LARGEFILE64_SOURCE -D_FILE_OFFSET_BITS=64" $(files "$s/src" '*.c')

s=$(folder nettle)
mkdir -p include/nettle
cp "$s"/{sha2,nettle-types}.h include/nettle
library nettle "$s" '-I.' sha256.c $(files "$s" 'sha256-compress*.c') write-be32.c

s=$(folder libiberty)
mkdir -p include/libiberty
cp "$s"/include/*.h include/libiberty
library iberty "$s/libiberty" "-I../include $(printf -- '-DHAVE_%s ' STDLIB_H STRING_H ALLOCA_H)" \
	cp-demangle.c cp-demint.c rust-demangle.c d-demangle.c cplus-dem.c safe-ctype.c xmalloc.c xstrdup.c xexit.c xmemdup.c
