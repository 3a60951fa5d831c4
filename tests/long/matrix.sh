# SPDX-License-Identifier: BSD-2-Clause
# timeout: 10800
# The tests and `make demo` on machines that lack something: each combination takes one facility away, in namespaces of
# its own, and runs the tests that could depend on it. No test may fail; what a combination makes a test skip is printed.
#
#   PK_MATRIX="no-devpts user"  only these combinations (make check-long T=matrix PK_MATRIX=...)
#   PK_MATRIX_TESTS="shares"    only these tests in each combination, words as for tests/run.sh
#   PK_MATRIX_FULL=1            all tests in each combination, not only those that could depend on it
#
# A combination is one line of the table below: its name, the words for tests/run.sh that select the tests, and after the
# bar what is missing. The function of the same name, with _ for -, takes it away. It runs as root inside a mount
# namespace and may set
#   as          a command that runs the tests and the demo: another user, a filter, a limit
#   home        PK_TEST_HOME of tests/run.sh
#   variables   NAME=VALUE..., the environment of the tests and the demo
#   wrap        NAME=VALUE..., the environment of the pk programs alone, which tests/run.sh would set otherwise
# $light leaves out the longest tests; $locale those that choose a locale for a program, or print what is for UTF-8 only,
# and one that copies a program, which is a wrapper there.
set -u

record='live/ cli/pk-record/ cli/pk-stat/ cli/pk-inject/live faults/record faults/cron unit/test_event unit/test_ring'
light='-one_liners -record_attrs -man_examples -perf_file_stream -types -cron_day -record_cgroup -damage'
locale='-pk-annotate/text -pk-top/names -pk-top/terminals -pk/commands'
names='live/names live/offsite live/where live/fold live/annotate live/lines live/libraries cli/pk-symbolize cli/pk-inject cli/pk-annotate unit/test_kallsyms'
table="
no-cpu-pmu      live/one_liners live/record_list live/record_options live/record_attrs live/stat cli/pk-record/ cli/pk-stat/ unit/test_event | the processor's PMU in sysfs, as in a virtual machine
no-pmu          live/record_ live/stat live/man_examples cli/pk-record/ cli/pk-stat/ faults/record unit/test_event -record_attrs -record_cgroup -record_denied | all PMUs but software and tracepoint, and hardware events
no-tracefs      live/one_liners live/man_examples live/offcpu live/record_ live/stat tracepoint live/where cli/pk-record/ cli/pk-stat/ unit/test_event -record_cgroup | tracefs and debugfs
no-devpts       terminal stages/ | /dev/pts: no terminals can be made
no-kallsyms     $names live/record_system live/perf_script live/shares live/offcpu | addresses in /proc/kallsyms
empty-kallsyms  $names | everything in /proc/kallsyms
perf-eperm      $record | perf_event_open: EPERM, as in a container
perf-enosys     $record | perf_event_open: ENOSYS, a kernel without perf events
user            -lint/ -long/ -corpus/ -faults/damage | root
user-memlock    live/record_ live/stat live/attach faults/record -record_attrs | root and locked memory (RLIMIT_MEMLOCK 0)
user-paranoid-3 $record | root, and Debian's kernel.perf_event_paranoid=3
user-paranoid-4 $record | root, and Ubuntu's kernel.perf_event_paranoid=4
container       $record | capabilities, namespaces and perf_event_open, as root in a container
read-only-home  cli/ $names live/archive live/debuginfod | a home that can be written to
no-home         cli/ $names live/archive live/debuginfod | HOME
one-cpu         $record unit/ $light | all processors but one
no-ipv6         live/debuginfod | IPv6
no-network      live/debuginfod live/names | all network interfaces
small-shm       live/jit live/names unit/test_jitdump unit/test_symbols cli/pk-filter | all but 64 KB of /dev/shm
no-shm          live/jit live/names unit/test_jitdump unit/test_symbols cli/pk-filter | /dev/shm
utf-8           cli/ $locale | the C locale: C.UTF-8
comma           cli/ $locale | the C locale: decimal commas, German messages
time-zone       live/record_control live/record_end live/record_options live/perf_script | UTC
no-term         terminal stages/ | TERM
closed          cli/stages cli/pk-fold cli/pk-filter live/record_command live/pipeline_end faults/io | stdin, stdout and stderr
no-procps       live/one_liners live/man_examples live/names live/record_command live/record_system | procps and netbase
few-files       cli/ live/ unit/ faults/ $light | file descriptors above 64
no-perf         live/ -one_liners -record_attrs -types | perf
noexec-tmp      unit/ live/names live/lines cli/pk-archive | programs in /tmp
space-in-tmp    cli/ live/ unit/ faults/ fuzz/ $light | TMPDIR without blanks
no-userns       live/namespace live/pid_namespace $names live/offcpu | user namespaces
"
# For tests/live/reduced_machines.sh, which make check runs: a few seconds each, without the demo.
quick="
quick-cpu-pmu   live/one_liners | the processor's PMU in sysfs
quick-devpts    terminal stages/ -stages/options -stages/out | /dev/pts: no terminals can be made
quick-tracefs   live/record_list | tracefs and debugfs
quick-rate      live/record_attrs | the usual kernel.perf_event_max_sample_rate
"

