# SPDX-License-Identifier: BSD-2-Clause
# Return probes that end programs: a warning where exceptions can pass the frame, a refusal for Go. Nothing is recorded here (--dry-run).
without_recording=1
. "$PK_TOP/tests/live/record.bash"

[ -e /sys/bus/event_source/devices/uprobe ] || skip "this kernel has no uprobes"
for tool in "${CC:-gcc}" g++ strip objcopy; do
	command -v "$tool" >/dev/null || fail "no $tool: see tests/deps.sh"
done

# warnings NUMBER OPTION...: the number of lines on stderr about exceptions, with status 0.
warnings()
{
	local wanted=$1 program
	shift
	for program in pk-record pk-stat; do
		"$program" "${@/#-x/--object}" --dry-run -- true >out 2>err || fail "$program $*: $(cat err)"
		[ "$(grep -c 'uses exceptions' err)" = "$wanted" ] || fail "$program $*: not $wanted warnings: $(cat err)"
	done
}
refused()
{
	local program
	for program in pk-record pk-stat; do
		"$program" "${@/#-x/--object}" --dry-run -- true >out 2>err
		[ $? = 2 ] || fail "$program $*: not refused"
		grep -q 'Go program.*--go-returns' err || fail "$program $*: said: $(cat err)"
	done
}

cat >throws.cpp <<'C'
extern "C" __attribute__((noinline)) int work(int n) { if (n > 1) throw 5; return n; }
extern "C" __attribute__((noinline)) int more(int n) { return work(n) + 1; }
C
echo 'extern "C" int more(int n); int main(int n, char **) { try { more(n); } catch (int) { } return 0; }' >main.cpp
g++ -O1 -o catches main.cpp throws.cpp || fail "no program"
g++ -O1 -shared -fPIC -o throws.so throws.cpp || fail "no library that throws"
echo 'int work(int n) { return n; } int malloc_like(int n) { return n; } int main(void) { return work(0); }' >plain.c
"${CC:-gcc}" -O0 -fno-exceptions -o plain plain.c || fail "no program of C"
cp catches stripped
strip -K work stripped

warnings 1 -x ./catches --probe work%return
warnings 1 -x ./catches --probe work%return --probe more%return
warnings 1 -x ./catches -e functions=work
warnings 1 -x ./stripped --probe work%return
warnings 1 -x ./throws.so --probe work%return # it has no table: nothing in it catches
warnings 0 -x ./catches --probe work
warnings 0 -x ./plain --probe work%return
warnings 2 -x ./catches --probe work%return -x ./throws.so --probe more%return

# The marks of Go, of which each is enough, and its build information without section headers.
go_like()
{
	cat >go.s <<S
	.section $1
	.balign 16
	.byte 0xff
	.ascii " Go buildinf:"
	.skip 64
	.section .note.GNU-stack,"",@progbits
S
	"${CC:-gcc}" -O0 -o "$2" plain.c go.s || fail "no program with the section $1"
}
go_like '.go.buildinfo,"aw",@progbits' go
go_like '.gopclntab,"a",@progbits' table
cp go stripped-go
strip stripped-go
for file in go table; do
	refused -x ./$file --probe work%return
	refused -x ./$file -e functions=work
	warnings 0 -x ./$file --probe work
done
refused -x ./stripped-go --probe 0x1000%return
cp stripped-go bare # e_shoff, e_shnum and e_shstrndx of a file with 64 bits
printf '\0\0\0\0\0\0\0\0' | dd of=bare bs=1 seek=40 conv=notrunc status=none
printf '\0\0\0\0\0\0' | dd of=bare bs=1 seek=58 conv=notrunc status=none
refused -x ./bare --probe 0x1000%return
# The option may come before or after.
for program in pk-record pk-stat; do
	"$program" --go-returns --object ./go --probe work%return --dry-run -- true >out 2>err || fail "$program: $(cat err)"
	"$program" --object ./go --probe work%return --go-returns --dry-run -- true >out 2>err || fail "$program: $(cat err)"
done
exit 0
