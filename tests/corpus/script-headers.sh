# SPDX-License-Identifier: BSD-2-Clause
# --header-only beside what perf 7.2 printed of the files, line by line. Left out on both sides: what tells of the
# file and its offsets. Not the same: where perf looked a tracepoint's number up in the formats of the machine that it
# ran on; what to use for a feature that -I does not print; a directory is none any more as a stream.
. "$PK_TOP/tests/corpus/corpus.bash"
x86=$PK_CORPUS/own/x86_64-7.2
compared=0

same_header()
{
	[ -s expected ] || complain "$1: nothing is expected"
	cmp -s expected found && return
	complain "== $1"
	diff expected found | cut -c1-250 | head -n 20
}

for from in "$x86"/ref/*.header.txt; do
	name=$(basename "$from" .header.txt)
	# In a pipe perf prints features as they come; files of stat are beyond it.
	case $name in *pipe* | stat*) continue ;; esac
	grep -vE '^# (captured on|data offset|data size|feat offset) ' "$from" |
		sed -E '/CPU_DOMAIN_INFO/s/use -I to/use --dump to/; s/(type = 2 .*config = 0x[0-9a-f]*) \([^)]*\)/\1/
			/^# directory data version/d; /^# missing/s/ STAT CLOCKID COMPRESSED/ STAT CLOCKID DIR_FORMAT COMPRESSED/' >expected
	pk-script -q --header-only "$x86/data/$name.data" | grep -v '^# captured on ' >found
	same_header "$name"
	compared=$((compared + 1))
done
[ $compared -ge 40 ] || complain "$compared headers only"

# A file, and the same as a stream that has passed through two stages: their lines are new.
file=$x86/data/syscalls.kitchen2.data
pk-script -q --header-only "$file" | grep -vE '^# captured on ' >expected
pk-filter -q "$file" | pk-symbolize -q --symfs /nonexistent --kallsyms /dev/null 2>/dev/null |
	pk-script -q --header-only >all
grep -v '^# stage ' all >found
same_header "as a stream"
[ "$(sed -nE 's/^# stage ([0-9]+)( after ([0-9]+))? : (pk-[a-z]*) .*/\1 \3 \4/p' all | tr '\n' ,)" = "1  pk-filter,2 1 pk-symbolize," ] ||
	complain "stages: $(grep '^# stage' all)"
exit $status
