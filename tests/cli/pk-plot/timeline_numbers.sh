# SPDX-License-Identifier: BSD-2-Clause
# long
# Each piece of a timeline is a span of pk-span, at the same time, in the lane of its task; the tooltips of lanes have the sums.
. "$PK_TOP/tests/cli/pk-plot/spans.bash"
random_switches 900 | assemble >switches.pk
pk-span -q sched --pass -o spans.pk switches.pk
pk-plot timeline spans.pk >picture.svg
echo "status $?"
xmllint --noout picture.svg

# NAME TID START END of pk-span, and of the picture
pk-script -q --ns -F tid,time,event,trace spans.pk |
	sed -nE 's/^ *([0-9]+) +([0-9]+)\.([0-9]{9}): +pk:(\w+):.* duration=([0-9]+) .*/\4 \1 \2\3 \5/p' |
	awk '{ printf "%s %d %.0f %.0f\n", $1, $2, $3 - $4, $3 }' | sort >expected
first=$(cut -d ' ' -f 3 expected | sort -n | head -n 1)
pieces picture.svg | awk -F '|' -v first="$first" '{ sub(/.* /, "", $1); printf "%s %d %.0f %.0f\n", $2, $1, first + $3, first + $4 }' | sort >found
paste -d ' ' expected found | awk '
	function near(a, b) { return a - b <= 20 && b - a <= 20 }
	{ all += 1 }
	$1 != $5 || $2 != $6 || !near($3, $7) || !near($4, $8) { wrong++; print }
	END { print (all > 1000 ? "many" : "only " all), "spans,", wrong + 0, "wrong" }'

# The sums in the tooltips of the lanes.
pk-report -q --csv --no-children --by tid,event --show 'sum(duration),samples' --event 'pk:*' spans.pk | sed 1d | tr ',' ' ' |
	awk '{ printf "%d %s %.3f %d\n", $3, $4, $1 / 1e6, $2 }' | sed 's/pk://' | sort >expected
perl -0ne '
	my %ms = (s => 1000, ms => 1, us => 0.001);
	while (/<g data-lane="\d+"><title>t\d+ (\d+)([^<]*)/g) {
		my ($tid, $sums) = ($1, $2);
		printf "%d %s %.3f %d\n", $tid, $1, $2 * $ms{$3}, $4 =~ tr/,//dr while $sums =~ /(\w+): ([\d.]+) (\w+), ([\d,]+) spans/g;
	}' picture.svg | sort >found
paste -d ' ' expected found | awk '{ d = $3 - $7 } $1 != $5 || $2 != $6 || $4 != $8 || d > $3 / 1000 || d < -$3 / 1000' | head -n 5
wc -l <found

# Arrows: those of the wakeups of other tasks.
grep -c '<line x1=.*marker-end' picture.svg
pk-script -q -F tid,event,trace spans.pk | awk '
	/sched_wakeup/ && match($0, / pid=[0-9]+/) && substr($0, RSTART + 5, RLENGTH - 5) != $1 { n++ } END { print n }'

# Processors: each run of a task is in the lane of its processor.
pk-plot timeline --by cpu --event run spans.pk >cpus.svg
pieces cpus.svg | awk -F '|' '{ sum[$1 " " $2] += $4 - $3 } END { for (i in sum) printf "%s %.0f\n", i, sum[i] / 1000 }' | sort >found
pk-report -q --csv --no-children --by cpu,comm --show 'sum(duration)' --event pk:run spans.pk | sed 1d | tr ',' ' ' |
	awk '{ printf "CPU %d %s [run] %.0f\n", $3, $4, $2 / 1000 }' | sort >expected
diff expected found && wc -l <found
