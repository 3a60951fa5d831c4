# SPDX-License-Identifier: BSD-2-Clause
# long
# Every example in a manual page works: lines of .Dl and of literal blocks under EXAMPLES, run in
# order, with stand-ins for what is not ours, for 300 ms instead of their times.
set -u -o pipefail
# Leaks cannot be looked for in a program that has a probe on main.
[ -z "$PK_SAN" ] || export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0

recording=1
pk-record -g -e cpu-clock -F 199 -o app.pk -- "$PK_BUILD/tests/live/spinner" 0.5 2>err || {
	recording=
	pk-filter -q -o app.pk "$PK_TOP/demo/demo.pk"
}
pk-symbolize -q app.pk >symbolized.pk 2>/dev/null
for f in host1.pk host2.pk host.pk target.pk s390x.pk before.pk after.pk; do
	cp app.pk $f
done
zstd -q -o old.pk.zst app.pk
(
	. "$PK_TOP/tests/cli/pk-decode/spe.bash"
	{
		head_of_trace
		trace 0 0 0 "$(load 0x401000 5 100)$(branch 0x401004 5 300 0x401100 0x0b 0x82)"
	} | assemble >spe.pk
)
"$PK_BUILD/tests/live/pt_stepper" 2000 0 0 truth 2>err | "$PK_BUILD/tests/assemble/assemble" >intel_pt.pk
pk-decode -q -e instructions intel_pt.pk >decoded.pk 2>err || rm intel_pt.pk
kernel=
[ -z "$recording" ] || grep -q 'user space only' err || kernel=1
cp /proc/kallsyms kallsyms
mkdir bin rootfs
stand_in()
{
	printf '#!/bin/sh\n%s\n' "$2" >"bin/$1"
	chmod +x "bin/$1"
}
stand_in flamegraph.pl cat
stand_in inferno-flamegraph cat
stand_in less cat
command -v callgrind_annotate >/dev/null || stand_in callgrind_annotate true
# There is no terminal: only the options are checked.
stand_in pk-top "setsid '$PK_BIN/pk-top' \"\$@\" 2>&1 </dev/null | grep -q /dev/tty && { [ ! -p /dev/stdin ] || cat >/dev/null; }"
# shellcheck disable=SC2016 # expands in the stand-in
stand_in ssh 'shift; exec sh -c "$*"'
for program in app program nginx; do
	cp "$PK_BUILD/tests/live/spinner" $program
	cp $program bin/
done
PATH=$PWD/bin:$PATH

examples()
{
	awk '/^\.Sh/ { in_examples = /EXAMPLES/ }
		/^\.Bd/ { literal = 1; next } /^\.Ed/ { literal = 0 }
		in_examples && sub(/^\.Dl +/, "") { print; next }
		in_examples && literal' "$1" | sed -E 's/^\$ //; s/\\&//g; s/\\e/\\/g; s/\\\(aq|\\\(cq/'"'"'/g'
}

everything=
[ -z "$recording" ] || ! pk-record -q -a -e cpu-clock -o all.pk -- true 2>err || everything=1
tracepoints=
[ -z "$everything" ] || ! pk-record -q -a -e sched:sched_switch -o all.pk -- true 2>err || tracepoints=1

blocks=
[ -z "$everything" ] || ! pk-record -q --off-cpu -e dummy -o all.pk -- true 2>err || blocks=1

counting=
! pk-stat -q -e page-faults -o counts -- true 2>err || counting=1

probes=
[ -z "$recording" ] || ! pk-record -q -x ./program --probe main -o all.pk -- true 2>err || probes=1

# What a line needs that this machine may not have, or does not let us have. The recording that stands in is of a program
# that is not here.
lacking()
{
	local line=" $1 " file
	[[ $1 != pk\ * ]] || line+=$(eval "pk -n ${1#pk }" 2>/dev/null)
	case $line in *pk-record\ * | *perf\ record* | *pk-annotate* | *objects.tar.zst*) [ -n "$recording" ] || echo recording ;; esac
	case $line in *\ -a\ *) [ -n "$everything" ] || echo "recording of everything" ;; esac
	case $line in *pk-stat*) [ -n "$counting" ] || echo counting ;; esac
	case $line in *perf\ *) perf --version >/dev/null 2>&1 || echo perf ;; esac
	case $line in *--off-cpu*) [ -n "$blocks" ] || echo "off-CPU time" ;; esac
	case $line in *--probe*) [ -n "$probes" ] || echo probes ;; esac
	case $line in *sched:* | *-e\ sched\ * | *syscalls* | *pk-span*) [ -n "$tracepoints" ] || echo tracepoints ;; esac
	case $line in *--event\ cpu-clock\ *) [ -n "$kernel" ] || echo "recording of the kernel" ;; esac
	case $line in *intel_pt.pk*) [ -e intel_pt.pk ] || echo libipt ;; esac
	for file in $not_made; do
		case $line in *[\ /]"$file"[\ \;\|\)]*) [ -e "$file" ] || echo "what these write" ;; esac
	done
}

failed=0 left_out='' not_made=''
for page in "$PK_TOP"/pk{,-*}/*.1; do
	while read -r line; do
		without=$(lacking "$line" | head -n 1)
		if [ -n "$without" ]; then
			left_out=$(printf '%s\n' "$left_out" "$without" | grep . | sort -u)
			not_made+=" $(grep -oE '(-o|>) *[a-z.]+' <<<"$line" | sed -E 's/^(-o|>) *//' | paste -sd' ')"
			continue
		fi
		line=$(sed -E 's/--for [0-9]+(s|m|h)?/--for 300ms/g; s/-I 1000/-I 100/g' <<<"$line")
		timeout 30 bash -c "set -o pipefail; $line" </dev/null >out 2>err && continue
		echo "${page##*/}: $line: $(head -n 3 err)"
		failed=1
	done < <(examples "$page")
done
[ $failed = 0 ] || exit 1
[ -z "$left_out" ] || {
	# shellcheck disable=SC2086 # lines to words
	echo "all but examples that need" $left_out >&2
	exit 77
}
