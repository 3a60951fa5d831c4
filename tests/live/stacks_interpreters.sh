# SPDX-License-Identifier: BSD-2-Clause
# long
# --snapshots: the frames of Python are those that faulthandler writes, for threads that wait.
. "$PK_TOP/tests/live/record.bash"
[ "$(uname -m)" = x86_64 ] || skip "frames of Python are read on x86-64 only"
threads=70

for name in /usr/bin/python3 python3 python3.9 python3.10 python3.11 python3.12 python3.13 python3.14 python3.15 /root/.pyenv/versions/*/bin/python3; do
	"$name" -c 'import sys, os; (3, 9) <= sys.version_info[:2] <= (3, 15) and print(*sys.version_info[:2], os.path.realpath(sys.executable))' 2>/dev/null
done | sort -u -k 1,2 | cut -d ' ' -f 3 >pythons
[ -s pythons ] || skip "there is no Python from 3.9 to 3.15"

# Prints "TID FILE:LINE FUNCTION" for each frame of the stacks that pk-script has written. faulthandler writes only the last part of a
# qualified name, and at most 100 frames.
ours()
{
	awk '
		/^Thread / { tid = $2 }
		/^#[0-9]+ +0x4[0-9a-f]+ in / {
			line = $0
			sub(/^#[0-9]+ +0x4[0-9a-f]+ in /, "", line)
			place = line
			sub(/.* at /, "", place)
			sub(/ at .*/, "", line)
			sub(/^[^:]*:/, "", line)
			sub(/.*\./, "", line)
			print tid, place, line
		}' stacks | sort -s -k 1,1
}

theirs()
{
	awk '
		FNR == NR { if ($1 == "thread") tid[$3] = $2; next }
		/hread 0x/ { match($0, /0x[0-9a-f]+/); id = substr($0, RSTART, RLENGTH); sub(/^0x0*/, "0x", id) }
		/^  File "/ {
			file = $0
			sub(/^  File "/, "", file)
			line = file
			sub(/", line .*/, "", file)
			sub(/.*\//, "", file)
			sub(/.*", line /, "", line)
			name = line
			sub(/^[0-9]+ in /, "", name)
			sub(/.*\./, "", name)
			sub(/ .*/, "", line)
			print tid[id], file ":" line, name
		}' ready dumped | sort -s -k 1,1
}

while read -r python; do
	mkfifo started
	"$python" "$PK_TOP/tests/live/workload/blocked.py" dumped $threads >started &
	pid=$!
	sed '/^ready/q' started >ready
	# If the machine is busy, a thread may not stop in time. Its stack then has only native frames, which is reported.
	for _ in {1..30}; do
		pk-record --snapshots=once -p $pid -o once.pk 2>err || fail "$python: $(cat err)"
		grep -q 'lack frames of an interpreter' err || break
	done
	{ pk-unwind once.pk | pk-symbolize -q --lines | pk-script -q --view stacks >stacks; } 2>>err || fail "$python: $(cat err)"
	! grep -q . err || fail "$python: $(cat err)"
	kill -USR1 $pid
	until [ "$(grep -c 'hread 0x' dumped)" = $((threads + 1)) ] && tail -n 1 dumped | grep -q 'in <module>'; do kill -0 $pid || fail "$python: has ended"; done
	kill -KILL $pid
	wait $pid 2>/dev/null
	rm started
	ours >ours
	theirs >theirs
	cmp -s ours theirs || fail "$python: $(diff ours theirs | head -n 20)"
	echo "$python: $(wc -l <ours) frames of $(cut -d ' ' -f 1 ours | sort -u | wc -l) threads"
done <pythons
exit 0
