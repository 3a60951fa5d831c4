# SPDX-License-Identifier: BSD-2-Clause
# Recordings of Linux 7.2 on x86-64, folded, are byte by byte what perf 7.2 and stackcollapse-perf.pl
# made of them. Where these two are known to be wrong, what is expected says so:
#   [vdso] frames   have wrong names unless perf ran on the recording machine: script-guest
#   comm ":-1"      is too short for stackcollapse, which then takes more of the line: mangled
#   no callchains, tracepoints in a pipe: stackcollapse prints nothing: collapse.pl does
#   comm ":TID"     is what perf calls a thread that runs on in the kernel after it has exited: --exits
. "$PK_TOP/tests/corpus/corpus.bash"
own=$PK_CORPUS/own/x86_64-7.2

xz -dc "$own/kallsyms.boot1.xz" >boot1
xz -dc "$own/kallsyms.boot2-nokaslr.xz" >boot2

fold()
{
	pk-symbolize --no-inline --symfs "$own/rootfs" --kallsyms "$2" "$own/data/$1.data" 2>err |
		pk-fold >folded 2>>err || complain "$1: status ${PIPESTATUS[*]}: $(cat err)"
}

# The stored stacks, with the comm that was mangled put right.
collapsed()
{
	gzip -dc "$own/ref/$1.collapsed.gz" |
		sed -E 's/^:-1______-1_\[[0-9]+\]___[0-9]+\.[0-9]+:;/:-1;/' | sum
}

# script NAME KIND [OPTIONS OF collapse.pl]
script()
{
	gzip -dc "$own/ref/$1.$2.gz" | perl "$collapse" "${@:3}"
}

# What we expect of it, where perf forgets less.
expect()
{
	gzip -dc "$own/ref/$1.tasks.txt.gz" >tasks
	script "$1" "$2" --exits tasks >expected
}

# Our reading of perf's text is stackcollapse's: only then may it stand in for that.
for name in forker.fp.a forker.fp.a.pipe syscalls.fp.pipe syscalls.fp.live-inject.pipe threads.fp threads.fp.a; do
	collapsed $name >expected
	script $name script-noinline >folded
	same "collapse.pl: $name"
done

fold syscalls.fp.pipe boot1
gzip -dc "$own/ref/syscalls.fp.pipe.collapsed.gz" >expected
same syscalls.fp.pipe

fold forker.fp.a.pipe boot1
expect forker.fp.a.pipe script-guest
# Of what has exited its maps are known too, which one frame lies in.
sed -E 's/^(busybox;\[unknown\];)\[unknown\](;.*;do_exit;perf_event_exit_task;)/\1[busybox]\2/' expected | sum >mended
cmp -s expected mended && complain "forker.fp.a.pipe: nothing to mend"
mv mended expected
same forker.fp.a.pipe
grep -q '^:-1;' folded || complain "forker.fp.a.pipe: no comm :-1"
grep -q ';__vdso_time' folded || complain "forker.fp.a.pipe: no vdso"

fold syscalls.fp.live-inject.pipe boot2
expect syscalls.fp.live-inject.pipe script-guest
same syscalls.fp.live-inject.pipe

fold threads.fp-offcpu.a.pipe boot2
expect threads.fp-offcpu.a.pipe script-noinline
without_objects <folded >kept
mv kept folded
same threads.fp-offcpu.a.pipe

fold syscalls.nog.pipe boot1
expect syscalls.nog.pipe script-noinline
same syscalls.nog.pipe

fold locky.pf.pipe boot1
expect locky.pf.pipe script-guest
same locky.pf.pipe

# Tracepoints alone: what is sampled has a place too, which perf script does not print.
fold threads.sched.a.pipe boot1
expect threads.sched.a.pipe script-noinline
sed -E 's/^([^;]*);.* ([0-9]+)$/\1 \2/' folded | sum >kept
mv kept folded
same threads.sched.a.pipe

# Counters have no samples.
fold stat.pipe boot1
[ ! -s folded ] || complain "stat.pipe: $(cat folded)"
exit $status
