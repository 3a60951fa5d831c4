# SPDX-License-Identifier: BSD-2-Clause
# The samples are in the order of time. They belong to the thread and the program of their time.
. "$PK_TOP/tests/cli/pk-decode/spe.bash"
{
	head_of_trace
	echo 'COMM misc=(user) pid=5 tid=5 comm="later" trailer.time=220000000'
	echo FINISHED_ROUND
	trace 0 0 0 "$(load 0x401000 5 100)$(load 0x401004 5 300)"
	echo FINISHED_ROUND
	echo 'COMM misc=(user) pid=5 tid=5 comm="last" trailer.time=340000000'
	trace 1 1 0 "$(load 0x402000 5 150)$(load 0x402004 5 350)$(load 0x402008 5 500)"
	echo FINISHED_ROUND
} | assemble >trace.pk
echo "== a file"
pk-decode -e memory trace.pk | samples
pk-decode -e memory trace.pk | pk-script --dump | grep -A2 ORDER | sed 's/^[0-9]* //'
pk-decode -e memory <trace.pk | samples | md5sum
echo "== a pipe: the next program sorts"
cat trace.pk | pk-decode -e memory | samples
echo "== compressed"
zstd -q -c trace.pk >trace.zst
pk-decode -e memory trace.zst | samples | md5sum
echo "== two sessions, two files"
cat trace.pk trace.pk >two.pk
pk-decode -e memory two.pk trace.pk | samples | wc -l
echo "== threads without context"
bytes=$(code 0 0x401000)$(operation 1 0)$(time_of 100)$(code 0 0x401004)$(operation 1 0)$(time_of 300)
{
	head_of_trace
	echo 'SWITCH_CPU_WIDE misc=0x2000 next_prev_pid=5 next_prev_tid=6 trailer.pid=5 trailer.tid=5 trailer.time=200000000 trailer.cpu=0'
	trace 0 0 0 "$bytes"
} | assemble >switch.pk
pk-decode -e memory switch.pk | samples
{
	head_of_trace
	echo 'ITRACE_START pid=5 tid=6 trailer.cpu=0 trailer.time=1000000'
	trace 0 0 0 "$bytes"
} | assemble >start.pk
pk-decode -e memory start.pk | samples
echo "== times that cannot be converted"
sed '/TIME_CONV/d' <(head_of_trace) >start
{
	cat start
	echo 'COMM pid=5 tid=6 comm="thread" trailer.time=700000000'
	trace 0 0 0 "$(load 0x401000 5 100)"
} | assemble >timeless.pk
pk-decode -e memory timeless.pk | samples
