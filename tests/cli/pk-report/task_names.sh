# SPDX-License-Identifier: BSD-2-Clause
# -s pid and -s tgid show the last names of threads, also of those that were renamed after their last sample.
. "$PK_TOP/tests/cli/pk-report/symbolized.bash"
task()
{ # TIME RECORD...
	echo "${*:2} trailer.pid=5 trailer.tid=5 trailer.time=$1"
}
forked()
{ # TIME PID TID PARENT_PID PARENT_TID
	task "$1" "FORK pid=$2 ppid=$4 tid=$3 ptid=$5"
}
named()
{ # TIME TID PID NAME
	task "$1" "$(comm "$2" "$3" "$4")"
}
run()
{ # TIME PID TID
	echo "SAMPLE misc=(user) id=7 ip=0x1000 pid=$2 tid=$3 time=$1 period=100"
}
{
	header
	event 1 7
	named 0 5 5 main
	run 10 5 5
	forked 11 5 6 5 5
	run 20 5 6
	named 21 5 6 worker
	run 30 5 6
	forked 31 5 7 5 6
	run 40 5 7
	named 41 5 5 'at the end'
	forked 42 8 8 5 5
	run 50 8 8
	named 51 5 5 ''
	run 60 9 9
	named 61 5 5 later
	forked 62 9 9 4 4
	named 63 9 9 again
} | assemble >names.pk
try -q -s pid -n names.pk
try -q -s pid,comm -n names.pk
try -q -s tgid,comm -n names.pk
try -q -s tgid,pid -n names.pk
try --csv --by=pid,tid,comm --show=samples names.pk
try -q --live=20ns -s pid -n names.pk
pk-filter --where='tid == 7' names.pk | pk-report -q -s tgid,pid -n
symbolized | assemble >all.pk
try -q -s pid,comm all.pk
