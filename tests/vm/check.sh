#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# check.sh [SUITE...]: records on other kernels, in a virtual machine, with the tools in B (build): on those of Debian's suites sid and
# bookworm, or of the given ones. `make check-vm T=bookworm` calls it so. The kernels are fetched by apt from this machine's own mirror into
# the build folder. Exit 77, with the reason, where something for that is lacking. It takes some minutes.
#
#   unwind   on all: stacks that the kernel unwinds by pk-record's BPF program
#   newest   on Linux 6.19 and later: deferred callchains, code of the kernel, off-CPU time, and whether what the kernel did and on whose
#            behalf stand in one stack; probes of the kernel, BPF programs, a virtual machine in this one
#   traces   on all, in a machine of its own: hardware traces, with a PMU that writes known bytes (known_trace.c)
set -u -o pipefail
top=$(cd "$(dirname "$0")/../.." && pwd)
cd "$top" || exit 1
build=$(cd "${B:-build}" && pwd) || exit 1
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

# A root of apt's own, for a suite of the mirror that this machine uses.
apt_options()
{
	printf -- '-o\n%s\n' "Dir::Etc::SourceList=$vm/sources.list" Dir::Etc::SourceParts=/dev/null \
		Dir::Etc::Parts=/dev/null Dir::Etc::PreferencesParts=/dev/null "Dir::State=$vm/state" \
		"Dir::State::status=$vm/state/status" "Dir::Cache=$vm/cache" Acquire::Check-Valid-Until=false \
		Acquire::Languages=none APT::Sandbox::User=root APT::Architecture=amd64
}

update_suite()
{
	local mirror keys=/usr/share/keyrings/debian-archive-keyring.gpg
	mirror=$(apt-get indextargets --format "\$(LABEL) \$(REPO_URI)" 'Created-By: Packages' |
		awk '$1 == "Debian" { print $2; exit }')
	[ -n "$mirror" ] || skip "apt knows no mirror of Debian here"
	mkdir -p "$vm/state/lists/partial" "$vm/cache/archives/partial" && : >"$vm/state/status"
	[ -e $keys ] || skip "no $keys"
	echo "deb [signed-by=$keys] $mirror $suite main" >"$vm/sources.list"
	mapfile -t options < <(apt_options)
	apt-get "${options[@]}" -qq update 2>"$vm/log" || skip "apt-get update: $(tail -n 1 "$vm/log")"
}

