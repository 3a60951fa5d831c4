# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash disable=SC2154
# Sourced by check.sh. What parts/newest printed.
succeed record merge fold system fold-system annotate offcpu fold-offcpu probe
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
expect probe-arguments '^ *cat +probe:do_sys_openat2: \([0-9a-f]+\) filename="/init" flags=0x8000'
expect probe-return '^ *cat +probe:do_sys_openat2__return: \(.*\) arg1=[3-9] filename="/init"'
expect probe-filter '^ *cat +probe:do_sys_openat2: \([0-9a-f]+\) filename="/init" dfd=-100'
expect probe-count '^1,.*probe:do_sys_openat2'
expect probe-dry-run '^  p:probe/do_sys_openat2 do_sys_openat2[+]0 filename=filename:ustring$'
expect probe-defined '^1$'
# BPF programs: pk-record's own, and examples.
expect strings 'openat\(.*filename: "/init".*\) += 3'
expect bpf 'bpf:opens: .* result=3 .* comm=cat filename=/init$'
expect bpf-counts 'bpf:latency_hist: syscall_nr=[a-z0-9_]+ slot=[0-9]+ low=[0-9]+ count=[0-9]+'
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
