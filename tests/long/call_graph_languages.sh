# SPDX-License-Identifier: BSD-2-Clause
# --call-graph unwind beside pk-unwind for Go, Rust, static programs with musl, and for more samples of the programs of
# tests/live/call_graph_programs.sh. What is not installed is left out, and printed.
. "$PK_TOP/tests/live/unwind_same.bash"
workload=$PK_TOP/tests/live/workload
export GOCACHE=$PWD/cache HOME=$PWD GO111MODULE=off GOPROXY=off GOTOOLCHAIN=local

if go build -o go-main "$workload/stacks.go" 2>err; then
	same ./go-main 1000
else
	echo "left out: Go: $(tail -n 1 err)"
fi
rustc=$(command -v rustc || echo /root/.cargo/bin/rustc)
if HOME=$(getent passwd "$(id -u)" | cut -d: -f6) "$rustc" -O -o rust-main "$workload/stacks.rs" 2>err; then
	same ./rust-main 1000
	HOME=$(getent passwd "$(id -u)" | cut -d: -f6) "$rustc" -O -C lto -C codegen-units=1 -o rust-lto "$workload/stacks.rs" &&
		same ./rust-lto 1000
else
	echo "left out: Rust: $(tail -n 1 err)"
fi
# Debian's libc.a of musl has no call frame information: most stacks end there, in both.
if musl-gcc -O2 -fomit-frame-pointer -fno-builtin -static -o musl-main "$workload/linkage.c" -lm 2>err; then
	same ./musl-main 500
else
	echo "left out: musl: $(tail -n 1 err)"
fi
for flags in -O1 -O2 -O3 '-O2 -flto' '-O3 -march=native' -Os; do
	# shellcheck disable=SC2086 # words
	${CXX:-g++} -std=gnu++17 -fomit-frame-pointer $flags -o cxx "$workload/stacks.cc" -pthread 2>err || { echo "left out: $flags"; continue; }
	same -e cpu-clock/stack-size=STACK,freq=1999/u -n 200 ./cxx 1000
	type clang++ >/dev/null 2>&1 || continue
	# shellcheck disable=SC2086 # words
	clang++ -std=gnu++17 $flags -o clang "$workload/stacks.cc" -pthread 2>err || { echo "left out: clang $flags"; continue; }
	same -e cpu-clock/stack-size=STACK,freq=1999/u -n 200 ./clang 1000
done
compile contexts.c contexts -O2 -fomit-frame-pointer && same -e cpu-clock/stack-size=STACK,freq=1999/u -n 200 ./contexts 1000
compile linkage.c linkage -O2 -fomit-frame-pointer -fno-builtin -Wl,-z,lazy -lm && same -p 95 -n 500 ./linkage 3 5
