# SPDX-License-Identifier: BSD-2-Clause
# long
# The share of each instruction is what perf annotate --stdio shows of the same recording: of perf's and of ours, of
# one event and of a group.
. "$PK_TOP/tests/live/fold.bash"
perf --version >/dev/null 2>&1 || skip "no perf to compare with"
command -v objdump >/dev/null || skip "no objdump, which perf needs"

# compare FILE [OPTION...]
compare()
{
	local file=$1
	shift
	perf annotate --stdio --no-source "$@" -i "$file" >perf.out 2>perf.err || fail "perf annotate: $(cat perf.err)"
	pk-symbolize -q "$file" | pk-annotate -q --min-percent 0 >pk.out || fail "status ${PIPESTATUS[*]}"
	perl "$PK_TOP/tests/live/annotate.pl" perf.out pk.out 50 >compared || fail "$file: $(cat compared)"
}

${CC:-cc} -std=gnu11 -O2 -g -DFEW -o functions "$PK_TOP/tests/live/workload/functions.c" >compile.err 2>&1 || fail "$(cat compile.err)"
# --buildid-mmap: see perf_tracepoints.sh.
perf record -q --no-bpf-event --buildid-mmap -F 999 -e "${event%:u}:u" -o perf.data ./functions 800 16 >perf.err 2>&1 ||
	skip "perf record fails: $(tail -n 1 perf.err)"
compare perf.data
perf record -q --no-bpf-event --buildid-mmap -F 999 -e "{task-clock:u,cpu-clock:u}" -o group.data ./functions 800 16 >perf.err 2>&1 &&
	compare group.data
pk-record -F 999 -e "${event%:u}:u" -o pk.data -- ./functions 800 16 >/dev/null || fail "pk-record: $?"
perf annotate --stdio --no-source -i - <pk.data >perf.out 2>perf.err || fail "perf annotate: $(cat perf.err)"
pk-symbolize -q pk.data | pk-annotate -q --min-percent 0 >pk.out || fail "status ${PIPESTATUS[*]}"
perl "$PK_TOP/tests/live/annotate.pl" perf.out pk.out 50 >compared || fail "pk-record: $(cat compared)"

# Files do not need pk-symbolize.
pk-annotate -q --min-percent 0 pk.data >raw.out || fail "pk-annotate of a file that is not symbolized: $?"
cmp pk.out raw.out || fail "a file that is not symbolized is printed differently"

# What is asked for by name is what is there of it.
pk-symbolize -q pk.data >pk.pk
pk-annotate -q -i pk.pk 'functions:function_11?' >some || fail "no function_11?"
[ "$(grep -c '^ Percent' some)" = 6 ] || fail "function_11?: $(grep '^ Percent' some)"
exit 0
