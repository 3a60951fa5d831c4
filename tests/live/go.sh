# SPDX-License-Identifier: BSD-2-Clause
# long
# Go programs that were linked without symbols have the names and lines of .gopclntab, also position-independent ones. The
# lines are those that debugging information has for the same code.
. "$PK_TOP/tests/live/fold.bash"

type go >/dev/null 2>&1 || skip "no go here"
cat >main.go <<'GO'
package main

//go:noinline
func spin(n int) int {
	s := 0
	for i := 0; i < n; i++ {
		s += i ^ s
	}
	return s
}

func main() { println(spin(100000000)) }
GO
export GOCACHE=$PWD/cache HOME=$PWD GOFLAGS=-mod=mod GOPROXY=off GOTOOLCHAIN=local
PATH=$PK_BUILD/tests/live:$PATH

# lines PROGRAM: the files and lines of each 64th byte of the code of the package main and of some of the runtime
lines()
{
	local address offset
	read -r address offset < <(readelf -SW "$1" | sed -nE 's/.* \.text +PROGBITS +([0-9a-f]+) ([0-9a-f]+) .*/\1 \2/p')
	while read -r start size; do
		for ((at = 0; at < size; at += 64)); do
			printf '%x\n' $((0x$start - 0x$address + 0x$offset + at))
		done
	done <functions >offsets
	addresses "$PWD/$1" <offsets | pk-symbolize -q --lines --no-inline | pk-script -q -F srcline --json | grep -o '"srcline":"[^"]*"'
}
for mode in exe pie; do
	go build -buildmode=$mode -ldflags '-s -w' -o g main.go 2>err || skip "go cannot build: $(tail -n 1 err)"
	go build -buildmode=$mode -o full main.go || fail "no program with symbols"
	readelf -sW full | awk '$4 == "FUNC" && $8 ~ /^(main\.|runtime\.[g-m])/ { print $2, $3 }' >functions
	lines g >stripped
	lines full >expected
	[ "$(grep -c 'main.go:[1-9]' stripped)" -ge 2 ] || fail "$mode: no lines of main.go:" "$(head -n 20 stripped)"
	at_least "$(wc -l <expected)" 1000 "$mode: lines"
	cmp expected stripped || fail "$mode: other lines than those of the debugging information:" "$(diff expected stripped | head -n 20)"
	pk-record -q -F 999 -e $event -g -o out.pk -- ./g 2>err || fail "$(cat err)"
	fold out.pk
	shows g 'runtime.main;main.spin' 20
	go build -buildmode=$mode -o g main.go
	pk-record -q -F 999 -e $event -g -o out.pk -- ./g 2>err || fail "$(cat err)"
	fold out.pk
	shows g 'runtime.main;main.spin' 20
done

# C functions run on another stack than the functions of Go that call them, and so do functions of Go that C calls.
[ "$(id -u)" = 0 ] || exit 0
mkdir c && cat >c/main.go <<'GO'
package main

/*
static volatile unsigned long sum;
__attribute__((noinline)) static void c_spin(int n)
{
	for (int i = 0; i < n; i++)
		sum += i;
}
extern void goSpin(int n);
__attribute__((noinline)) static void c_both(int n)
{
	c_spin(n);
	goSpin(n);
	sum++;
}
*/
import "C"

var sum uint64

//export goSpin
func goSpin(n C.int) {
	for i := 0; i < int(n); i++ {
		sum += uint64(i) ^ sum
	}
}

//go:noinline
func callsC() { C.c_both(1000000) }

func work(done chan bool) {
	for i := 0; i < 300; i++ {
		callsC()
	}
	done <- true
}

func main() {
	done := make(chan bool)
	go work(done)
	<-done
}
GO
CGO_ENABLED=1 go build -o with_c c/main.go 2>err || skip "go cannot build programs with C: $(tail -n 1 err)"
pk-record -F 999 -e $event --call-graph unwind -o out.pk -- ./with_c 2>err || skip "stacks are not unwound here: $(tail -n 1 err)"
fold out.pk
for spin in c_spin main.goSpin; do
	awk -v spin=";${spin}[; ]" '$0 ~ spin { n += $NF } $0 ~ ";main.work;main.callsC;.*" spin { called += $NF }
		END { exit !(n > 0 && called >= n * 0.98) }' folded || fail "$spin without its callers:" "$(grep ";$spin" folded | cut -c1-300)"
done
! grep -F ';[with_c];' folded | grep -F 'runtime.cgocallback' || fail "a frame without a name"
exit 0
