# SPDX-License-Identifier: BSD-2-Clause
# The header of a recording, as pk-script prints it, before the table or alone.
. "$PK_TOP/tests/cli/pk-report/symbolized.bash"
{
	symbolized | sed '/^SESSION/q'
	feature HOSTNAME 'hostname="host"'
	feature NRCPUS 'available=4 online=2'
	symbolized | sed '1,/^SESSION/d'
} | assemble >in.pk

# without the time of the file
header()
{
	echo "$ pk-report $*"
	pk-report "$@" 2>&1 | sed 's/^# captured on    : .*/# captured on    : .../'
}
header --header-only in.pk
header --header -e cpu-clock --limit 2 --no-children in.pk
header --header-only --by prev_comm in.pk in.pk
same()
{
	pk-script "$@" >expected
	pk-report "$@" >found
	cmp expected found && echo "$*: $(wc -l <found)"
}
same --header-only in.pk
for machine in x86_64 s390x arm64; do
	zstd -dqc "$PK_TOP/tests/data/$machine.perf.zst" >$machine.perf
	same --header-only $machine.perf
	same --header-only -I $machine.perf
done
# The table follows.
cat <(pk-report --header-only in.pk) <(pk-report in.pk) | cmp - <(pk-report --header in.pk)
cat <(pk-report --header-only -I in.pk) <(pk-report -q in.pk) | cmp - <(pk-report -I -q in.pk)
# From a pipe, the time of the file is unknown.
# shellcheck disable=SC2002 # a pipe on purpose
cat in.pk | pk-report --header-only | head -n 3
try --header --csv in.pk
try -I --json in.pk
try --header-only /nonexistent
