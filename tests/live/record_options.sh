# SPDX-License-Identifier: BSD-2-Clause
# What options put into the stream: that they ask for the right thing is record_attrs.sh's.
. "$PK_TOP/tests/live/record.bash"
READ=8

record()
{
	pk-record -q -o out.pk "$@" 2>err || fail "$*: $(cat err)"
	check out.pk
}

# What threads have counted, when they end: two processes besides the first, two events; nothing else.
record -s -n -e page-faults,task-clock -- bash -c '/bin/true; /bin/true; exit 0'
[ "$(records $SAMPLE)" = 0 ] || fail "-n: samples"
at_least "$(records $READ)" 4 "records of counts"
pk-script --dump out.pk | awk -F= '/^[0-9]+ READ/ { in_read = 1 } /^[0-9]+ [^R]/ { in_read = 0 }
	in_read && $1 ~ /read\.value/ { sum += $2 } END { exit !(sum > 50) }' || fail "-s: no counts"

# Registers: those that were asked for.
if [ "$(uname -m)" = x86_64 ]; then
	record -F 999 -e cpu-clock:u --user-regs=ip,sp -Iax -- spinner 0.1
	pk-script -F ip,sym,iregs,uregs out.pk 2>/dev/null | grep 'ABI:2' >registers || fail "no registers"
	grep -vE '^ *[0-9a-f]+ .* ABI:2 +AX:0x[0-9a-f]+ +ABI:2 +SP:0x[0-9a-f]+ +IP:0x[0-9a-f]+ *$' registers &&
		fail "other registers"
	pk-record --user-regs=? | grep -qx 'AX BX CX DX SI DI BP SP IP FLAGS CS SS R8 .*R15' || fail "their names"
	pk-record '-I?' | grep -q AX || fail "-I?"
fi

# The time that counters have run.
record --running-time -F 999 -e '{task-clock,page-faults}:S' -- spinner 0.1
pk-script --dump out.pk | grep -q 'read.running=[1-9]' || fail "--running-time"
pk-script --header out.pk | grep -q '^# group: {task-clock[^,]*,page-faults' || fail "a group is not told of"
record -F 999 --per-thread --sample-identifier -P -T --no-bpf-event -e cpu-clock:u -- spinner 0.05
at_least "$(records $SAMPLE)" 5 "samples of one thread"
record -B -N --buildid-all --buildid-mmap --exclude-perf --tail-synthesize -e cpu-clock -- true

# Only at these times: a sample each millisecond at most, and nothing between them.
record -D 200-600,1200-1600 -F 999 -e task-clock:u -- bash -c 'end=$((SECONDS + 3)); while [ $SECONDS -lt $end ]; do :; done'
at_least 1600 "$(records $SAMPLE)" "samples of 800 ms"
at_least "$(records $SAMPLE)" 3 "samples of 800 ms"
pk-script -F time out.pk | awk -F. '{ t = $1 * 1000 + int($2 / 1000); gaps += NR > 1 && t - before > 300; before = t }
	END { exit !gaps }' || fail "-D: no time between the two"
for wrong in 0 x 10- 10-5 10-20,15-30 -5 '10-20,' 10-20-30 5000000000; do
	pk-record -D "$wrong" -e cpu-clock -o none.pk -- true 2>err && fail "-D $wrong: went well"
done

# What cannot be.
refuse()
{
	local words=$1
	shift
	pk-record -o none.pk "$@" -- true 2>err && fail "$*: went well"
	grep -qF -- "$words" err || fail "$*: $(cat err)"
}
refuse 'more than kernel.perf_event_max_sample_rate' --strict-freq -F 100000000 -e cpu-clock
refuse 'must be registers' --user-regs=zz
refuse 'must be registers' --user-regs=
refuse 'must be a priority' -r 0
refuse 'there is no --switch-output: use --split' --switch-output=10s
refuse "there is no --switch-max-files: use --keep" --switch-max-files 5
refuse "--snapshot needs an event that writes a hardware trace" -S
refuse '-m with two sizes needs an event that writes a hardware trace' -m 64,64
exit 0
