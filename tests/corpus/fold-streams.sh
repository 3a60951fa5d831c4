# SPDX-License-Identifier: BSD-2-Clause
# long
# A file, the stream that pk-filter makes of it, that file from a pipe, and that stream compressed: all fold
# the same, whatever age, byte order or machine; a directory, too.
. "$PK_TOP/tests/corpus/corpus.bash"

# alike WHAT: the files expected and folded are, byte by byte.
alike()
{
	cmp -s expected folded && return
	complain "== $1"
	diff expected folded | cut -c1-250 | head -n 20
}
command -v zstd >/dev/null || {
	echo "no zstd" >&2
	exit 77
}

fold()
{
	pk-symbolize -q "$@" 2>/dev/null | pk-fold -q 2>/dev/null
}

compared=0
for path in "$PK_CORPUS"/own/*/data/*.data "$PK_CORPUS"/own/*/boot2/*.data "$PK_CORPUS"/others/*.data*; do
	file=${path#"$PK_CORPUS"/}
	fold "$path" >expected
	[ -s expected ] || continue
	pk-filter -q "$path" >stream 2>/dev/null
	fold stream >folded
	alike "$file: as a stream"
	compared=$((compared + 1))
	[ -f "$path" ] || continue
	case $compared in
	*0)
		fold <"$path" >folded
		alike "$file: as stdin"
		# shellcheck disable=SC2002 # a pipe is what is meant
		cat "$path" | fold >folded
		alike "$file: from a pipe"
		zstd -q <"$path" | fold >folded
		alike "$file: compressed"
		zstd -q <stream | fold >folded
		alike "$file: as a compressed stream"
		;;
	esac
done
[ $compared -ge 90 ] || complain "only $compared recordings"
exit $status
