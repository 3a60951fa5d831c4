# SPDX-License-Identifier: BSD-2-Clause
# PK_ONLY=PATTERN: only lines that match.
# The command lines of pk in blocks of all documents, also behind a pipe of ssh, cat or perf, but those after "$", which tests/live
# runs: they work, in their order, in one folder for each document. Durations are shortened. Lines that need more than a machine of
# a test are listed here, with the reason.
. "$PK_TOP/tests/live/doc_lines.bash"
command -v gcc >/dev/null || {
	echo "no gcc" >&2
	exit 77
}

# PATTERN, a tab, the reason
elsewhere='guest	a guest
linux/tools|arch/x86	the sources of Linux
my\.json	a file of the reader
--symfs	the files of another machine
c2c|--mem |--view mem	samples of memory accesses
clickhouse	a database
prog\.o	a BPF program of the reader
-p 1234	a process of the reader
^pk-record .*(/var/|/run/)	records for ever
gfp_flags	events of memory allocation
probe_app	a program with this function
-e cycles|-e ex_ret|TopdownL1	a processor with counters
--start sched_switch \.\.\.	a line that is not complete
--bpf 	clang (tests/live/record_bpf.sh)
pk-record -b |pk-export (bolt|profgen|autofdo) |-o perf\.data app\.pk	a processor that records branches (tests/long/pgo_docs.sh)
2281\.5	times of another recording'

# The other machine is this one.
# shellcheck disable=SC2016 # expands in the stand-in
printf '#!/bin/sh\nshift\nexec sh -c "$*"\n' >bin/ssh
chmod +x bin/ssh

# blocks_of FILE: command lines, each on one line
blocks_of()
{
	awk '{
		if (sub(/^    /, "") || more) {
			line = line $0
			more = /\|[ ]*$|\\$/
			sub(/\\$/, "", line)
			if (!more) {
				if (line ~ /^([a-z]+ )?pk(-[a-z]+)? |^(ssh|cat|perf) .*[|] *pk/ && line !~ /^\$/)
					print line
				line = ""
			}
		}
	}' "$1" | grep -E -e "${PK_ONLY-.}"
}

used=
reason_of()
{
	local pattern
	reason=
	while IFS=$'\t' read -r pattern reason; do
		[[ ! $1 =~ $pattern ]] || {
			used+=$pattern$'\n'
			return
		}
	done <<<"$elsewhere"
	reason=
}

make_folder()
{
	mkdir "$1" && cd "$1" || exit 1
	ln -s "$PK_TOP/demo" "$PK_TOP/tests" "$PK_TOP/examples" .
	printf '#!/bin/sh\nexec ls -lR /etc >list\n' >app
	cp app program
	chmod +x app program
	# Recordings that documents have made before.
	pk-record -q -g -e cpu-clock,sched:sched_switch --label service=app -- ./app >recorded.pk 2>/dev/null
	pk-record -q -a -e sched --for 1s -o sched.pk
	pk-record -q -e syscalls -- ./app 2>/dev/null | pk-span -q syscalls >spans.pk
	pk-symbolize -q recorded.pk >symbolized.pk
	for file in app before after host1 host2 host17 recording; do
		cp symbolized.pk $file.pk
	done
	pk-export perf.data -q -o perf.data recorded.pk
	pk-fold -q symbolized.pk >order.folded
	mkdir host17 # of --tables
}

not_here=0
for document in "$PK_TOP"/README.md "$PK_TOP"/docs/*.md; do
	name=$(basename "$document" .md)
	[ -n "$(blocks_of "$document")" ] || continue
	here=$PWD
	make_folder "$name"
	while read -r line; do
		reason_of "$line"
		if [ -n "$reason" ]; then
			not_here=$((not_here + 1))
			echo "$name: not here: $line: needs $reason"
			continue
		fi
		try "$(sed -E 's/--for [0-9]+[sm]/--for 1s/g; s/sleep [0-9]+/sleep 1/g; s/ \| less$//' <<<"$line")"
	done < <(blocks_of "$document")
	cd "$here" || exit 1
done
[ -n "${PK_ONLY-}" ] || while IFS=$'\t' read -r pattern _; do
	grep -qxF -e "$pattern" <<<"$used" || complain "no line is left out for $pattern"
done <<<"$elsewhere"
echo "$tried lines tried, $left_out left out; $not_here not here"
enough 60
