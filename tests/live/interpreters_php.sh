# SPDX-License-Identifier: BSD-2-Clause
# Frames of PHP in stacks that --call-graph unwind finds: the chains of calls of a program are known.
. "$PK_TOP/tests/live/fold.bash"
. "$PK_TOP/tests/live/interpreted_truth.bash"
pk-record -q --call-graph unwind -e cpu-clock -o probe.pk -- true 2>err || skip "stacks cannot be unwound in the kernel here: $(tail -n 1 err)"
[ "$(uname -m)" = x86_64 ] || skip "frames of PHP are read on x86-64 only"
script=$PK_TOP/tests/live/workload/interpreted.php
known_phps >phps
[ -s phps ] || skip "there is no PHP from 8.0 to 8.4"

# record COMMAND...: folded stacks of php.pk.
record()
{
	pk-record --call-graph unwind -F 999 -e cpu-clock "${options[@]}" -o php.pk -- "$@" 2>err || fail "$*: $(cat err)"
	{ pk-symbolize -q php.pk | pk-fold -q --weight samples >folded; } 2>>err || fail "$*: $(cat err)"
}

# check_chains PHP: each sample in work has the start of one of these chains, and most have a whole chain. A fiber has its own stack. An object
# that was freed before it was read has the name [unread].
check_chains()
{
	awk -v php="$1" '
		# Returns 2 if the frames of the chain are those of `whole`, 1 if they are the first ones of them, otherwise 0.
		function compare(chain, whole,   i, a, b, n, m) {
			n = split(chain, a, ";"); m = split(whole, b, ";")
			for (i = 1; i <= n; i++)
				if (i > m || (a[i] != b[i] && a[i] != "[unread]")) return 0
			return n == m ? 2 : 1
		}
		BEGIN {
			split("recurse;recurse;recurse;recurse;recurse;recurse;burn Worker::make;Worker::run;CLOSURE;burn mapped;CLOSURE;burn generated;burn generated;values;burn named;NNN;burn", ends, " ")
			for (i in ends) whole["{main};" (ends[i] ~ /^named/ ? "" : "work;") ends[i]]
			whole["burn"]
			start["{main};work;fiber"]; start["CLOSURE"]
		}
		{
			n = $NF; sub(/ [0-9]+$/, ""); count = split($0, frames, ";"); chain = ""
			for (i = 2; i <= count; i++)
				if (frames[i] == "[unread]" || sub(/^[^;]*\.php(\([0-9]+\) : eval.*)?:/, "", frames[i])) {
					if (frames[i] ~ /\{closure/) frames[i] = "CLOSURE"
					if (frames[i] ~ /^nnn/) frames[i] = "NNN"
					chain = chain ";" frames[i]
				}
			chain = substr(chain, 2)
			if (chain == "" || chain == "{main}") next
			all += n
			for (c in whole) if (compare(chain, c) == 2) { right += n; seen[c]; next }
			for (c in whole) if (compare(chain, c) == 1) { starts += n; next }
			for (c in start) if (compare(chain, c) == 2) { starts += n; next }
			wrong += n; print n, chain
		}
		END {
			for (chain in seen) kinds++
			printf "%s: %d samples, %d right, %d at other places of work, %d wrong, %d of 7 chains\n", php, all, right, starts, wrong, kinds
			exit !(all >= 100 && right >= all * 0.8 && !wrong && kinds == 7)
		}' folded >chains || fail "$(cat chains)"
	# C functions of the interpreter are between the right frames.
	grep -q 'interpreted.php:generated;.*zend_generator_resume;.*interpreted.php:values;' folded || fail "generators: $(cut -c1-300 folded | head -n 5)"
}

while read -r php; do
	options=()
	record "$php" "$script" 60
	check_chains "$php"
	cat chains
	! grep -q 'lack frames' err || fail "$(cat err)"
	pk-record -q --snapshots=2ms -o snapshots.pk -- "$php" "$script" 60 2>err || fail "--snapshots: $(cat err)"
	{ pk-unwind -q snapshots.pk | pk-symbolize -q | pk-fold -q --weight samples >folded; } 2>err || fail "--snapshots: $(cat err)"
	check_chains "$php, snapshots"
	cat chains
	record "$php" "$script" 60
done <phps
php=$(head -n 1 phps)
awk -F ';' '{ for (i = 1; i <= NF; i++) if (length($i) > 2000) exit 1 }' folded || fail "long names"

# The line of each frame, the language, and the sources.
pk-symbolize -q --lines php.pk 2>err | pk-report -q --by symbol,srcline 2>>err | grep -Eq 'interpreted.php:recurse .*interpreted.php:14' || fail "no lines: $(cat err)"
pk-symbolize -q php.pk 2>err | pk-report -q --by language --children 2>>err | grep -Eq '[1-9].*% .*php' || fail "language: $(cat err)"
{ pk-symbolize -q --lines php.pk | pk-annotate -q burn; } >annotated 2>err || fail "$(cat err)"
grep -Eq '[1-9].*\$i( = 0|\+\+| <)' annotated || fail "pk-annotate: $(head -n 20 annotated)"
check php.pk
perf_reads php.pk

options=(--interpreters none)
record "$php" "$script" 5
shows_not ';interpreted.php:'

# A running process.
"$php" "$script" 10000 &
pid=$!
pk-record -q --call-graph unwind -F 499 -e cpu-clock --for 1s -p $pid -o running.pk 2>err || fail "-p: $(cat err)"
kill $pid
pk-symbolize -q running.pk | pk-fold -q --weight samples >folded
grep -q ';interpreted.php:burn' folded || fail "-p: $(cut -c1-300 folded | head -n 5)"
exit 0
