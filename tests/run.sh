#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
#
# run.sh [WORD...]: runs the tests whose name contains one of the words, all without a word; -WORD
# excludes those that contain it. `make check T="fold order"` calls it so, after building. The word @long stands for
# the scripts with a line "# long", which only `make check-long` runs if no name is given, as those of long/.
#
#   unit/test_X       build/tests/test_X, a Check program; each of its cases counts
#   cli/TOOL/NAME     tests/cli/TOOL/NAME.sh; stdout, stderr and exit status must be those in NAME.out,
#                     NAME.err (no file: empty) and NAME.status (no file: 0). UPDATE=1 writes these files.
#   live|faults|corpus|lint|long/NAME   tests/KIND/NAME.sh: exit 0 passed, 77 skipped (the reason is the
#                     last line of stderr), anything else failed; a line "# timeout: N" allows more than
#                     600 s. `make check` leaves out long/, which `make check-all` runs; what a test of
#                     long/ prints is shown even if it passes
#   fuzz/NAME         build/fuzz/replay_NAME over every file of fuzz/corpus/NAME, and all golden streams
#                     if the target says "seeds: streams"
#
# Scripts run under bash, each in its own empty directory, with an empty HOME (scripts of lint keep HOME), with
# /dev/null as stdin, and with the variables
#   PK_BIN     the tools, also first in PATH        PK_BUILD   the build directory
#   PK_TOP     the checkout; in stdout and stderr its path is compared as $PK_TOP
#   PK_CORPUS  the recordings in ../shared/corpus, unset where they are not
#   PK_SAN     the sanitizers of this build, empty without; all limits of time are three times as long with them
# PK_TEST_TIMES=FILE writes there how many ms each test has taken, and how many ms of a CPU, the slowest first. The second
# number depends less on what else the machine does.
# PK_TEST_JOBS=N runs N tests at a time; without it 3, as many of them wait for some of their time.
# PK_TEST_HOME=DIR sets HOME to DIR for all scripts (an empty DIR: HOME is unset). tests/long/matrix.sh sets it.
# PK_TEST_IGNORE=REGEX: lines of the outputs of cli/ that match are not compared. tests/cross.sh ignores messages of
# emulators and of other C libraries.
# run.sh --targets [WORD...]: prints the targets of make that these tests need.
# The last line is always "N passed, N failed, N skipped"; exit 1 if a test failed.
set -u -o pipefail

if [ "${1-}" = --help ]; then
	sed -n '/^# run.sh/,/^[^#]/s/^#\( \|$\)//p' "$0"
	exit
fi
PK_TOP=$(cd "$(dirname "$0")/.." && pwd -P)
shopt -s nullglob

# The long ones first: then all processors have work until the end.
list_tests()
{
	cd "$PK_TOP/tests" || exit 1
	for f in faults/*.sh corpus/*.sh live/*.sh lint/*.sh long/*.sh cli/*/*.sh; do
		echo "${f%.sh}"
	done
	for f in unit/test_*.c; do
		echo "${f%.c}"
	done
	cd "$PK_TOP/fuzz" 2>/dev/null || return 0
	for f in fuzz_*.c; do
		f=${f%.c}
		echo "fuzz/${f#fuzz_}"
	done
}

select_tests()
{
	local name word some='' want
	local -A long
	for word; do
		case $word in -*) ;; *) some=1 ;; esac
	done
	while read -r name; do
		long[${name%.sh}]=' @long'
	done < <(cd "$PK_TOP/tests" && grep -lx '# long' ./*/*.sh ./*/*/*.sh | sed 's|^\./||')
	while read -r name; do
		want=${some:+0}
		for word; do
			case $word,$name${long[$name]-} in
			-*,*"${word#-}"*) continue 2 ;;
			*,*"$word"*) want=1 ;;
			esac
		done
		[ "$want" = 0 ] || echo "$name"
	done
}

# The targets of make that the tests need whose names are on stdin.
list_targets()
{
	sed -e "s|^unit/|${B:-build}/tests/|; t" -e "s|^fuzz/|${B:-build}/fuzz/replay_|; t" -e 's/.*/scripts/' | sort -u
}

