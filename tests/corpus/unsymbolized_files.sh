# SPDX-License-Identifier: BSD-2-Clause
# long
# pk-report and pk-fold print of each recording in a file what they print of it after pk-symbolize, byte by byte, but for the losses of a table
# without callers: pk-report looks up innermost frames only.
. "$PK_TOP/tests/corpus/corpus.bash"

# compare FILE STAGE PROGRAM [OPTION...]: STAGE is the options of pk-symbolize
compare()
{
	local file=$1 stage=$2 last=${!#}
	shift 2
	# shellcheck disable=SC2086 # words
	pk-symbolize -q $stage "${files[@]}" "$file" 2>/dev/null | "$@" >expected 2>/dev/null
	"$@" "${files[@]}" "$file" >found 2>/dev/null
	[ "$last" != --no-children ] || sed -i '/^# [^#]*\(stacks truncated\|frames unresolved\)/d' expected found
	compared=$((compared + 1))
	[ -s found ] || empty=$((empty + 1))
	cmp -s expected found && return
	complain "== ${file#"$PK_CORPUS"/}: $*"
	diff expected found | cut -c1-250 | head -n 10
}

compared=0 empty=0 recordings=0 files_found=0 least=50 step=1
[ -z "${PK_SAN-}" ] || least=10 step=5 # the sanitizers need several times as long
for path in "$PK_CORPUS"/own/*/data/*.data "$PK_CORPUS"/others/*.data* "$PK_TOP"/tests/data/*.zst \
	"$PK_TOP"/tests/data/unwind/*.zst; do
	[ -f "$path" ] && [ $((++files_found % step)) = 0 ] || continue
	files=()
	machine=${path#"$PK_CORPUS"/own/}
	machine=$PK_CORPUS/own/${machine%%/*}
	if [ -f "$machine/symfs.tar.xz" ]; then
		[ -d "${machine##*/}" ] || {
			mkdir "${machine##*/}"
			xz -dc "$machine/symfs.tar.xz" | tar -xf - -C "${machine##*/}"
			gzip -dc "$machine/kallsyms.gz" >"${machine##*/}/kallsyms"
		}
		files=(--symfs "${machine##*/}/symfs" --kallsyms "${machine##*/}/kallsyms")
	fi
	recordings=$((recordings + 1))
	case $((recordings % 4)) in
	0)
		compare "$path" '' pk-report -g graph --by comm,dso,symbol
		compare "$path" '--lines' pk-fold --lines --modules
		;;
	1)
		compare "$path" '--no-inline' pk-report --no-inline --csv --by dso,symoff --show samples,share
		compare "$path" '--addresses' pk-fold --addresses
		;;
	2)
		compare "$path" '--lines' pk-report --by srcline --no-children
		compare "$path" '' pk-fold --by comm,event --event '*'
		;;
	3) compare "$path" '' pk-report ;;
	esac
done
[ "$recordings" -gt $least ] || complain "only $recordings recordings were compared"
[ "$empty" -lt $((compared / 4)) ] || complain "$empty of $compared comparisons were of nothing"
exit $status
