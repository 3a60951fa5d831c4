# SPDX-License-Identifier: BSD-2-Clause
# long
# --snapshots: the same callers as gdb, thread by thread, in programs that are stopped.
. "$PK_TOP/tests/live/record.bash"
. "$PK_TOP/tests/live/stacks.bash"
command -v gdb >/dev/null || skip 'gdb is not installed'
cat >frames.py <<'EOP'
import gdb
for thread in gdb.selected_inferior().threads():
    thread.switch()
    frame, number = gdb.newest_frame(), 0
    while frame is not None:
        if frame.type() not in (gdb.INLINE_FRAME, gdb.TAILCALL_FRAME):
            print("frame %d %d %x" % (thread.ptid[1], number, frame.pc()))
            number += 1
        frame = frame.older()
EOP

# compare NAME PID: stops the process, and compares. The address of a caller is that of its call, so it is 1 less than the
# address to which the call returns, except below the handler of a signal.
compare()
{
	kill -STOP "$2"
	pk-record -q --snapshots=once --interpreters none -i -p "$2" | pk-unwind -q | pk-symbolize -q | pk-script -q -F tid,ip,sym --no-inline >text 2>err
	gdb -p "$2" -batch -ex 'set backtrace past-main on' -ex 'set backtrace past-entry on' -x frames.py >gdb.out 2>&1
	grep '^frame' gdb.out >theirs
	[ -s theirs ] || skip "gdb cannot read $1: $(tail -n 1 gdb.out)"
	awk '
		/^ *[0-9]+ *$/ { tid = $1; n = 0; next }
		/^\t/ && $1 !~ /^ffff/ && !/\(inlined\)/ { print "frame", tid, n++, $1 }' text >ours
	awk '
		NR == FNR { at[$2, $3] = $4; count++; next }
		{ other++; ours = at[$2, $3] }
		# only the last digit can differ
		ours != $4 && !($3 && same($4, ours)) { print "differs:", $0, "and", ours; bad = 1 }
		function same(a, b) { return length(a) == length(b) && dec(a) == b }
		function dec(a, i, c, out) {
			for (i = length(a); i && substr(a, i, 1) == "0"; i--)
				out = "f" out
			c = index("0123456789abcdef", substr(a, i, 1))
			return substr(a, 1, i - 1) substr("0123456789abcdef", c - 1, 1) out
		}
		END { exit bad || count != other }' ours theirs >difference ||
		fail "$1: not the callers that gdb finds: $(wc -l <ours) and $(wc -l <theirs) frames: $(head -n 5 difference)"
	echo "$1: $(wc -l <theirs) frames of $(cut -d ' ' -f 2 theirs | sort -u | wc -l) threads" >&2
	compared=$((compared + 1))
}

compared=0
start_waiters
compare waiters "$target"
end_waiters

# Programs that wait for input.
mkfifo input
sleep 1000 >input &
writer=$!
for name in cat bash dash perl awk python3 sqlite3 sed tee sort; do
	case $name in
	perl) words=(perl -e '<STDIN>') ;;
	awk) words=(awk '{ print }') ;;
	sed) words=(sed -n p) ;;
	sqlite3) words=(sqlite3 -interactive) ;;
	python3) words=(/usr/bin/python3 -c 'import threading, sys
for i in range(3): threading.Thread(target=threading.Event().wait, daemon=True).start()
sys.stdin.read()') ;;
	*) words=("$name") ;;
	esac
	command -v "${words[0]}" >/dev/null || continue
	"${words[@]}" <input >/dev/null 2>&1 &
	pid=$!
	# it waits in read(2), pselect6(2) or poll(2)
	until grep -qE '^(0|7|23|270|271) ' "/proc/$pid/syscall" 2>/dev/null; do kill -0 $pid 2>/dev/null || break; done
	kill -0 $pid 2>/dev/null && compare "$name" $pid
	kill -KILL $pid
	wait $pid 2>/dev/null
done
kill $writer
[ "$compared" -ge 10 ] || skip "only $compared programs are installed"
exit 0
