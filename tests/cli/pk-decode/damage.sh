# SPDX-License-Identifier: BSD-2-Clause
# long
# A stream that is cut, or that has wrong bits: pk-decode ends, and its output is a stream. From a file and from a pipe, the
# samples are the same.
. "$PK_TOP/tests/cli/pk-decode/spe.bash"
{
	head_of_trace
	trace 0 0 0 "$(load 0x401000 5 100)$(branch 0x401004 5 300 0x401100 0x0b 0x82)"
	aux 1 50
	trace 1 1 0 "$(load 0x402000 5 200)"
} | assemble >trace.pk
size=$(stat -c %s trace.pk)

# check NAME: decodes damaged.pk
check()
{
	local status
	timeout 20 pk-decode -q damaged.pk >out.pk 2>err
	status=$?
	[ $status -le 1 ] || echo "$1: status $status: $(head -n 1 err)"
	[ $status = 0 ] || [ -s err ] || echo "$1: status $status without a message"
	[ ! -s out.pk ] || pk-script -q --dump out.pk >dump 2>err || grep -q 'cut, it has no END' err || echo "$1: not a stream: $(head -n 1 err)"
}

cuts=0 flips=0 sparse=${PK_SAN:+5}
for ((at = 16; at < size; at += 7 * ${sparse:-1})); do
	head -c $at trace.pk >damaged.pk
	check "cut at $at"
	timeout 20 pk-decode -q <(cat damaged.pk) >piped.pk 2>err
	cmp -s <(samples out.pk | sort) <(samples piped.pk | sort) || echo "cut at $at: other samples from a pipe"
	cuts=$((cuts + 1))
done
# Damage of the records of the trace: of its head, and of the packets.
start=$(pk-script --dump trace.pk | sed -n 's/ AUXTRACE_INFO .*//p')
for ((at = start; at < size; at += 5 * ${sparse:-1})); do
	byte=$((16#$(od -An -t x1 -j $at -N 1 trace.pk | tr -d ' ') ^ 1 << at % 8))
	cp trace.pk damaged.pk
	# shellcheck disable=SC2059 # a byte
	printf "\\x$(printf %x $byte)" | dd of=damaged.pk bs=1 seek=$at conv=notrunc status=none
	check "bit of byte $at"
	flips=$((flips + 1))
done
[ $cuts -gt 20 ] && [ $flips -gt 20 ] && echo "tried"
