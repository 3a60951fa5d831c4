# SPDX-License-Identifier: BSD-2-Clause
# Events without ids in their samples, or with ids at other positions: all get an identifier. Both byte
# orders, several sessions, compression, and one pk-span after another.
. "$PK_TOP/tests/cli/pk-span/switches.bash"
some()
{
	comm 1 1 t1
	switch 100 0 1 2
	switch 150 1 3 1
	switch 200 0 2 1
	switch 260 0 1 2
}
# try NAME: the stream on stdin
try()
{
	echo "== $1"
	assemble >"$1.pk"
	pk-span -q "${offcpu[@]}" "$1.pk" >"$1.out"
	echo "status $?"
	show "$1.out"
	pk-script --dump "$1.out" 2>/dev/null | sed -n '/HEADER_ATTR/,/^[0-9]* [A-GI-Z]/p' | grep -oE '^  (config=|id\[0\]=|sample_type=).*' | tr -s ' \n' ' '
	echo
}
{
	header
	one_event '' 310 'IP TID TIME CPU PERIOD RAW'
	tracing
	some | sed 's/ id=9//'
} | try one_without
{
	header
	one_event '' 310 'IP TID TIME CPU PERIOD RAW IDENTIFIER'
	tracing
	some
} | try one_unknown
{
	header
	one_event 9 310 'IP TID TIME ID CPU PERIOD RAW'
	one_event 8 312 'IP TID TIME ID CPU PERIOD RAW'
	tracing
	some
	wakeup 300 0 2 5
} | try two_with_id
{
	header
	both_events
	some
} | try no_formats
formats=$PK_TOP/tests/data/tracing.s390x
ids=(252 1)
{
	echo 'BEGIN byte_order=big'
	both_events
	tracing
	some
} | try big_endian
formats=$PK_TOP/tests/data/tracing.x86_64
ids=(310 312)
echo "== two sessions, compressed"
cat one_without.pk two_with_id.pk | zstd -q | pk-span -q "${offcpu[@]}" | show | grep span
echo "== one after the other"
pk-span -q "${offcpu[@]}" --name first one_without.pk |
	pk-span -q --start first --end first --key cpu --name second --carry start.duration,end.duration --pass >twice.pk
show twice.pk
pk-script --dump twice.pk | grep -c 'TRACING_DATA'
echo "== after a new session, nothing is open"
{
	header
	both_events
	tracing
	switch 100 0 1 2
	header
	both_events
	tracing
	switch 200 0 2 1
} | assemble | pk-span "${offcpu[@]}" | show
exit 0
