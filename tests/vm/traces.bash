# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2154
# Sourced by check.sh. What parts/traces printed: bytes of known_trace.c, which trace_check.c has compared.
succeed insmod command system thread filter wrap odd full pid parts pipe compressed snapshot snapshot-size samples terms user
expect check 'hardware trace arm_spe_0 +yes'

# numbers NAME: of the last line of trace_check: AUX records, bytes, and full ones
numbers()
{
	part "$1" | sed -n 's/^AUX \([0-9]*\), bytes \([0-9]*\), full \([0-9]*\),.*/\1 \2 \3/p'
}
# bytes NAME: those of all rings
bytes()
{
	part "$1" | awk '/^ring / { n += $3 } END { print n + 0 }'
}
# whole NAME [LEAST]: all bytes of the AUX records are there, and no more than their padding.
whole()
{
	local records written full
	read -r records written full <<<"$(numbers "$1")"
	echo "check-vm: $1: $(bytes "$1") bytes of $written in $records pieces, $full cut; $(part "$1" | grep -c '^ring ') rings"
	[ "${records:-0}" -ge 5 ] && [ "$(bytes "$1")" -ge "$written" ] && [ "$(bytes "$1")" -lt $((written + 8 * 64)) ] &&
		[ "$written" -ge "${2:-50000}" ] || complain "$1: $(part "$1")"
}
for name in command system thread filter wrap odd full fail pid parts pipe compressed user; do whole $name; done
for name in command system wrap pid; do
	[ "$(part $name | grep -c '^ring ')" = 2 ] || complain "$name: not two rings: $(part $name)"
done
expect command 'ITRACE_START [1-9][0-9]*, info 1,'
expect parts '^[3-9]$'
# Bytes that are lost are counted and reported, and the trace continues.
[ "$(numbers full | awk '{ print $3 }')" -ge 3 ] || complain "no piece is cut: $(part full)"
expect full '[0-9,]+ of [0-9,]+ pieces of the trace are cut: the AUX area was full'
[ "$(sed -n '/^== fail$/,/^status /s/^status //p' "$vm/out")" = 1 ] || complain "--fail-on lost: $(part fail)"
# Three snapshots and one at the end, of two rings, without bytes that an earlier one has.
for name in snapshot snapshot-size; do
	[ "$(part $name | awk '/^ring / && $5 >= 4' | wc -l)" = 2 ] || complain "$name: $(part $name)"
	expect $name 'overlaps 0'
done
[ "$(bytes snapshot-size)" -le $((2 * 4 * 16384)) ] || complain "snapshot-size: $(part snapshot-size)"
[ "$(bytes snapshot)" -gt "$(bytes snapshot-size)" ] || complain "snapshot: $(part snapshot)"
for name in samples terms; do expect $name 'samples [1-9][0-9]+,'; done
# perf finds the same pieces, and pk those of the file that pk-export writes for perf.
part stream | base64 -d | gzip -dc >"$vm/stream.pk" && "$build/bin/pk-export" perf.data -q -o "$vm/stream.data" "$vm/stream.pk" ||
	complain "the stream is damaged"
if ${PK_PERF:-perf} script -D -i "$vm/stream.data" >"$vm/perf" 2>"$vm/perf.err"; then
	sizes=$(grep -a -o 'PERF_RECORD_AUXTRACE size: 0x[0-9a-f]*' "$vm/perf" | while read -r _ _ n; do echo $((n)); done | awk '{ n += $1 } END { print n + 0 }')
	pieces=$(grep -a -c ' PERF_RECORD_AUX offset' "$vm/perf")
	echo "check-vm: perf: $pieces pieces, $sizes bytes"
	[ "$pieces" = "$(numbers wrap | awk '{ print $1 }')" ] && [ "$sizes" -ge "$(numbers wrap | awk '{ print $2 }')" ] ||
		complain "perf: $pieces pieces, $sizes bytes; pk: $(numbers wrap)"
else
	echo "check-vm: not compared with perf: $(tail -n 1 "$vm/perf.err")"
fi