if [ "${1-}" = --targets ]; then
	shift
	list_tests | select_tests "$@" | list_targets
	exit
fi

PK_BUILD=$(cd "$PK_TOP" && cd "${B:-build}" 2>/dev/null && pwd -P) || {
	echo "run.sh: no ${B:-build}/: run make check" >&2
	exit 1
}
PK_BIN=$PK_BUILD/bin
PATH=$PK_BIN:$PATH
PK_SAN=${SAN-}
unset PK_CORPUS
if [ -d "$PK_TOP/../shared/corpus" ]; then
	PK_CORPUS=$(cd "$PK_TOP/../shared/corpus" && pwd -P)
	export PK_CORPUS
fi
export PK_TOP PK_BUILD PK_BIN PK_SAN PATH LC_ALL=C TZ=UTC0 NO_COLOR=1
unset XDG_CACHE_HOME PERF_BUILDID_DIR DEBUGINFOD_URLS
export CK_DEFAULT_TIMEOUT=240 ASAN_OPTIONS=${ASAN_OPTIONS-detect_stack_use_after_return=1}
export UBSAN_OPTIONS=${UBSAN_OPTIONS-print_stacktrace=1}
export LSAN_OPTIONS=${LSAN_OPTIONS-suppressions=$PK_TOP/tests/lsan.supp:print_suppressions=0}
unset MAKEFLAGS MAKELEVEL MFLAGS
# Only what hangs shall reach it, also on a machine that is several times slower than most.
slowness=${PK_SAN:+3} limit=$((600 * ${slowness:-1}))

# Compares one output with the expected file. If there is no such file, the output must be empty.
compare()
{
	local expected=$1 actual=$2
	if [ -n "${UPDATE-}" ]; then
		if [ -s "$actual" ]; then cp "$actual" "$expected"; else rm -f "$expected"; fi
		return 0
	fi
	[ -e "$expected" ] || expected=/dev/null
	if [ -n "${PK_TEST_IGNORE-}" ]; then
		sed -E "/$PK_TEST_IGNORE/d" "$expected" >"$dir/expected"
		sed -i -E "/$PK_TEST_IGNORE/d" "$actual"
		expected=$dir/expected
	fi
	cmp -s "$expected" "$actual" && return 0
	diff -a -u --label "expected ${1##*/}" --label "actual" "$expected" "$actual" | head -n 60
	return 1
}

run_cli()
{
	local base=$PK_TOP/tests/$1 status ok=0
	(cd "$work" && exec timeout -k 5 "$limit" bash "$base.sh") </dev/null >"$dir/out" 2>"$dir/err"
	status=$?
	if [ $status = 77 ] && [ "$(cat "$base.status" 2>/dev/null)" != 77 ]; then
		tail -n 1 "$dir/err" >"$dir/reason"
		return 77
	fi
	sed -i "s|$PK_TOP|\$PK_TOP|g" "$dir/out" "$dir/err"
	echo $status >"$dir/status"
	[ $status = 0 ] && : >"$dir/status"
	compare "$base.status" "$dir/status" || ok=1
	compare "$base.out" "$dir/out" || ok=1
	compare "$base.err" "$dir/err" || ok=1
	return $ok
}

