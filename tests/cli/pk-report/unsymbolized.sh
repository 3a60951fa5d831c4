# SPDX-License-Identifier: BSD-2-Clause
# little-endian: what is printed about streams of the other byte order
# A recording in a file has the report that it has after pk-symbolize. In one that comes from a pipe, functions are not looked up.
. "$PK_TOP/tests/cli/pk-annotate/list.bash"

# chain ADDRESS...: a sample with a callchain
chain()
{
	local ips='' at=0 ip
	for ip; do
		ips+=" ips[$((at++))]=$ip"
	done
	sample_of user 7 5 "$1" cpu=0 period=100 "nr=$#$ips"
}

mkdir -p root/tmp
echo '700000 100 jitted' >root/tmp/perf-5.map
{
	header
	event_of 7 'CPU PERIOD CALLCHAIN'
	event 1 8
	name 7 cycles
	name 8 faults
	comm 5 5 list
	maps 5 0x400000 0x1000 /src/list
	maps 5 0x700000 0x1000 //anon
	chain 0x400113 0x400158
	chain 0x400113 0x400158
	chain 0x4000f2 0x400158 0x900000
	chain 0x700010 0x400158
	chain 0x900000
	comm 5 5 renamed
	chain 0x400116 0x400158
	echo 'SAMPLE misc=(user) id=7 ip=0x1000 pid=5 tid=5 size=32'
	sample 8 5 0x400110
} | assemble >raw.pk

# same [OPTION...]: prints the number of lines if they are those of the pipeline
same()
{
	# shellcheck disable=SC2086 # a word, or none
	pk-symbolize -q --symfs=root $stage raw.pk 2>/dev/null | pk-report --symfs=root "$@" >expected 2>/dev/null
	# shellcheck disable=SC2086
	pk-report --symfs=root $ours "$@" raw.pk >found 2>/dev/null
	sed -i "$losses" expected found
	cmp expected found && echo "$ours $*: $(wc -l <found)"
}

# Without callers, only the innermost frames are looked up: the numbers of lost frames are theirs.
same_rows()
{
	losses='s/[0-9.]*% of frames/N% of frames/' same "$@"
}
stage='' ours='' losses=''
same
same_rows --no-children -n
same -g graph
same -g caller,fractal --by dso,symbol
same_rows --by dso --show share,samples
same_rows --by symoff,ip --show samples
same --by type,typeoff
same --csv --by comm,dso,symbol,pid -F +period
same --json --show children,share
# The losses are those of the selected samples.
same -q -e cycles
same -q --where 'stack ~ "jitted"' --symbol '!main'
stage=--lines same --by srcline
stage=--lines same -q --by symbol --show 'distinct(srcline)' --where 'srcline ~ "list.c:*"'
stage=--no-inline ours=--no-inline same --by symbol
stage=--no-demangle ours=--no-demangle same -g folded --by symbol

report()
{
	echo "$ pk-report $*"
	pk-report "$@" 2>&1
	echo "status $?"
}
report --symfs=root raw.pk
report -q --symfs=root --by symbol --show samples --fail-on unresolved raw.pk
# No function is looked up if no field needs one.
report -q --symfs=root --by comm,pid --show samples raw.pk
# Messages and headers of several inputs: the header is that of the new side.
report --symfs=root --diff raw.pk --diff raw.pk --header raw.pk | grep -v '^# captured on'
# The redirected file is a file, too; a pipe is not.
echo '$ pk-report < a file'
pk-report -q --no-children --symfs=root --by symbol <raw.pk 2>&1
echo '$ pk-report < a pipe'
# shellcheck disable=SC2002 # a pipe on purpose
cat raw.pk | pk-report --no-children --symfs=root --by symbol 2>&1
# A symbolized file keeps its functions.
pk-symbolize -q --symfs=root raw.pk >symbolized.pk 2>/dev/null
pk-report --symfs=nowhere symbolized.pk 2>/dev/null | cmp - <(pk-report --symfs=root raw.pk 2>/dev/null)
# Both in one command.
pk-report -q --no-children --symfs=root --by symbol --show samples raw.pk symbolized.pk 2>/dev/null
exit 0
