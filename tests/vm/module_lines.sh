#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# module_lines.sh FOLDER DEBUG: compares the lines of sampled addresses in modules that a kernel has loaded with those of addr2line.
# FOLDER has lines.pk and lines.kallsyms of that kernel, DEBUG the files of its modules with debugging information. Each
# address is looked up by its function: symbol plus offset in the section of the file. Prints the numbers; 1: a line differs.
set -u -o pipefail
cd "$1" || exit 1
files=$2
rm -rf debug && mkdir -p debug/.build-id
for file in "$files"/*.ko; do
	id=$(readelf -n "$file" 2>/dev/null | awk '/Build ID/ { print $3 }')
	[ -n "$id" ] && mkdir -p "debug/.build-id/${id:0:2}" && cp "$file" "debug/.build-id/${id:0:2}/${id:2}.debug"
done
pk-symbolize -q --no-cache --no-inline --addresses --lines --kallsyms lines.kallsyms --debug-dir "$PWD/debug" lines.pk >lines.symbols
# MODULE FUNCTION OFFSET LINE; callers at the call, before the return address.
pk-script -q -F ip,sym,symoff,dso,srcline lines.symbols | awk '
	/^$/ { leaf = 1; next }
	/^\t/ { name = $2; module = $NF; of_kvm = module ~ /\[kvm/; first = leaf; leaf = 0; next }
	of_kvm { gsub(/[()\[\]]/, "", module); gsub(/_/, "-", module); print module, name, $1, first; of_kvm = 0 }' | sort -u |
	while read -r module name line leaf; do
		echo "$module ${name%+0x*} $((16#${name##*+0x} - (leaf != 1))) $line"
	done >lines.found
compared=0 different=0
while read -r module function offset line; do
	[ -e "$files/$module.ko" ] || continue
	# A name that several functions have says nothing.
	read -r count section value < <(readelf -sW "$files/$module.ko" |
		awk -v f="$function" '$4 == "FUNC" && $8 == f { n++; at = $2; in_ = $7 } END { print n + 0, in_, at }')
	[ "$count" = 1 ] || continue
	section=$(readelf -SW "$files/$module.ko" | sed -n "s/^ *\[ *$section\] *\([^ ]*\).*/\1/p")
	expected=$(addr2line -j "$section" -e "$files/$module.ko" "$(printf '0x%x' $((16#$value + offset)))")
	expected=${expected##*/}
	compared=$((compared + 1))
	[ "$line" = "${expected%% (*}" ] && continue
	different=$((different + 1))
	echo "$module $function+$offset: $line, addr2line: $expected"
done <lines.found
echo "$compared addresses in modules, $different with another line than addr2line"
[ $compared -ge 30 ] && [ $different = 0 ]