run_script()
{
	local script=$PK_TOP/tests/$1.sh status seconds limit=$limit
	seconds=$(sed -n 's/^# timeout: \([0-9]*\)$/\1/p' "$script")
	[ "${seconds:-0}" -le 600 ] || limit=$((seconds * ${slowness:-1}))
	(cd "$work" && exec timeout -k 5 "$limit" bash "$script") </dev/null >"$dir/out" 2>"$dir/err"
	status=$?
	case $status in
	0) return 0 ;;
	77)
		tail -n 1 "$dir/err" >"$dir/reason"
		return 77
		;;
	124 | 137) echo "timeout after $limit s" ;;
	*) echo "exit status $status" ;;
	esac
	case $1 in
	long/*) cat "$dir/out" "$dir/err" ;;
	*) tail -n 60 "$dir/out" "$dir/err" ;;
	esac
	return 1
}

# Check prints a summary with the number of cases of a program.
run_unit()
{
	local status checks failures errors
	(cd "$PK_TOP" && exec timeout -k 5 "$limit" "$PK_BUILD/tests/${1#unit/}") </dev/null \
		>"$dir/out" 2>&1
	status=$?
	read -r checks failures errors < <(sed -n \
		's/^[0-9]*%: Checks: \([0-9]*\), Failures: \([0-9]*\), Errors: \([0-9]*\).*/\1 \2 \3/p' \
		"$dir/out" | awk '{ c += $1; f += $2; e += $3 } END { print c + 0, f + 0, e + 0 }')
	if [ $status = 0 ] && [ "$checks" != 0 ] && [ $((failures + errors)) = 0 ]; then
		echo "$checks 0 0" >"$dir/count"
		return 0
	fi
	failures=$((failures + errors))
	if [ $status = 77 ] && [ $failures = 0 ]; then
		tail -n 1 "$dir/out" >"$dir/reason"
		return 77
	fi
	[ $failures != 0 ] || failures=1
	[ "$checks" -ge $failures ] || checks=$failures
	echo "$((checks - failures)) $failures 0" >"$dir/count"
	echo "exit status $status"
	tail -n 60 "$dir/out"
	return 1
}