as=() variables=() wrap=() home=

# hide COMMAND...: they are not installed. A file that is there but cannot be executed would still be found by bash.
hide()
{
	local name directory n=0
	while read -r directory; do
		for name; do
			[ -f "$directory/$name" ] || continue
			mkdir "$scratch/upper$((++n))" "$scratch/work$n"
			mount -t overlay -o "lowerdir=$directory,upperdir=$scratch/upper$n,workdir=$scratch/work$n" none "$directory" || {
				echo "no overlayfs here" >&2
				exit 77
			}
			(cd "$directory" && rm -f "$@") || exit
			break
		done
	done < <(tr : '\n' <<<"$PATH" | xargs -r realpath -q -e | sort -u)
}

# say TEXT FILE: the file, of /proc or /sys, says that.
say()
{
	printf '%b' "$1" >"$scratch/${2//\//@}"
	chmod 644 "$scratch/${2//\//@}"
	mount --bind "$scratch/${2//\//@}" "$2" || exit
}

empty()
{
	mount -t tmpfs -o "${2-ro}" none "$1" || exit
}

# only_pmus PMU...: the list of sysfs, reduced to these.
only_pmus()
{
	local devices=/sys/bus/event_source/devices pmu
	mkdir "$scratch/pmus"
	for pmu; do
		[ ! -e $devices/$pmu ] || cp -d $devices/$pmu "$scratch/pmus/" || exit
	done
	mount --bind "$scratch/pmus" $devices || exit
}

no_cpu_pmu()
{
	local pmu others=()
	for pmu in /sys/bus/event_source/devices/*; do
		[[ $pmu == */cpu* ]] || others+=("${pmu##*/}")
	done
	only_pmus "${others[@]}"
}

quick_cpu_pmu()
{
	no_cpu_pmu
	variables=('PK_ONLY=cpu/.*--timeout')
}

quick_tracefs()
{
	no_tracefs
}

quick_devpts()
{
	no_devpts
}

quick_rate()
{
	say '31250\n' /proc/sys/kernel/perf_event_max_sample_rate
	variables=('PK_ONLY=-F (max|[0-9]+ )')
}

no_pmu()
{
	only_pmus software tracepoint
	as=("$PK_BUILD/tests/long/deny_hardware")
}

# Without the directories too: root mounts tracefs where they are.
no_tracefs()
{
	local file
	mkdir "$scratch/kernel"
	for file in /sys/kernel/*; do
		case $file in */tracing | */debug) continue ;; esac
		if [ -d "$file" ]; then mkdir "$scratch/kernel/${file##*/}"; else : >"$scratch/kernel/${file##*/}"; fi
		mount --rbind "$file" "$scratch/kernel/${file##*/}" || exit
	done
	mount --rbind "$scratch/kernel" /sys/kernel || exit
}

no_devpts()
{
	empty /dev/pts
}

no_kallsyms()
{
	sed 's/^[0-9a-f]*/0000000000000000/' /proc/kallsyms >"$scratch/kallsyms"
	mount --bind "$scratch/kallsyms" /proc/kallsyms || exit
}

empty_kallsyms()
{
	say '' /proc/kallsyms
}

perf_eperm()
{
	as=("$PK_BUILD/tests/live/deny_perf" 1)
}

perf_enosys()
{
	as=("$PK_BUILD/tests/live/deny_perf" 38)
}

user()
{
	PATH=/usr/local/bin:/usr/bin:/bin # other folders can lie in folders of root
	as=(setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all --bounding-set=-all)
}

# One test after the other: the kernel has one budget of locked memory for all recorders of a user.
user_memlock()
{
	ulimit -l 0
	variables=(PK_TEST_JOBS=1)
	user
}

user_paranoid_3()
{
	say '3\n' /proc/sys/kernel/perf_event_paranoid
	user
	as+=("$PK_BUILD/tests/live/deny_perf" 13)
}

user_paranoid_4()
{
	say '4\n' /proc/sys/kernel/perf_event_paranoid
	user
	as+=("$PK_BUILD/tests/live/deny_perf" 13)
}

