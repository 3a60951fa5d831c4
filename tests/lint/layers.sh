# SPDX-License-Identifier: BSD-2-Clause
# Dependencies point one way; each third-party library is known to one source file.
. "$PK_TOP/tests/lint/files.bash"

# LAYERS of the Makefile, the highest first; programs stand above them, lib/base below.
rank=0
declare -A rank_of layer_of
for layer in base $(sed -n 's/^LAYERS = //p' Makefile | tr ' ' '\n' | tac); do
	for dir in lib/$layer libpk$layer; do
		[ ! -d "$dir" ] || rank_of[$dir]=$((rank++))
	done
done
for dir in lib/*/ libpk*/; do
	dir=${dir%/}
	[ ! -d "$dir" ] || [ -n "${rank_of[$dir]-}" ] || complain "$dir: not among LAYERS in the Makefile"
done
while read -r f; do
	layer_of[${f##*/}]=${f%/*}
done < <(files 'lib*/*.h')

sources=$(files 'lib/*.[ch]' 'libpk*.[ch]' 'pk/*.[ch]' 'pk-*.[ch]')

while read -r f h; do
	dir=${f%/*}
	at=${layer_of[$h]-}
	[ ! -e "$dir/$h" ] || continue
	# lib/base is a part of libpkstream, and has its statuses from there.
	[ "$f $h" != "lib/base/status.h pkstream.h" ] || continue
	if [ -z "$at" ] || [ "${rank_of[$at]-99}" -gt "${rank_of[$dir]-98}" ]; then
		complain "$f: \"$h\": neither of this folder nor of a layer below"
	elif [[ $at == libpk* && $h != pkstream.h && $h != pkutil.h && $h != pkprivate.h && $h != *_abi.h ]]; then
		complain "$f: \"$h\" is not part of the interface of $at"
	fi
done < <(xargs -r grep -HoE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"[^"]*"' <<<"$sources" | sed 's/:[^"]*"/ /; s/"$//')

one_source()
{
	local what=$1 most=$2 users n
	users=$(xargs -r grep -lE "^[[:space:]]*#[[:space:]]*include[[:space:]]*<($3)>" <<<"$sources")
	n=$(echo "$users" | grep -c .)
	[ "$n" -le "$most" ] || complain "$what is included by $n files, not $most:" "$users"
	case $users in *.h*) complain "$what is included by a header:" "$users" ;; esac
}

one_source libelf 1 'libelf\.h|gelf\.h'
one_source libdw 1 'elfutils/.*|dwarf\.h'
one_source libzstd 1 'zstd.*\.h'
one_source libdeflate 1 'libdeflate\.h'
one_source zlib 1 'zlib\.h'
one_source sqlite 1 'sqlite3\.h'
one_source liblzma 1 'lzma.*'
one_source libtraceevent 1 'traceevent/.*'
one_source libjansson 1 'jansson\.h'
one_source libcapstone 1 'capstone/.*'
one_source nettle 1 'nettle/.*'
one_source libipt 1 'intel-pt\.h'
one_source libopencsd 1 'opencsd/.*'
one_source libbpf 1 'bpf/(libbpf|btf|bpf)\.h'
one_source libunwind 1 'libunwind.*'
one_source ncurses 1 'n?curses.*'
one_source libiberty 1 'demangle\.h|libiberty.*'
finish
