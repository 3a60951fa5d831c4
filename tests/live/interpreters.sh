# SPDX-License-Identifier: BSD-2-Clause
# Frames of Python in stacks that --call-graph unwind finds, for each CPython of a known version here: the chains of calls of
# a program are known.
. "$PK_TOP/tests/live/fold.bash"
pk-record -q --call-graph unwind -e cpu-clock -o probe.pk -- true 2>err || skip "stacks cannot be unwound in the kernel here: $(tail -n 1 err)"
[ "$(uname -m)" = x86_64 ] || skip "frames of Python are read on x86-64 only"
workload=$PK_TOP/tests/live/workload

# The interpreters from 3.9 to 3.15, each once.
for name in /usr/bin/python3 python3 python3.9 python3.10 python3.11 python3.12 python3.13 python3.14 python3.15; do
	"$name" -c 'import sys, os; (3, 9) <= sys.version_info[:2] <= (3, 15) and print(os.path.realpath(sys.executable))' 2>/dev/null
done | sort -u >pythons
[ -s pythons ] || skip "there is no Python from 3.9 to 3.15"

# record PYTHON SCRIPT ARGUMENT...: folded stacks.
record()
{
	pk-record -q --call-graph unwind -F 999 -e cpu-clock "${options[@]}" -o python.pk -- "$@" 2>err || fail "$*: $(cat err)"
	{ pk-symbolize -q python.pk | pk-fold -q --weight samples >folded; } 2>>err || fail "$*: $(cat err)"
}

# snapshots COMMAND...: as record(), but each thread is stopped to read its stack.
snapshots()
{
	pk-record -q --snapshots=2ms -o snapshots.pk -- "$@" 2>err || fail "--snapshots: $*: $(cat err)"
	{ pk-unwind -q snapshots.pk | pk-symbolize -q | pk-fold -q --weight samples >folded; } 2>>err || fail "--snapshots: $*: $(cat err)"
}

# Only the frames of Python. Before main() and after it, Python imports modules and ends threads.
python_frames()
{
	awk '{
		n = $NF; sub(/ [0-9]+$/, ""); count = split($0, frames, ";"); chain = ""
		for (i = 2; i <= count; i++)
			if (frames[i] ~ /\.py:|^<frozen |^\[unread\]/) chain = chain ";" frames[i]
		print n, substr(chain, 2)
	}' folded
}

cat >expected <<'END'
work;interpreted.py:recurse;interpreted.py:recurse;interpreted.py:recurse;interpreted.py:recurse;interpreted.py:recurse;interpreted.py:recurse;interpreted.py:burn
work;interpreted.py:Worker.make;interpreted.py:Worker.method;interpreted.py:generate;interpreted.py:burn
work;interpreted.py:key;interpreted.py:burn
work;__init__.py:sub;interpreted.py:replace;interpreted.py:burn
END

# check_chains PYTHON: of the samples in work(), at least 97 % have a chain of its calls, most of them one that ends in burn(). The
# others have a mark: before it ends, the program frees its functions. None has another chain.
check_chains()
{
	python_frames | awk -v python="$1" '
		BEGIN {
			main = "interpreted.py:<module>;interpreted.py:main;interpreted.py:"
			thread = "threading.py:Thread._bootstrap;threading.py:Thread._bootstrap_inner;threading.py:Thread.run;interpreted.py:"
			while ((getline line <"expected") > 0) { whole[main line]; whole[thread line] }
		}
		!/interpreted.py:work/ { next }
		{
			n = $1; sub(/^[0-9]+ /, ""); all += n
			if ($0 in whole) { right += n; seen[$0]; next }
			if (/\[unread\]/) { marked += n; next }
			for (chain in whole) if (index(chain, $0 ";") == 1) { starts += n; next }
			if (/__init__.py:sub;(__init__.py:|enum.py|<frozen |functools)/ || /work;__init__.py:sub;.*_?(parser|compiler|compile).*/) { starts += n; next }
			wrong += n; print n, $0
		}
		END {
			for (chain in seen) kinds++
			printf "%s: %d samples, %d right, %d at other places of work(), %d marked, %d wrong, %d of 8 chains\n",
				python, all, right, starts, marked, wrong, kinds
			exit !(all >= 100 && right + starts >= all * 0.97 && !wrong && kinds == 8)
		}' >chains || fail "$(cat chains)"
}

while read -r python; do
	options=()
	record "$python" "$workload/interpreted.py" 40
	check_chains "$python"
	cat chains
	snapshots "$python" "$workload/interpreted.py" 40
	check_chains "$python, snapshots"
	cat chains
	record "$python" "$workload/interpreted.py" 5
	shows_not '_PyEval_EvalFrameDefault;.*interpreted.py:burn( |$)'
done <pythons
python=$(head -n 1 pythons)

# The line of each frame.
pk-symbolize -q --lines python.pk 2>err | pk-report -q --by symbol,srcline 2>>err | grep -Eq 'interpreted.py:burn .*interpreted.py:1[0-2]' || fail "no lines: $(cat err)"
# Names can be added by pk-inject for other machines; those of Python stay.
pk-inject -q python.pk 2>err | pk-symbolize -q 2>>err | pk-fold -q --weight samples >injected 2>>err
cmp -s folded injected || fail "pk-inject: $(diff folded injected | head -n 5 | cut -c1-300)" "$(cat err)"
check python.pk
perf_reads python.pk