container()
{
	local kept='+chown,+dac_override,+fowner,+fsetid,+kill,+setgid,+setuid,+setpcap,+net_bind_service,+net_raw'
	kept+=',+sys_chroot,+mknod,+audit_write,+setfcap'
	as=(setpriv "--bounding-set=-all,$kept" --inh-caps=-all "$PK_BUILD/tests/long/deny" namespaces
		"$PK_BUILD/tests/live/deny_perf" 1)
}

read_only_home()
{
	mkdir "$scratch/home"
	empty "$scratch/home"
	home=$scratch/home
	variables=("HOME=$home")
}

no_home()
{
	home=''
	variables=(-u HOME)
}

one_cpu()
{
	say '0\n' /sys/devices/system/cpu/online
	as=(taskset -c 0)
}

no_ipv6()
{
	as=("$PK_BUILD/tests/long/deny" ipv6)
}

no_network()
{
	as=(unshare --net)
}

small_shm()
{
	empty /dev/shm size=64k,mode=1777
}

no_shm()
{
	empty /dev/shm
}

utf_8()
{
	wrap=(LC_ALL=C.UTF-8)
	variables=("${wrap[@]}")
}

comma()
{
	mkdir "$scratch/locale"
	localedef -i de_DE -f UTF-8 "$scratch/locale/de_DE.UTF-8" 2>"$scratch/localedef.err"
	LOCPATH=$scratch/locale LC_ALL=de_DE.UTF-8 locale decimal_point 2>/dev/null | grep -qx , || {
		echo "no locale with decimal commas can be made (Debian: locales)" >&2
		exit 77
	}
	wrap=("LOCPATH=$scratch/locale" LC_ALL=de_DE.UTF-8 LANG=de_DE.UTF-8)
	variables=("${wrap[@]}")
}

time_zone()
{
	wrap=(TZ=IST-5:30)
	variables=("${wrap[@]}")
}

no_term()
{
	variables=(-u TERM)
}

closed()
{
	exec <&-
}

no_procps()
{
	hide ps pgrep pkill pidwait free top uptime vmstat w watch sysctl slabtop tload pmap pwdx skill snice
	for file in protocols services rpc ethertypes; do
		[ ! -e /etc/$file ] || mount --bind /dev/null /etc/$file || exit
	done
}

few_files()
{
	ulimit -n 64
}

no_perf()
{
	local directory file files=()
	for directory in ${PATH//:/ }; do
		for file in "$directory"/perf "$directory"/perf[_-]*; do
			[ ! -f "$file" ] || files+=("${file##*/}")
		done
	done
	hide perf "${files[@]}"
}

noexec_tmp()
{
	empty "$scratch/tmp" noexec,mode=1777
}

space_in_tmp()
{
	mkdir -m 1777 "$scratch/tmp/one two"
	variables=("TMPDIR=$scratch/tmp/one two")
}

no_userns()
{
	as=("$PK_BUILD/tests/long/deny" userns)
}

# wrap_tools: each pk program gets what $wrap says.
wrap_tools()
{
	local tool
	mkdir "$scratch/bin" "$scratch/wrappers"
	ln -s "$PK_TOP/share" "$scratch/share" # the programs look for it beside their folder
	for tool in "$PK_BIN"/*; do
		printf '#!/bin/bash\nexport %s\nexec -a %q %q "$@"\n' "${wrap[*]@Q}" "${tool##*/}" "$scratch/bin/${tool##*/}" \
			>"$scratch/wrappers/${tool##*/}"
	done
	chmod 755 "$scratch"/wrappers/*
	mount --bind "$PK_BIN" "$scratch/bin" && mount --bind "$scratch/wrappers" "$PK_BIN" || exit
}

# Times are kept, so that make has nothing to build.
copy_checkout()
{
	local file
	mkdir "$scratch/pk"
	for file in "$PK_TOP"/*; do
		[[ ${file##*/} == build* ]] || cp -a "$file" "$scratch/pk/" || exit
	done
	cp -a "$PK_BUILD" "$scratch/pk/" || exit
}

run_demo()
{
	local command=(make --no-print-directory demo "B=${PK_BUILD##*/}" "SAN=$PK_SAN")
	if [ "$1" = closed ]; then
		(cd "$scratch/pk" && "${command[@]}" <&- >&- 2>&-)
	else
		(cd "$scratch/pk" && "${as[@]}" env "${variables[@]}" "${command[@]}")
	fi
}

demo_has_left()
{
	[ -s "$scratch/pk/demo.folded" ] && [ -s "$scratch/pk/demo.svg" ] && tail -n 1 "$scratch/pk/demo.svg" | grep -q '</svg>'
}