run_fuzz()
{
	local name=${1#fuzz/} inputs status
	inputs=("$PK_TOP/fuzz/corpus/$name"/*)
	if grep -q '^/\* seeds: streams \*/' "$PK_TOP/fuzz/fuzz_$name.c"; then
		inputs+=("$PK_TOP"/format/vectors/*/*.pk)
	fi
	if [ ${#inputs[@]} = 0 ]; then
		echo "fuzz/corpus/$name holds no file"
		return 1
	fi
	(cd "$work" && exec timeout -k 5 "$limit" "$PK_BUILD/fuzz/replay_$name" "${inputs[@]}") </dev/null \
		>"$dir/out" 2>&1
	status=$?
	[ $status = 0 ] && return 0
	echo "exit status $status"
	tail -n 60 "$dir/out"
	return 1
}

remove_work()
{
	chmod -R u+rwX "$work" 2>/dev/null
	rm -rf "$work" "${dir:?}/tmp" "${dir:?}/home"
}

# Samples that take long make the kernel lower this limit, for good. It gets the value from before the tests again.
rate=/proc/sys/kernel/perf_event_max_sample_rate
restore_rate()
{
	[ "${PK_SAMPLE_RATE-}" = "$(cat $rate 2>/dev/null)" ] || { [ -w $rate ] && echo "$PK_SAMPLE_RATE" >$rate; } 2>/dev/null
}

# Prints the ms of user and kernel time in the output of `times`.
sum_times()
{
	tr 'ms' '  ' <"$1" | awk '{ t += ($1 + $3) * 60 + $2 + $4 } END { printf "%d\n", t * 1000 }'
}

# Runs one test. All its messages are printed together.
run_one()
{
	local name=$1 status start=${EPOCHREALTIME/./} count took
	dir=$PK_RESULTS/${name//\//@}
	work=$dir/work
	mkdir -p "$work" "$dir/tmp" "$dir/home"
	export TMPDIR=$dir/tmp
	# An empty HOME: no test finds files in a cache of another test or of the user. git needs the user's settings.
	case $name in lint/*) ;; *) export HOME=${PK_TEST_HOME-$dir/home} ;; esac
	[ -n "$HOME" ] || unset HOME
	case $name in live/* | faults/*) restore_rate ;; esac
	case $name in
	unit/*) run_unit "$name" ;;
	cli/*) run_cli "$name" ;;
	fuzz/*) run_fuzz "$name" ;;
	corpus/*)
		if [ -n "${PK_CORPUS-}" ]; then
			run_script "$name"
		else
			echo "no ../shared/corpus" >"$dir/reason"
			(exit 77)
		fi
		;;
	*) run_script "$name" ;;
	esac >"$dir/report"
	status=$?
	took=$(((${EPOCHREALTIME/./} - start) / 1000))
	times >"$dir/times"
	case $status in
	0) count='1 0 0' ;;
	77) count='0 0 1' ;;
	*) count='0 1 0' ;;
	esac
	[ ! -e "$dir/count" ] || count=$(cat "$dir/count")
	(
		flock 9
		echo "$count $took $name $(sum_times "$dir/times")" >>"$PK_RESULTS/results"
		case $status in
		0)
			case $name in long/*) cat "$dir/out" ;; esac
			;;
		77) echo "SKIP $name: $(cat "$dir/reason")" ;;
		*)
			echo "FAIL $name"
			sed 's/^/     /' "$dir/report"
			;;
		esac
	) 9>>"$PK_RESULTS/lock"
	remove_work
}

if [ "${1-}" = --one ]; then
	run_one "$2"
	exit 0
fi

# Tests build and run programs. /tmp can be mounted with noexec: then another folder is used.
make_results()
{
	local above
	for above in "${TMPDIR:-/tmp}" /var/tmp "$PK_BUILD"; do
		PK_RESULTS=$(mktemp -d "$above/pk-check.XXXXXX" 2>/dev/null) || continue
		printf '#!/bin/sh\n' >"$PK_RESULTS/try"
		chmod +x "$PK_RESULTS/try"
		"$PK_RESULTS/try" 2>/dev/null && return
		echo "run.sh: programs cannot be run from $above: tests run elsewhere" >&2
		rm -rf "$PK_RESULTS"
	done
	echo "run.sh: no folder for the tests: set TMPDIR to one that programs can be run from" >&2
	return 1
}

make_results || exit 1
times_file=${PK_TEST_TIMES-}
unset PK_TEST_TIMES # some tests run tests
PK_SAMPLE_RATE=$(cat $rate 2>/dev/null)
export PK_RESULTS PK_SAMPLE_RATE
trap 'rm -rf "$PK_RESULTS"' EXIT
trap 'exit 1' INT TERM

: >"$PK_RESULTS/results"
list_tests | select_tests "$@" >"$PK_RESULTS/list"
if [ ! -s "$PK_RESULTS/list" ]; then
	echo "run.sh: no test is called so: $*" >&2
	echo "0 passed, 1 failed, 0 skipped"
	exit 1
fi
env --default-signal=HUP,INT,QUIT xargs -P "${PK_TEST_JOBS:-3}" -n 1 "$0" --one <"$PK_RESULTS/list"
restore_rate

# A test without a result, because its runner was killed, is also a failure.
while read -r name; do
	grep -q " $name " "$PK_RESULTS/results" || {
		echo "FAIL $name: no result"
		echo "0 1 0 0 $name 0" >>"$PK_RESULTS/results"
	}
done <"$PK_RESULTS/list"
[ -z "$times_file" ] || sort -k4,4nr "$PK_RESULTS/results" | awk '{ print $4, $6, $5 }' >"$times_file"
sort -k4,4nr "$PK_RESULTS/results" | awk '$4 >= 5000 && n++ < 10 { printf "%6.1f s  %s\n", $4 / 1000, $5 }'
awk '{ p += $1; f += $2; s += $3 }
	END { printf "%d passed, %d failed, %d skipped\n", p, f, s; exit f > 0 }' "$PK_RESULTS/results"
