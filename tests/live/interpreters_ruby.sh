# SPDX-License-Identifier: BSD-2-Clause
# long
# Frames of Ruby in stacks that --call-graph unwind finds: the chains of calls of a program are known.
. "$PK_TOP/tests/live/fold.bash"
pk-record -q --call-graph unwind -e cpu-clock -o probe.pk -- true 2>err || skip "stacks cannot be unwound in the kernel here: $(tail -n 1 err)"
[ "$(uname -m)" = x86_64 ] || skip "frames of Ruby are read on x86-64 only"
script=$PK_TOP/tests/live/workload/interpreted.rb

# The interpreters of known versions, each once.
for name in /usr/bin/ruby ruby ruby3.1 ruby3.3; do
	"$name" -rrbconfig -e 'puts File.realpath(RbConfig.ruby) if %w[3.1 3.3].include?(RUBY_VERSION[/^\d+\.\d+/])' 2>/dev/null
done | sort -u >rubies
[ -s rubies ] || skip "there is no Ruby 3.1 or 3.3"

# record COMMAND...: folded stacks of ruby.pk.
record()
{
	pk-record --call-graph unwind -F 999 -e cpu-clock "${options[@]}" -o ruby.pk -- "$@" 2>err || fail "$*: $(cat err)"
	{ pk-symbolize -q ruby.pk | pk-fold -q --weight samples >folded; } 2>>err || fail "$*: $(cat err)"
}

# Whole chains, with frames of Ruby only.
cat >expected <<'END'
recurse;recurse;recurse;recurse;recurse;recurse;burn
make;run;block in make;burn
blocks;block in blocks;block (2 levels) in blocks;burn
sorted;block in sorted;burn
END

# check_chains RUBY: each sample in work has the start of one of these chains, and most have a whole chain. A fiber has its own stack.
check_chains()
{
	awk -v ruby="$1" '
		BEGIN {
			main = "<main>;rounds;block in rounds;work;"
			thread = "block in <main>;rounds;block in rounds;work;"
			while ((getline line <"expected") > 0) { whole[main line]; whole[thread line] }
			whole["block (2 levels) in fiber;burn"]
			start[main "fiber"]; start[thread "fiber"]; start["block in fiber"]
		}
		{
			n = $NF; sub(/ [0-9]+$/, ""); count = split($0, frames, ";"); chain = ""
			for (i = 2; i <= count; i++)
				if (frames[i] ~ /^interpreted\.rb:/) chain = chain ";" substr(frames[i], 16)
			chain = substr(chain, 2)
			if (chain !~ /(^|;)work(;|$)|in fiber/) next
			all += n
			if (chain in whole) { right += n; seen[chain]; next }
			for (c in whole) if (index(c ";", chain ";") == 1) { starts += n; next }
			for (c in start) if (chain == c) { starts += n; next }
			wrong += n; print n, chain
		}
		END {
			for (chain in seen) kinds++
			printf "%s: %d samples, %d right, %d at other places of work, %d wrong, %d of 9 chains\n", ruby, all, right, starts, wrong, kinds
			exit !(all >= 100 && right >= all * 0.8 && !wrong && kinds == 9)
		}' folded >chains || fail "$(cat chains)"
	# C functions of the interpreter are between the right frames.
	grep -q 'interpreted.rb:blocks;.*rb_ary_each;.*interpreted.rb:block in blocks;.*interpreted.rb:block (2 levels) in blocks;' folded ||
		fail "each: $(cut -c1-300 folded | head -n 5)"
}

while read -r ruby; do
	options=()
	record "$ruby" "$script" 200
	check_chains "$ruby"
	cat chains
	! grep -q 'lack frames' err || fail "$(cat err)"
	pk-record -q --snapshots=2ms -o snapshots.pk -- "$ruby" "$script" 200 2>err || fail "--snapshots: $(cat err)"
	{ pk-unwind -q snapshots.pk | pk-symbolize -q | pk-fold -q --weight samples >folded; } 2>err || fail "--snapshots: $(cat err)"
	check_chains "$ruby, snapshots"
	cat chains
	record "$ruby" "$script" 200
done <rubies
ruby=$(head -n 1 rubies)

# Names are safe text.
! grep -q $'\x1b' folded || fail "control characters"
grep -q ';ev?\[31mil.rb:nnn' folded || fail "a long name: $(grep nnn folded | cut -c1-300)"
awk -F ';' '{ for (i = 1; i <= NF; i++) if (length($i) > 2000) exit 1 }' folded || fail "long names"

# The line of each frame, the language, and the sources.
pk-symbolize -q --lines ruby.pk 2>err | pk-report -q --by symbol,srcline 2>>err | grep -Eq 'interpreted.rb:burn .*interpreted.rb:7' || fail "no lines: $(cat err)"
pk-symbolize -q ruby.pk 2>err | pk-report -q --by language 2>>err | grep -Eq '[1-9][0-9]\.[0-9]*% .*ruby' || fail "language: $(cat err)"
{ pk-symbolize -q --lines ruby.pk | pk-annotate -q burn; } >annotated 2>err || fail "$(cat err)"
grep -Eq '[1-9].*i \+= 1 while' annotated || fail "pk-annotate: $(head -n 20 annotated)"
# Names can be added by pk-inject for other machines; those of Ruby stay.
pk-inject -q ruby.pk 2>err | pk-symbolize -q 2>>err | pk-fold -q --weight samples >injected 2>>err
cmp -s folded injected || fail "pk-inject: $(diff folded injected | head -n 5 | cut -c1-300)" "$(cat err)"
check ruby.pk
perf_reads ruby.pk

options=(--interpreters none)
record "$ruby" "$script" 5
shows_not ';interpreted.rb:'
options=(--interpreters both)
record "$ruby" "$script" 100
grep -q 'interpreted.rb:burn;' folded || fail "both: $(cut -c1-300 folded | head -n 5)"
options=(--max-stack 3 --user-callchains)
record "$ruby" "$script" 20
awk -F ';' '/interpreted.rb:burn [0-9]+$/ { n++ } NF > 5 { exit 1 } END { exit n == 0 }' folded || fail "--max-stack: $(cut -c1-300 folded | head -n 5)"

# A running process.
"$ruby" "$script" 100000 &
pid=$!
pk-record -q --call-graph unwind -F 499 -e cpu-clock --for 1s -p $pid -o running.pk 2>err || fail "-p: $(cat err)"
kill $pid
pk-symbolize -q running.pk | pk-fold -q --weight samples >folded
grep -q ';interpreted.rb:burn' folded || fail "-p: $(cut -c1-300 folded | head -n 5)"

# Time that a thread waits.
printf 'def wait\n sleep 0.02\n (1..10000).sum { |x| x }\nend\n20.times { wait }\n' >sleeps.rb
pk-record -q --call-graph unwind --off-cpu -e cpu-clock -o sleeps.pk -- "$ruby" sleeps.rb 2>err || fail "--off-cpu: $(cat err)"
pk-symbolize -q sleeps.pk 2>>err | pk-fold -q --event offcpu-time >folded 2>>err
[ "$(weight 'ruby[^;]*;.*;sleeps.rb:<main>;.*;sleeps.rb:block in <main>;sleeps.rb:wait;.*')" -ge 300000000 ] || fail "--off-cpu: $(cut -c1-300 folded)" "$(cat err)"
exit 0
