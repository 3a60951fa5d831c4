# SPDX-License-Identifier: BSD-2-Clause
# timeout: 3600
#
# The shell tests of perf, with a program "perf" that runs the programs of pk (perf_shell/perf.bash), as root. They are in the folder
# tools/perf/tests/shell of the kernel's sources: PK_KERNEL is the folder of these sources, without it the newest package
# linux-source of Debian is downloaded. PK_SHELL_TESTS selects tests by patterns. PK_PERF is a perf to run in place of the
# programs of pk: it shows which tests fail on this machine with perf, too.
#
# Prints a line for each test: passed, failed, skipped by itself, or not applicable with the reason. perf_shell/known has the
# expected results that are not "passed". The test fails if a result is not the expected one, also if a test passes that is
# expected to fail.
set -u
[ "$(id -u)" = 0 ] || {
	echo "needs root" >&2
	exit 77
}
kernel=${PK_KERNEL-}
if [ -z "$kernel" ]; then
	name=$(apt-cache search --names-only '^linux-source-[0-9.]+$' | sed 's/ .*//' | sort -V | tail -1)
	[ -n "$name" ] && apt-get -qq -o APT::Sandbox::User=root download "$name" || {
		echo "linux-source cannot be downloaded, and PK_KERNEL is not set" >&2
		exit 77
	}
	dpkg-deb --fsys-tarfile "$name"_*.deb | tar -xOf - "./usr/src/$name.tar.xz" |
		tar -xJf - "$name"/tools/perf/{tests,util,scripts,pmu-events} "$name/tools/include"
	kernel=$PWD/$name
fi
tools=$PK_TOP/tests/long/perf_shell
tests=$kernel/tools/perf/tests

# The headers that the workloads include, as far as they need them.
mkdir -p src/workloads src/linux bin
cat >src/tests.h <<'EOF'
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/compiler.h>
struct test_workload {
	const char *name;
	int (*func)(int argc, const char **argv);
};
#define DEFINE_WORKLOAD(work) struct test_workload workload__##work = {.name = #work, .func = work}
EOF
cat >src/linux/compiler.h <<'EOF'
#include <sys/types.h>
#define noinline __attribute__((noinline))
#define __maybe_unused __attribute__((unused))
#define __noreturn __attribute__((noreturn))
#define pr_err(...) fprintf(stderr, __VA_ARGS__)
#define ARRAY_SIZE(a) (sizeof(a) / sizeof *(a))
EOF
workloads=()
for file in "$tests"/workloads/*.c; do
	name=$(basename "$file" .c)
	[ ! -e "${file%.c}.rs" ] || continue
	cp "$file" src/workloads/
	# The options are those of the file Build in the folder of the workloads.
	options=$(sed -n "s/^CFLAGS_$name.o *= *//p" "$tests/workloads/Build")
	# shellcheck disable=SC2086
	if gcc -O2 -g ${options:-} -Isrc -I"$kernel/tools/perf" -w -c "src/workloads/$name.c" -o "src/$name.o" 2>"src/$name.err"; then
		workloads+=("$name")
	else
		echo "workload $name: $(grep -m1 error: "src/$name.err")"
	fi
done
[ ${#workloads[@]} -gt 0 ] || {
	echo "there are no workloads in $tests" >&2
	exit 77
}
# shellcheck disable=SC2046
gcc -O2 -g -Isrc "-DWORKLOADS=$(printf 'W(%s) ' "${workloads[@]}")" -o bin/perf "$tools/launcher.c" \
	$(printf 'src/%s.o ' "${workloads[@]}") -lpthread -lm || exit 1
cp "$tools/perf.bash" bin/
[ -z "${PK_PERF-}" ] || printf '#!/bin/sh\nexec %s "$@"\n' "$PK_PERF" >bin/perf
export PERF_SHELL=$PWD/state PATH=$PWD/bin:$PATH
# The events and metrics of the same sources, which some tests name.
case $(uname -m) in
x86_64) "$PK_TOP/share/event_tables.py" "$kernel/tools/perf/pmu-events" tables && export PERF_SHELL_TABLE=$PWD/tables/x86.events ;;
esac

# The reason of a result: the last line of the output that names one.
reason()
{
	grep -aiE "${2-fail|error|skip|cannot|not |invalid|unrecog|wrong}" "$1" | grep -avE '\[Success\]|\[Done\]' | tail -1 | cut -c1-150
}

# run_test FILE LOG: sets result to passed, skipped or failed. Some tests skip all their parts, and exit with 0.
run_test()
{
	rm -rf run state && mkdir -p run state
	(cd run && timeout -k 10 300 bash "$1") >"$2" 2>&1 </dev/null
	status=$?
	result=failed
	case $status in
	0) if grep -aqi skip "$2" && ! grep -aqiE 'success|\[done\]|pass| ok' "$2"; then result=skipped; else result=passed; fi ;;
	2) result=skipped ;;
	esac
}

passed=0 failed=0 skipped=0 other=0 unexpected=0
files=("$tests"/shell/*.sh)
set -f
for file in "${files[@]}"; do
	name=$(basename "$file" .sh)
	selected=${PK_SHELL_TESTS:+0}
	for word in ${PK_SHELL_TESTS-}; do
		# shellcheck disable=SC2053
		[[ $name != $word ]] || selected=1
	done
	[ "$selected" != 0 ] || continue
	known=$(awk -v name="$name: " 'index($0, name) == 1 { print substr($0, length(name) + 1); exit }' "$tools/known")
	expected='^passed$'
	case $known in
	'not applicable: '*) why=${known#*: } && expected= ;;
	'needs /'*) [ -e "${known#needs }" ] && why= || why="this machine has no ${known#needs }" && expected= ;;
	'may skip: '*) expected='^(passed|skipped)$' ;;
	'may fail: '*) expected='^(passed|failed|skipped)$' ;;
	?*) expected='^failed$' ;;
	esac
	if [ -z "$expected" ] && [ -n "$why" ]; then
		printf '%-32s not applicable: %s\n' "$name" "$why"
		other=$((other + 1))
		continue
	fi
	start=$SECONDS
	run_test "$file" "$name.log"
	took=$((SECONDS - start))
	case $result in
	passed)
		parts=$(grep -aciE '\[skip|^skip|skipping' "$name.log")
		printf '%-32s passed (%d s%s)\n' "$name" $took "$([ "$parts" = 0 ] || echo ", $parts parts skipped: $(reason "$name.log" skip)")"
		;;
	skipped) printf '%-32s skipped: %s\n' "$name" "$(reason "$name.log")" ;;
	failed) printf '%-32s failed (status %d, %d s): %s\n' "$name" $status $took "${known:-$(reason "$name.log")}" ;;
	esac
	eval "$result=\$(($result + 1))"
	if [[ ! $result =~ ${expected:-^passed$} ]]; then
		echo "  unexpected: perf_shell/known has: ${known:-nothing about $name}"
		unexpected=$((unexpected + 1))
	fi
done
echo "$passed passed, $failed failed, $skipped skipped, $other not applicable; $unexpected unexpected"
[ -n "${PK_PERF-}" ] || [ $unexpected = 0 ]
