# SPDX-License-Identifier: BSD-2-Clause
# The shares of the wall-clock time are those of perf report --latency. PK_PERF is the perf that reads; it must be of version 7 or later.
. "$PK_TOP/tests/cli/pk-report/latency.bash"
perf=${PK_PERF:-perf}
skip()
{
	echo "$*" >&2
	exit 77
}

version=$("$perf" --version 2>/dev/null) || skip "no perf to compare with"
[[ ${version#perf version } =~ ^([0-9]+)\. && ${BASH_REMATCH[1]} -ge 7 ]] || skip "$version: perf 7 is needed (PK_PERF)"
status=0 compared=0

rows()
{
	grep -v -e '^#' -e '^$' | sed 's/^ *//; s/ *$//; s/  */ /g' | LC_ALL=C sort
}

# compare DATA KEYS
compare()
{
	"$perf" report --latency --stdio -i "$1" -s "$2" 2>perf.err </dev/null | rows >expected
	pk-report -q --symfs=/nonexistent --show=latency,share -s "$2" "$1" 2>err | rows >found
	compared=$((compared + 1))
	[ -s expected ] || {
		echo "$1: perf prints no rows: $(cat perf.err)"
		status=1
	}
	cmp -s expected found || {
		echo "$1: -s $2: $(diff expected found | head -n 10)"
		status=1
	}
}

# perf accepts a file only if it says how many processors the machine has.
for period in 1 2 7 1000000; do
	{
		latency $period
		feature NRCPUS available=8 online=8
	} | assemble >period$period.pk
	pk-export perf.data -o period$period.data period$period.pk || exit
	compare period$period.data comm
	compare period$period.data parallelism
done
PATH=$PK_BUILD/tests/live:$PATH
if pk-record -q -e cpu-clock -F 1999 --switch-events -o threads.pk -- spinner 0.3 0 3 2>err; then
	pk-export perf.data -o threads.data threads.pk || exit
	compare threads.data comm
	compare threads.data parallelism,comm
else
	echo "pk-record fails: $(head -n 1 err)" >&2
fi
if "$perf" record -q --latency -e cpu-clock -F 1999 -o perf.data -- spinner 0.3 0 3 >perf.err 2>&1; then
	compare perf.data comm
	compare perf.data parallelism,comm
else
	echo "perf record fails: $(head -n 1 perf.err)" >&2
fi
[ $status -eq 0 ] && echo "$compared tables compared"
exit $status