# The demo in a copy of the checkout, where it may write.
demo()
{
	copy_checkout
	[[ ${as[*]} != *--reuid* ]] || chown -R 65534:65534 "$scratch/pk"
	run_demo "$1" >"$logs/$1.demo" 2>&1
	echo $? >"$logs/$1.demo-status"
	! demo_has_left || echo yes >"$logs/$1.demo-left"
}

# Inside the namespace: takes the facility away, runs the demo and the tests.
inside()
{
	local name=$1 owner=0:0
	shift
	mount --bind -o ro "$PK_TOP" "$PK_TOP" 2>/dev/null || :
	export TMPDIR=$scratch/tmp
	"${name//-/_}"
	case $name in quick-*) ;; *) demo "$name" ;; esac
	[ ${#wrap[@]} = 0 ] || wrap_tools
	case $name in *-home) variables+=("PK_TEST_HOME=$home") ;; esac
	cd / || exit
	# shellcheck disable=SC2086 # words
	"${as[@]}" env "${variables[@]}" B="$PK_BUILD" SAN="$PK_SAN" "$PK_TOP/tests/run.sh" "$@" -reduced_machines >"$logs/$name.log" 2>&1
}

if [ "${1-}" = --inside ]; then
	name=$2
	shift 2
	inside "$name" "$@"
	exit
fi

skip()
{
	echo "$*" >&2
	exit 77
}

[ "$(id -u)" = 0 ] || skip "needs root: facilities are taken away by mounts"
for tool in unshare setpriv taskset tar; do
	command -v $tool >/dev/null || skip "no $tool"
done
unshare --mount true 2>/dev/null || skip "no mount namespaces here"
export logs=$PWD/logs
mkdir logs
failed=0 scratch=
trap '[ -z "$scratch" ] || rm -rf --one-file-system "$scratch"' EXIT

# The skipped tests, one line for each reason.
skips()
{
	sed -n 's/^SKIP \([^:]*\): /\1\t/p' "$1" | awk -F '\t' '
		!($2 in tests) { reason[++n] = $2 }
		{ tests[$2] = tests[$2] " " $1 }
		END { for (i = 1; i <= n; i++) printf "    skipped:%s: %s\n", tests[reason[i]], reason[i] }'
}

# Prints the line of a combination, and what its tests skipped or failed for.
report()
{
	local name=$1 missing=$2 took=$3 sums demo
	sums=$(grep -E '^[0-9]+ passed, [0-9]+ failed, [0-9]+ skipped$' "logs/$name.log" 2>/dev/null | tail -n 1)
	if [[ $name == quick-* ]]; then
		demo="no demo"
	elif [ "$(cat "logs/$name.demo-status" 2>/dev/null)" = 0 ] && [ -e "logs/$name.demo-left" ]; then
		demo="demo passed"
		! grep -q 'stands in' "logs/$name.demo" || demo+=" with its stand-in"
	else
		demo="demo FAILED"
		failed=1
	fi
	echo "$name: ${sums:-no result}; $demo ($took s; without $missing)"
	skips "logs/$name.log"
	case $sums in *' 0 failed'*) ;; *)
		failed=1
		grep -v '^SKIP' "logs/$name.log" | sed 's/^/    /'
		;;
	esac
	[ "$demo" != "demo FAILED" ] || sed 's/^/    demo: /' "logs/$name.demo"
}

while IFS='|' read -r words missing; do
	read -ra words <<<"$words"
	[ ${#words[@]} != 0 ] || continue
	name=${words[0]}
	[[ $name != quick-* ]] || [ -n "${PK_MATRIX-}" ] || continue
	case " ${PK_MATRIX:-$name} " in *" $name "*) ;; *) continue ;; esac
	[ -z "${PK_MATRIX_FULL-}" ] || words=("$name" -lint/ -long/)
	# shellcheck disable=SC2206 # words
	[ -z "${PK_MATRIX_TESTS-}" ] || words=("$name" $PK_MATRIX_TESTS)
	# Others' programs and another user must be able to come here.
	scratch=$(mktemp -d /var/tmp/pk-matrix.XXXXXX) || exit
	export scratch
	chmod 755 "$scratch"
	mkdir -m 1777 "$scratch/tmp"
	start=$SECONDS
	unshare --mount bash "$0" --inside "${words[@]}" 2>"logs/$name.err"
	if [ $? = 77 ] && [ ! -e "logs/$name.demo" ]; then
		echo "$name: skipped: $(tail -n 1 "logs/$name.err")"
	else
		report "$name" "${missing# }" $((SECONDS - start))
		sed 's/^/    /' "logs/$name.err"
	fi
	rm -rf --one-file-system "$scratch"
done <<<"$table$quick"
exit $failed
