# SPDX-License-Identifier: BSD-2-Clause
# Go programs that were linked without symbols have the names of .gopclntab, also position-independent ones.
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
for mode in exe pie; do
	go build -buildmode=$mode -ldflags '-s -w' -o g main.go 2>err || skip "go cannot build: $(tail -n 1 err)"
	pk-record -q -F 999 -e $event -g -o out.pk -- ./g 2>err || fail "$(cat err)"
	fold out.pk
	shows g 'runtime.main;main.spin' 20
	go build -buildmode=$mode -o g main.go
	pk-record -q -F 999 -e $event -g -o out.pk -- ./g 2>err || fail "$(cat err)"
	fold out.pk
	shows g 'runtime.main;main.spin' 20
done
exit 0