# unpack FOLDER PACKAGE...: fetches packages, and unpacks them below $vm/FOLDER. Those that do not exist are left out.
unpack()
{
	local folder=$1 package
	shift
	rm -rf "$vm/debs" "${vm:?}/$folder" && mkdir -p "$vm/debs"
	for package; do
		(cd "$vm/debs" && apt-get "${options[@]}" -qq download "$package") >"$vm/log" 2>&1
	done
	for package in "$vm"/debs/*.deb; do
		dpkg-deb -x "$package" "$vm/$folder" || skip "no $folder could be fetched: $(tail -n 1 "$vm/log")"
	done
}

fetch_kernel()
{
	local options image packages
	update_suite
	image=$(apt-cache "${options[@]}" depends linux-image-cloud-amd64 |
		sed -n 's/.*Depends: \(linux-image-[0-9].*\)/\1/p' | head -n 1)
	[ -n "$image" ] || skip "no linux-image-cloud-amd64 in $suite"
	packages=("$image" "linux-binary-${image#linux-image-}" "linux-modules-${image#linux-image-}")
	# In some packagings the kernel and its modules are in the first one, in some in the others.
	unpack kernel "${packages[@]}"
	vmlinuz=$(find "$vm/kernel" -name 'vmlinuz*' -type f | head -n 1)
	[ -n "$vmlinuz" ] || skip "no vmlinuz in ${packages[*]}"
}

module() # NAME: its file
{
	find "$vm/kernel" -name "$1.ko*" | head -n 1
}

find_kernel()
{
	vmlinuz=$(find "$vm/kernel" -name 'vmlinuz*' -type f 2>/dev/null | head -n 1)
	[ -n "$vmlinuz" ] || fetch_kernel
	release=$(basename -a "$vm"/kernel/usr/lib/modules/[0-9]* "$vm"/kernel/lib/modules/[0-9]* 2>/dev/null | grep -m 1 '^[0-9]')
}

# ---- A PMU for traces ----

# Builds known_trace.ko with the kernel's headers. They expect to be in /usr/src: a mount namespace puts them there. Tools of newer headers need
# a newer libc, which is fetched, too. Options that this gcc does not know are left out.
build_pmu()
{
	local options common=linux-headers-${release%-cloud-amd64}-common kbuild modpost lib folder work=$vm/pmu

	rm -rf "$work" && mkdir -p "$work"
	cp tests/vm/known_trace.c "$work" && echo 'obj-m := known_trace.o' >"$work/Kbuild"
	if [ ! -d "$vm/headers" ]; then
		update_suite
		kbuild=$(apt-cache "${options[@]}" depends "linux-headers-$release" | sed -n 's/.*Depends: \(linux-kbuild-[0-9].*\)/\1/p')
		unpack headers "linux-headers-$release" "$common" "$kbuild"
		unpack libc libc6
	fi
	kbuild=$(echo "$vm"/headers/usr/lib/linux-kbuild-*)
	modpost=$kbuild/scripts/mod/modpost.real-lsb-64 lib=$vm/libc/usr/lib/x86_64-linux-gnu
	if ! ldd "$modpost" >"$vm/log" 2>&1 || grep -q 'not found' "$vm/log"; then
		printf '#!/bin/sh\nexec %s/ld-linux-x86-64.so.2 --library-path %s %s.new "$@"\n' "$lib" "$lib" "$modpost" >"$work/modpost"
		chmod 755 "$work/modpost"
		mv "$modpost" "$modpost.new" && cp "$work/modpost" "$modpost"
	fi
	for folder in "$vm"/headers/usr/src/linux-headers-*; do
		ln -sfn "$kbuild/scripts" "$folder/scripts" && ln -sfn "$kbuild/tools" "$folder/tools"
	done
	cat >"$work/cc" <<-'END'
		#!/bin/bash
		for option; do
			case $option in
			-fmin-function-alignment=* | -fstrict-flex-arrays* | -std=gnu23 | -Wno-* | -Werror=*) ;;
			*) words+=("$option") ;;
			esac
		done
		exec gcc "${words[@]}"
	END
	chmod 755 "$work/cc"
	# shellcheck disable=SC2016 # the inner shell expands them
	unshare -m sh -e -c 'mount --bind "$1/headers/usr/src" /usr/src
		make -s -C "/usr/src/linux-headers-$2" "M=$1/pmu" "CC=$1/pmu/cc" CONFIG_OBJTOOL= CONFIG_DEBUG_INFO_BTF_MODULES= modules' - \
		"$vm" "$release" >"$vm/log" 2>&1
	[ -e "$work/known_trace.ko" ]
}

# ---- The machine ----

make_machine()
{
	local name file tool library example root=$vm/root

	rm -rf "$root" && mkdir -p "$root"/{bin,dev,parts,proc,sys,tmp} || exit 1
	cp "$(command -v busybox)" "$root/bin/busybox"
	cp tests/vm/init "$root/init" && chmod 755 "$root/init"
	for name in "${parts[@]}"; do cp "tests/vm/parts/$name" "$root/parts/" || exit 1; done
	${CC:-cc} -O0 -g -fno-omit-frame-pointer -static -pthread -o "$root/bin/workload" tests/vm/known_calls.c || exit 1
	${CC:-cc} -std=gnu11 -O1 -g -fno-omit-frame-pointer -fno-optimize-sibling-calls -static -pthread -o "$root/bin/blocker" \
		tests/live/workload/blocker.c || exit 1
	${CC:-cc} -O1 -static -o "$root/bin/known_guest" tests/vm/known_guest.c || exit 1
	${CC:-cc} -O2 -fomit-frame-pointer -fno-optimize-sibling-calls -fno-ipa-icf -o "$root/bin/unwinding" tests/live/workload/unwinding.c &&
		${CC:-cc} -O2 -fomit-frame-pointer -fno-builtin -Wl,-z,lazy -o "$root/bin/linkage" tests/live/workload/linkage.c -lm || exit 1
	ldd "$root/bin/linkage" | grep -o '/[^ ]*' >>"$vm/libraries"
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
	${CC:-cc} -O1 -static -Ilibpkstream -o "$root/bin/trace_check" tests/vm/trace_check.c || exit 1
	[ ! -e "$vm/pmu/known_trace.ko" ] || cp "$vm/pmu/known_trace.ko" "$root"
	for tool in pk-record pk-stat pk-merge-callchains pk-symbolize pk-fold pk-script pk-annotate pk-span pk-report pk-filter; do
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
}

# One processor, or two that one thread of qemu runs in turns: with two threads, qemu can execute a breakpoint of the kernel after the kernel has removed it, and the kernel panics ("Oops:
# int3"). The kernel sets such breakpoints when it changes its own code: for static keys, tracepoints and probes. Without any program of
# pk, enabling events of sched again and again ended 3 of 5 machines with two processors, and none of 3 with one. The timers of a
# busy host are so late at times that the kernel gives up before init has begun: that is tried again.
run_machine() # OPTION...: of qemu
{
	local try

	echo "check-vm: Linux $release in qemu"
	for try in 1 2 3; do
		timeout 900 qemu-system-x86_64 -M q35 -cpu max -m 1G "$@" -nodefaults -display none \
			-serial "file:$vm/console" -no-reboot -kernel "$vmlinuz" -initrd "$vm/initrd" \
			-append 'console=ttyS0 quiet panic=-1 mitigations=off nowatchdog no_timer_check' </dev/null ||
			skip "qemu: status $?"
		tr -d '\r' <"$vm/console" >"$vm/out"
		! grep -qx '== kernel' "$vm/out" || break
		echo "check-vm: the machine did not begin ($try): $(tail -n 1 "$vm/out")"
	done
}

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

sum() # PATTERN NAME: periods of the stacks that match
{
	part "$2" | awk -v pattern="$1" '$0 ~ pattern { n += $NF } END { printf "%.0f\n", n }'
}

expect() # expect NAME PATTERN
{
	if has "$1" "$2"; then
		echo "check-vm: $1: $(part "$1" | grep -E -m 1 -- "$2")"
	else
		complain "$1: $(part "$1")"
	fi
}

succeed() # NAME...: the status of these parts is 0
{
	local name
	for name; do
		[ "$(sed -n "/^== $name\$/,/^status /s/^status //p" "$vm/out")" = 0 ] || complain "$name failed: $(part "$name")"
	done
}

# try_machine OPTION...: runs the parts, and checks what they printed
try_machine()
{
	local part

	make_machine
	run_machine "$@"
	grep -qx '== end' "$vm/out" || {
		tail -n 30 "$vm/out"
		complain "the machine did not get to its end"
	}
	for part in "${parts[@]}"; do
		# shellcheck source=/dev/null
		. "tests/vm/$part.bash"
	done
}

check_suite() # SUITE
{
	suite=$1 vm=$build/vm/$1 parts=(unwind) modules=()
	mkdir -p "$vm" || exit 1
	find_kernel
	if printf '6.19\n%s\n' "$release" | sort -V -C; then
		parts+=(newest)
		modules=(irqbypass kvm kvm-amd)
	fi
	try_machine -accel tcg -smp 1
	parts=(traces) modules=()
	if build_pmu; then
		try_machine -accel tcg,thread=single -smp 2
	else
		echo "check-vm: traces not checked: known_trace.ko cannot be built: $(tail -n 1 "$vm/log")"
	fi
}

[ $# != 0 ] || set -- sid bookworm
for name; do check_suite "$name"; done
[ $status = 0 ] && echo "check-vm: passed"
exit $status
