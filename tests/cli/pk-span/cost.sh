# SPDX-License-Identifier: BSD-2-Clause
# Many tracepoints; they have the largest IDs of formats.
. "$PK_TOP/tests/cli/cost.bash"
. "$PK_TOP/tests/cli/stream.bash"
{
	header
	for ((id = 1; id <= 60000; id++)); do
		event 2 "$id" $((65536 - id))
	done
	sample 1 5 0x1000 1
} | assemble >events.pk
bounded 3 200 pk-span -q --start '*' --end '*' --key pid events.pk >out.pk
pk-script --dump out.pk 2>/dev/null | grep -c 'config=0x159f$'
# Between the samples, events get new names.
{
	header
	for ((id = 1; id <= 20000; id++)); do
		event 2 "$id" "$id"
	done
	for ((id = 1; id <= 20000; id++)); do
		name "$id" "x$id"
		sample "$id" 5 0x1000 1
		echo FINISHED_ROUND
	done
} | assemble >renamed.pk
bounded 3 200 pk-span -q --start x1 --end x2 --key pid renamed.pk >out.pk
bounded 3 200 pk-span -q --start 'x*' --start-where 'pid == 5' --end x2 --key pid renamed.pk >out.pk
exit 0
