# SPDX-License-Identifier: BSD-2-Clause
# Tables of recordings of arm64, armhf and s390x have the rows that perf report 7.2 printed on the machine that recorded
# them: the own share of each resolved function, the numbers of samples and events, and the title lines.
. "$PK_TOP/tests/corpus/corpus.bash"

# rows: "SELF COMM DSO SYMBOL" of the rows with samples, and the lines of each event. perf marks some functions of the
# kernel with [.]. Marks are compared in tests/live/report_perf.sh. docs/report.md describes the other differences: functions
# of the same name (tlb_flush), and children of a recording from a pipe. perf has no names of stubs of static programs, and calls
# code after __tls_get_offset by this name, which has no size.
rows()
{
	sed -n '/^# Total Lost/,$p' | awk '
	/^# (Samples|Event count)/ { print; next }
	/^# (Children|Overhead) / {
		children = sub(/Children +Self/, "Overhead")
		gsub(/  +/, " ")
		sub(/ $/, "")
		print
		next
	}
	!/^ +[0-9.]+%  / { next }
	{ line = $0; if (children) sub(/^ +[0-9.]+%/, "", line) }
	line ~ /tlb_flush *$/ || line ~ /@plt *$/ || line ~ /__vdso_clock_gettime64 *$/ || line ~ /__tls_get_offset *$/ { next }
	line ~ /^ +0\.00%/ || line ~ /\] 0x[0-9a-f]+ *$/ || line ~ /\[unknown\] *$/ { next }
	{ gsub(/  +/, " ", line); sub(/ $/, "", line); sub(/ \[[.k]\] /, " ", line); print line }' | LC_ALL=C sort
}

compare()
{ # MACHINE NAME
	local own=$PK_CORPUS/own/$1
	pk-symbolize -q --no-inline --symfs "$1/symfs" --kallsyms "$1/kallsyms" "$own/data/$2.data" 2>err |
		pk-report 2>>err | rows >found
	[ "${PIPESTATUS[*]}" = '0 0 0' ] || complain "$1 $2: status ${PIPESTATUS[*]}: $(cat err)"
	gzip -dc "$own/ref/$2.data/report.txt.gz" | rows >expected
	[ "$(wc -l <expected)" -gt 5 ] || complain "$1 $2: perf has no rows"
	cmp -s expected found && return
	complain "== $1 $2"
	diff expected found | head -n 20
}

for machine in arm64-7.2:06-cxx,01-file,03-pipe,08-tp,05-static armhf-7.2:01-file,03-pipe,08-tp \
	s390x-7.2:06-cxx,01-file,03-pipe,02-file-z,17-nobuildidmmap,05-static,10-dwarf,08-tp; do
	own=$PK_CORPUS/own/${machine%:*}
	mkdir "${machine%:*}"
	xz -dc "$own/symfs.tar.xz" | tar -xf - -C "${machine%:*}"
	gzip -dc "$own/kallsyms.gz" >"${machine%:*}/kallsyms"
	case $machine in
	armhf*) ;;
	*) cp "$own"/vdso/*/vdso "${machine%:*}/symfs/vdso64.so" ;;
	esac
	for name in $(tr , ' ' <<<"${machine#*:}"); do
		compare "${machine%:*}" "$name"
	done
done
exit $status
