# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Sourced by the scripts that read a recording on a machine without the recorded files: in a root directory with only
# our programs and their libraries, at other paths, and without /proc.
. "$PK_TOP/tests/live/fold.bash"

# The libraries that ldd lists, without the vdso, and the program interpreter.
needed()
{
	ldd "$1" | grep -oE '/[^ ]+'
}

make_elsewhere()
{
	local tool
	mkdir -p elsewhere/pk elsewhere/home elsewhere/tmp
	for tool in pk-symbolize pk-fold pk-script; do
		cp "$PK_BIN/$tool" elsewhere/pk/
	done
	for tool in pk-symbolize pk-fold pk-script; do needed "$PK_BIN/$tool"; done | sort -u | while read -r library; do
		cp "$library" elsewhere/pk/
	done
	loader=$(cd elsewhere/pk && ls -d ld-* ld64* 2>/dev/null | head -n 1)
	[ -n "$loader" ] || skip "how programs are loaded here is not known"
	enter=(chroot elsewhere)
	chroot elsewhere "/pk/$loader" --library-path /pk /pk/pk-fold --version >/dev/null 2>&1 ||
		enter=(unshare --map-root-user chroot elsewhere)
	"${enter[@]}" "/pk/$loader" --library-path /pk /pk/pk-fold --version >/dev/null 2>&1 ||
		skip "no root directory of one's own here (chroot, user namespaces)"
}

# there TOOL [ARGUMENT...]: runs it in that root directory.
there()
{
	local tool=$1
	shift
	HOME=/home TMPDIR=/tmp LSAN_OPTIONS=detect_leaks=0 "${enter[@]}" "/pk/$loader" --library-path /pk "/pk/$tool" "$@"
}

# Folds the first file here and the second file in that root directory, with options of pk-symbolize.
folded_here()
{
	pk-symbolize -q "${@:2}" "$1" 2>err | pk-fold -q >here 2>>err
	[ "${PIPESTATUS[*]}" = '0 0' ] || fail "here: $(cat err)"
}

folded_there()
{
	there pk-symbolize -q "${@:2}" <"$1" 2>err | pk-fold -q >there 2>>err
	[ "${PIPESTATUS[*]}" = '0 0' ] || fail "there: $(cat err)"
}

same_there()
{
	folded_here "$1" "${@:4}"
	folded_there "$2" "${@:4}"
	cmp -s here there || fail "$3: here and elsewhere are different:" "$(diff here there | cut -c1-300 | head -n 20)"
}
