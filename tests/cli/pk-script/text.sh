# SPDX-License-Identifier: BSD-2-Clause
# Recordings as text. The sums are those of what perf itself printed of the x86_64 one; the s390x one
# (of the other byte order) and what -F, --ns and --show-... make of them are looked at in parts.
cd "$PK_TOP/tests/data" || exit
quietly()
{
	pk-script -q --symfs /nonexistent --kallsyms /dev/null "$@"
	echo "exit $?"
}
pk-script -q x86_64.pk.zst | cksum
pk-script -q x86_64.pk.zst | head -n 24
quietly x86_64.perf.zst | head -n 12
quietly -F comm,pid,tid,time,ip x86_64.pk.zst | head -n 5
quietly -F comm,ip,sym,dsoff x86_64.pk.zst | head -n 5
quietly -F -comm,-period,-ip,+misc --ns x86_64.pk.zst | head -n 5
quietly -F sw: x86_64.pk.zst
quietly -F +addr x86_64.pk.zst 2>&1 | head -n 2
pk-script -F comm,addr x86_64.pk.zst 2>&1 >/dev/null | head -n 1
quietly --max-stack 2 x86_64.pk.zst | head -n 4
quietly -F comm,event --show-task-events --show-mmap-events x86_64.pk.zst | grep PERF_RECORD
pk-script -q s390x.pk.zst | head -n 8
pk-script -q arm64.pk.zst | grep -m 3 -A 2 sched_switch
pk-script -q -o "$PWD/nowhere/file" x86_64.pk.zst
echo "exit $?"
pk-script -q x86_64.pk.zst >/dev/full
echo "exit $?"
