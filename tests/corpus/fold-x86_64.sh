# SPDX-License-Identifier: BSD-2-Clause
# long
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

# every BOOT NAME...
every()
{
	local boot=$1 name kind
	shift
	for name; do
		fold $name $boot
		kind=script-guest
		[ -e "$own/ref/$name.$kind.gz" ] || kind=script-noinline
		expect $name $kind
		case $name in
		forker.fp.a.pipe)
			# Of what has exited its maps are known too, which one frame lies in.
			sed -E 's/^(busybox;\[unknown\];)\[unknown\](;.*;do_exit;perf_event_exit_task;)/\1[busybox]\2/' \
				expected | sum >mended
			cmp -s expected mended && complain "$name: nothing to mend"
			mv mended expected
			grep -q '^:-1;' folded || complain "$name: no comm :-1"
			grep -q ';__vdso_time' folded || complain "$name: no vdso"
			;;
		threads.fp-offcpu.a.pipe)
			without_objects <folded >kept
			mv kept folded
			;;
		threads.sched.a* | syscalls.rawsys)
			# What is sampled has a place too, which perf script does not print of tracepoints.
			sed -E 's/^([^;]*);.* ([0-9]+)$/\1 \2/' folded | sum >kept
			mv kept folded
			;;
		esac
		same $name
	done
}

gzip -dc "$own/ref/syscalls.fp.pipe.collapsed.gz" >expected
fold syscalls.fp.pipe boot1
same syscalls.fp.pipe

every boot1 syscalls.fp.pipe forker.fp.a.pipe syscalls.nog.pipe locky.pf.pipe threads.sched.a.pipe
every boot2 syscalls.fp.live-inject.pipe threads.fp-offcpu.a.pipe

# Files; one is compressed.
every boot1 forker.fp.a threads.fp.a threads.fp syscalls.fp.z syscalls-static.fp syscalls.intr-regs syscalls.nog \
	locky.pf syscalls.kitchen syscalls.kitchen2 threads.latency syscalls.tp-fp syscalls.uprobe-fp syscalls.group \
	threads.sched.a syscalls.rawsys
every boot2 orphans.fp.a threads.cpuswitch threads.fp-offcpu.a

# Counters have no samples.
fold stat.pipe boot1
[ ! -s folded ] || complain "stat.pipe: $(cat folded)"
exit $status
