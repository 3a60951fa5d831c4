# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# Sourced by the scripts that look at a recording on a machine that has nothing of it: in a root directory
# with our programs and the libraries they need, at places of their own, and no /proc.
. "$PK_TOP/tests/live/fold.bash"

# ldd's list, but for what the kernel brings, and the program that loads them.
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

# there TOOL [ARGUMENT...]: runs it elsewhere.
there()
{
	local tool=$1
	shift
	HOME=/home TMPDIR=/tmp LSAN_OPTIONS=detect_leaks=0 "${enter[@]}" "/pk/$loader" --library-path /pk "/pk/$tool" "$@"
}

# What folding gives here and elsewhere, of the first and the second file, with options of pk-symbolize.
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
