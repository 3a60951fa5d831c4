#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# check.sh: records deferred callchains, code of the kernel and off-CPU time on a kernel that has both, in a virtual machine, with the tools in B (build),
# merges and folds them there, and looks whether what the kernel did and on whose behalf stand in one stack.
# `make check-vm` calls it so. The kernel is Debian's of the suite sid, fetched by apt from this machine's own mirror into
# the build folder. Exit 77, with the reason, where something for that is lacking. It takes some minutes.
set -u -o pipefail
top=$(cd "$(dirname "$0")/../.." && pwd)
cd "$top" || exit 1
build=$(cd "${B:-build}" && pwd) || exit 1
vm=$build/vm
status=0

skip()
{
	echo "SKIPPED check-vm: $*" >&2
	exit 77
}

complain()
{
	echo "check-vm: $*"
	status=1
}

for command in clang qemu-system-x86_64 busybox apt-get dpkg-deb ldd; do
	command -v $command >/dev/null || skip "no $command here (tests/deps.sh vm installs it)"
done
[ "$(uname -m)" = x86_64 ] || skip "the tools here are for $(uname -m), the machine is an x86_64"

# ---- The kernel ----

# A root of apt's own, for the suite sid of the mirror that this machine uses.
apt_options()
{
	printf -- '-o\n%s\n' "Dir::Etc::SourceList=$vm/sources.list" Dir::Etc::SourceParts=/dev/null \
		Dir::Etc::Parts=/dev/null Dir::Etc::PreferencesParts=/dev/null "Dir::State=$vm/state" \
		"Dir::State::status=$vm/state/status" "Dir::Cache=$vm/cache" Acquire::Check-Valid-Until=false \
		Acquire::Languages=none APT::Sandbox::User=root APT::Architecture=amd64
}