options=(--interpreters none)
record "$python" "$workload/interpreted.py" 5
shows_not 'interpreted.py'
options=(--interpreters both)
record "$python" "$workload/interpreted.py" 40
grep -q 'interpreted.py:burn;.*EvalFrame' folded || fail "both: $(cut -c1-300 folded | head -n 5)"
pk-record --interpreters perl -- true 2>err && fail "--interpreters perl"
grep -q 'interpreters.*replace, none or both' err || fail "$(cat err)"

# A running process.
"$python" "$workload/interpreted.py" 100000 &
pid=$!
pk-record -q --call-graph unwind -F 499 -e cpu-clock --for 1s -p $pid -o running.pk 2>err || fail "-p: $(cat err)"
kill $pid
pk-symbolize -q running.pk | pk-fold -q --weight samples >folded
grep -q ';interpreted.py:burn' folded || fail "-p: $(cut -c1-300 folded | head -n 5)"

# Time that a thread waits.
printf 'import time\ndef wait():\n time.sleep(0.02)\n return sum(range(100000))\nfor i in range(20): wait()\n' >sleeps.py
pk-record -q --call-graph unwind --off-cpu -e cpu-clock -o sleeps.pk -- "$python" sleeps.py 2>err || fail "--off-cpu: $(cat err)"
pk-symbolize -q sleeps.pk 2>>err | pk-fold -q --event offcpu-time >folded 2>>err
[ "$(weight 'python[^;]*;.*;sleeps.py:<module>;sleeps.py:wait;.*')" -ge 300000000 ] || fail "--off-cpu: $(cut -c1-300 folded)" "$(cat err)"

# Two threads compute in turn. While one computes, the other waits for the interpreter's lock (GIL), in the function that computes.
cat >lock.py <<'END'
import threading

def spin():
    for i in range(3000000):
        pass

threads = [threading.Thread(target=spin) for i in range(2)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
END
pk-record -q --call-graph unwind --off-cpu -e cpu-clock -o lock.pk -- "$python" lock.py 2>err || fail "GIL: $(cat err)"
pk-symbolize -q lock.pk 2>>err | pk-fold -q --event offcpu-time >folded 2>>err
[ "$(weight '.*;lock.py:spin;.*cond_timedwait.*')" -ge 20000000 ] || fail "GIL: $(cut -c1-300 folded)" "$(cat err)"

# Frames that lead to themselves are counted. Names are safe text.
"$python" "$workload/interpreted_hostile.py" || fail "the hostile program"
pk-record --call-graph unwind -F 999 -e cpu-clock -o hostile.pk -- "$python" "$workload/interpreted_hostile.py" 2>err || fail "$(cat err)"
grep -q 'stacks lack frames of an interpreter' err || fail "cyclic frames: $(cat err)"
{ pk-symbolize hostile.pk 2>err | pk-fold -q --weight samples; } >folded
grep -q 'stacks* lack frames of an interpreter' err || fail "the marks of cyclic frames: $(cat err)"
! grep -q $'\x1b' folded || fail "control characters"
awk -F ';' '{ for (i = 1; i <= NF; i++) if (length($i) > 2000) exit 1 }' folded || fail "long names"
grep -q 'interpreted_hostile.py:nnn' folded || fail "hostile: $(cut -c1-300 folded | head -n 5)"

# Frames of another version are not read, which is reported.
for name in python3.8 /root/.pyenv/versions/3.8.*/bin/python3; do
	"$name" -c '' 2>/dev/null || continue
	pk-record --call-graph unwind -e cpu-clock -o old.pk -- "$name" -c 'sum(range(3000000))' 2>err || fail "$name: $(cat err)"
	grep -q 'frames of Python are not read, only those of 3.9 to 3.15' err || fail "$name: $(cat err)"
done

# As an ordinary user, stacks have no functions of Python. pk-record says so, and how to record them. This is also said for
# scripts, but not if it is not true.
as_user()
{
	setpriv --reuid=65534 --regid=65534 --clear-groups "$(command -v pk-record)" -e cpu-clock:u -o user.pk "$@" 2>err ||
		fail "as a user: $(cat err)"
}
[ "$(id -u)" != 0 ] || [ ! -x /usr/bin/python3 ] || {
	chmod 777 .
	# Python opens a script by its whole path, and the folder of a test is private.
	scripts=$(mktemp -d /tmp/pk-scripts.XXXXXX)
	trap 'rm -r "$scripts"' EXIT
	printf '#!/usr/bin/env python3\nsum(range(1000000))\n' >"$scripts/script.py"
	sed 's|env python3|python3|' "$scripts/script.py" >"$scripts/script2.py"
	chmod -R 755 "$scripts"
	missing='the stacks have no functions of Python: .*--snapshots=10ms'
	export PATH=/usr/bin:$PATH
	for command in "/usr/bin/python3 $scripts/script.py" "$scripts/script.py" "$scripts/script2.py"; do
		# shellcheck disable=SC2086 # words
		as_user --call-graph auto -- $command
		grep -q "$missing" err || fail "$command: $(cat err)"
	done
	for options in '--call-graph fp' '--call-graph auto --interpreters none'; do
		# shellcheck disable=SC2086
		as_user $options -- "$scripts/script2.py"
		! grep -q "$missing" err || fail "$options: $(cat err)"
	done
	as_user --call-graph auto -- sh -c :
	! grep -q "$missing" err || fail "sh: $(cat err)"
}
exit 0