fetch_kernel()
{
	local mirror options image packages keys=/usr/share/keyrings/debian-archive-keyring.gpg
	mirror=$(apt-get indextargets --format "\$(LABEL) \$(REPO_URI)" 'Created-By: Packages' |
		awk '$1 == "Debian" { print $2; exit }')
	[ -n "$mirror" ] || skip "apt knows no mirror of Debian here"
	mkdir -p "$vm/state/lists/partial" "$vm/cache/archives/partial" && : >"$vm/state/status"
	[ -e $keys ] || skip "no $keys"
	echo "deb [signed-by=$keys] $mirror sid main" >"$vm/sources.list"
	mapfile -t options < <(apt_options)
	apt-get "${options[@]}" -qq update 2>"$vm/log" || skip "apt-get update: $(tail -n 1 "$vm/log")"
	image=$(apt-cache "${options[@]}" depends linux-image-cloud-amd64 |
		sed -n 's/.*Depends: \(linux-image-[0-9].*\)/\1/p' | head -n 1)
	[ -n "$image" ] || skip "no linux-image-cloud-amd64 in sid"
	packages=("$image" "linux-binary-${image#linux-image-}" "linux-modules-${image#linux-image-}")
	rm -rf "$vm/debs" "$vm/kernel" && mkdir -p "$vm/debs"
	# In some packagings the kernel and its modules are in the first one, in some in the others.
	for package in "${packages[@]}"; do
		(cd "$vm/debs" && apt-get "${options[@]}" -qq download "$package") >"$vm/log" 2>&1
	done
	for package in "$vm"/debs/*.deb; do
		dpkg-deb -x "$package" "$vm/kernel" || skip "no kernel could be fetched: $(tail -n 1 "$vm/log")"
	done
	vmlinuz=$(find "$vm/kernel" -name 'vmlinuz*' -type f | head -n 1)
	[ -n "$vmlinuz" ] || skip "no vmlinuz in ${packages[*]}"
}

vmlinuz=$(find "$vm/kernel" -name 'vmlinuz*' -type f 2>/dev/null | head -n 1)
modules=(irqbypass kvm kvm-amd)
module() # NAME: its file
{
	find "$vm/kernel" -name "$1.ko*" | head -n 1
}
[ -n "$vmlinuz" ] && [ -n "$(module kvm)" ] || fetch_kernel
release=$(basename "$vm"/kernel/usr/lib/modules/[0-9]* "$vm"/kernel/lib/modules/[0-9]* 2>/dev/null | grep -m 1 '^[0-9]')
printf '6.19\n%s\n' "$release" | sort -V -C || skip "Linux $release of sid does not defer callchains"

# ---- The machine ----

root=$vm/root
rm -rf "$root" && mkdir -p "$root"/{bin,dev,proc,sys,tmp} || exit 1
cp "$(command -v busybox)" "$root/bin/busybox"
cp tests/vm/init "$root/init" && chmod 755 "$root/init"
${CC:-cc} -O0 -g -fno-omit-frame-pointer -static -pthread -o "$root/bin/workload" tests/vm/known_calls.c || exit 1
${CC:-cc} -std=gnu11 -O1 -g -fno-omit-frame-pointer -fno-optimize-sibling-calls -static -pthread -o "$root/bin/blocker" \
	tests/live/workload/blocker.c || exit 1
${CC:-cc} -O1 -static -o "$root/bin/known_guest" tests/vm/known_guest.c || exit 1
for name in "${modules[@]}"; do
	file=$(module "$name")
	case $file in
	*.xz) xz -dc "$file" >"$root/$name.ko" ;;
	*.zst) zstd -qdc "$file" >"$root/$name.ko" ;;
	?*) cp "$file" "$root" ;;
	*) skip "no module $name in the kernel's packages" ;;
	esac
done
printf '0000000000001000 T guest_start\n0000000000001100 T guest_run\n' >"$root/guest.kallsyms"
for tool in pk-record pk-stat pk-merge-callchains pk-symbolize pk-fold pk-script pk-annotate pk-span pk-report; do
	cp "$build/bin/$tool" "$root/bin/" || exit 1
	ldd "$build/bin/$tool" | grep -o '/[^ ]*' >>"$vm/libraries"
done
cp -r share "$root/" || exit 1
# pk-annotate loads libcapstone when it disassembles.
ldconfig -p | sed -n 's/.*\(libcapstone\)\.so\.[0-9]* .*=> //p' >>"$vm/libraries"
for example in opensnoop syscall_latency; do
	clang -O2 -g -target bpf "-I/usr/include/$(uname -m)-linux-gnu" -c -o "$root/$example.o" \
		examples/bpf/$example.bpf.c || exit 1
done
sort -u "$vm/libraries" | while read -r library; do
	mkdir -p "$root${library%/*}" && cp -L "$library" "$root$library"
done
rm -f "$vm/libraries"
(cd "$root" && find . | busybox cpio -o -H newc 2>/dev/null | gzip -1) >"$vm/initrd" || exit 1

# The timers of a busy host are so late at times that the kernel gives up before it has begun. Code that the kernel changes while another
# processor of qemu runs it can end in a panic.
echo "check-vm: Linux $release in qemu"
for try in 1 2 3; do
	timeout 400 qemu-system-x86_64 -M q35 -cpu max -accel tcg,thread=multi -smp 2 -m 1G -nodefaults -display none \
		-serial "file:$vm/console" -no-reboot -kernel "$vmlinuz" -initrd "$vm/initrd" \
		-append 'console=ttyS0 quiet panic=-1 mitigations=off nowatchdog no_timer_check' </dev/null ||
		skip "qemu: status $?"
	tr -d '\r' <"$vm/console" >"$vm/out"
	! grep -qx '== end' "$vm/out" || break
	echo "check-vm: the machine did not get to its end: $(grep -a -m 1 -i panic "$vm/out") ($try)"
done

# ---- What came of it ----

part() # NAME: what it printed, but for the status
{
	sed -n "/^== $1\$/,/^status /{/^== /d;/^status /d;p}" "$vm/out"
}

# has NAME PATTERN: whether a part has such a line; not with a pipe, which grep -q would break.
has()
{
	part "$1" >"$vm/part"
	grep -qE -- "$2" "$vm/part"
}

grep -qx '== end' "$vm/out" || {
	tail -n 30 "$vm/out"
	complain "the machine did not get to its end"
}
for name in kernel record merge fold system fold-system annotate offcpu fold-offcpu probe; do
	[ "$(sed -n "/^== $name\$/,/^status /s/^status //p" "$vm/out")" = 0 ] || complain "$name failed: $(part $name)"
done
sum() # PATTERN NAME: periods of the stacks that match
{
	part "$2" | awk -v pattern="$1" '$0 ~ pattern { n += $NF } END { printf "%.0f\n", n }'
}
whole='main;known_outer;known_middle;known_leaf;.*entry_SYSCALL_64'
thread='known_thread;known_outer;known_middle;known_leaf;.*entry_SYSCALL_64'
for name in fold fold-system; do
	known=$(sum known_leaf $name)
	cut=$(sum '^workload;entry_SYSCALL_64' $name)
	echo "check-vm: $name: $known ns below known_leaf, of them $(sum "$whole" $name) and $(sum "$thread" $name) in the" \
		"kernel with main or the thread at the root; $cut without user frames"
	[ "$(sum "$whole" $name)" -ge 20000000 ] || complain "$name: less than 0.02 s of main in the kernel"
	[ "$(sum "$thread" $name)" -ge 20000000 ] || complain "$name: less than 0.02 s of the thread in the kernel"
	[ "$cut" -lt $((known / 20)) ] || complain "$name: one stack in twenty has no user frames"
done
# The code of the kernel that runs.
has annotate 'code from /proc/kcore' || complain "annotate: $(part annotate | grep -v ' : ')"
instructions=$(part annotate | grep -cE '^ +[0-9.]+ : +ffffffff[0-9a-f]+: +[a-z]')
echo "check-vm: $instructions instructions of the kernel, near those that were sampled"
[ "$instructions" -ge 5 ] || complain "annotate: $(part annotate)"
[ "$(part left)" = 0 ] || complain "markers or deferred records are left: $(part left)"
for wait in sleep_often:200 sleep_less:100 wait_for_futex:150; do
	blocked=$(sum "^blocker;.*;${wait%:*};.*entry_SYSCALL_64.*;.*schedule" fold-offcpu)
	echo "check-vm: $blocked ns blocked in ${wait%:*}, of ${wait#*:} ms"
	[ "$blocked" -ge $((${wait#*:} * 900000)) ] || complain "off-CPU time of ${wait%:*}: $(part fold-offcpu)"
done
! has offcpu 'are missing' || complain "off-CPU time: $(part offcpu)"
part merge
[ "$(part unmerged)" = 0 ] || complain "there was nothing to merge"
case $(part kprobe) in
'' | 0 | *[!0-9]*) complain "kprobe: $(part kprobe)" ;;
*) echo "check-vm: $(part kprobe) samples of a kprobe" ;;
esac
# The same through the PMU, and as it returns.
has probe '^ *cat +probe:do_sys_openat2: *$' && has probe '^ *cat +probe:do_sys_openat2__return: *$' ||
	complain "--probe: $(part probe)"
# Arguments of kernel functions by BTF: known ones; and what remains after SIGKILL.
expect() # expect NAME PATTERN
{
	if has "$1" "$2"; then
		echo "check-vm: $1: $(part "$1" | grep -E -m 1 -- "$2")"
	else
		complain "$1: $(part "$1")"
	fi
}
expect probe-arguments '^ *cat +probe:do_sys_openat2: \([0-9a-f]+\) filename="/init" flags=0x8000'
expect probe-return '^ *cat +probe:do_sys_openat2__return: \(.*\) arg1=[3-9] filename="/init"'
expect probe-filter '^ *cat +probe:do_sys_openat2: \([0-9a-f]+\) filename="/init" dfd=-100'
expect probe-count '^1,.*probe:do_sys_openat2'
expect probe-dry-run '^  p:probe/do_sys_openat2 do_sys_openat2[+]0 filename=filename:ustring$'
expect probe-defined '^1$'
# BPF programs: pk-record's own, and examples.
expect strings 'openat\(.*filename: "/init".*\) += 3'
expect bpf 'bpf:opens: .* result=3 .* comm=cat filename=/init$'
expect bpf-counts 'bpf:latency_hist: nr=[0-9]+ slot=[0-9]+ low=[0-9]+ count=[0-9]+'
[ "$(sed -n '/^== probe-killed$/,/^status /s/^status //p' "$vm/out")" = 0 ] || complain "left in tracefs: $(part probe-killed)"
# A virtual machine in this one: samples of its code, its exits, and the same numbers from perf, where that is installed here.
expect guest '^ +[0-9.]+% +guest_kernel +\[g\] guest_run *$'
! has guest '\[g\] 0x' || complain "addresses of a guest without a name: $(part guest)"
reads=$(part kvm | sed -n 's/^100 writes to the port, 50 to memory, \([0-9]*\) reads of the port$/\1/p')
[ -n "$reads" ] && [ "$(part kvm-ports)" = $((100 + reads)) ] || complain "exits for the port: $(part kvm-ports), not 100 + $reads"
[ "$(part kvm-memory)" = 50 ] || complain "exits for memory: $(part kvm-memory), not 50"
expect kvm "^ +$((100 + reads)) +[0-9.]+% .* io +0 *$"
part module-maps | perl -ne 'push @maps, [hex $1, hex $2] if /\[0x([0-9a-f]+)\(0x([0-9a-f]+)\)/;
	END { @maps = sort { $a->[0] <=> $b->[0] } @maps; $maps[$_][0] + $maps[$_][1] <= $maps[$_ + 1][0] or exit 1 for 0 .. $#maps - 1; exit(@maps != 3) }' ||
	complain "maps of modules: $(part module-maps)"
expect module-probe '^[1-9][0-9]*,,probe:svm_vcpu_run,'
part kvm-stream | base64 -d | gzip -dc >"$vm/kvm.pk" && "$build/bin/pk-export" perf.data -q -o "$vm/kvm.data" "$vm/kvm.pk" ||
	complain "the recording of exits is damaged"
rows() # of exits: name, number, smallest, largest and average time
{
	perl -ne '
		print join(" ", $1, $2, $3, $4, $5), "\n"
			if /^ +(\w+) +(\d+) +[\d.]+% +[\d.]+% +([\d.]+)us +([\d.]+)us +([\d.]+)us/;
		print join(" ", $6, $1, $3, $5, $4), "\n"
			if /^ +(\d+) +[\d.]+% +([\d.]+)us +([\d.]+)us +([\d.]+)us +([\d.]+)us +(\w+) +0 *$/' | sort
}
if ${PK_PERF:-perf} kvm -i "$vm/kvm.data" stat report >"$vm/perf" 2>&1; then
	# perf has two decimals, pk three.
	paste <(rows <"$vm/perf") <(part kvm | rows) | awk '
		NF != 10 || $1 != $6 || $2 != $7 { exit 1 }
		{ for (i = 3; i <= 5; i++) if (($i - $(i + 5)) ^ 2 > 0.006 ^ 2) exit 1 }
		END { exit !NR }' ||
		complain "exits: perf: $(rows <"$vm/perf"); pk: $(part kvm | rows)"
	echo "check-vm: exits as perf kvm stat: $(part kvm | rows | tr '\n' ';')"
else
	echo "check-vm: not compared with perf kvm stat: $(tail -n 1 "$vm/perf")"
fi
# Lines of modules. Their debugging information is in a package of some 350 MB, which is fetched only if PK_VM_DEBUG is set.
debug=$vm/debug/usr/lib/debug/lib/modules/$release/kernel/arch/x86/kvm
if [ -n "${PK_VM_DEBUG-}" ] && [ ! -e "$debug/kvm.ko" ]; then
	mapfile -t options < <(apt_options)
	mkdir -p "$vm/debug"
	(cd "$vm/debug" && apt-get "${options[@]}" -qq download "linux-image-$release-dbg" && dpkg-deb --fsys-tarfile ./*.deb |
		tar -x --wildcards './usr/lib/debug/lib/modules/*/kernel/arch/x86/kvm/*' && rm -f ./*.deb) >"$vm/log" 2>&1
fi
if [ -e "$debug/kvm.ko" ]; then
	rm -rf "$vm/lines" && mkdir -p "$vm/lines" && part module-stream | base64 -d | tar -C "$vm/lines" -xz
	lines=$(PATH=$build/bin:$PATH tests/vm/module_lines.sh "$vm/lines" "$debug") || complain "lines of modules: $lines"
	echo "check-vm: $(tail -n 1 <<<"$lines")"
else
	echo "check-vm: lines of modules not compared: no debugging information (PK_VM_DEBUG=1 fetches it, some 350 MB)"
fi
[ $status = 0 ] && echo "check-vm: passed"
exit $status
