# SPDX-License-Identifier: BSD-2-Clause
# long
# Each hot access of programs that touch known members in known loops gets its type and member,
# whichever compiler and optimisation: without a recording for each instruction of their loops, and
# with one for what was sampled.
. "$PK_TOP/tests/live/fold.bash"

for tool in nm readelf perl gcc g++; do
	command -v $tool >/dev/null || skip "no $tool"
done
[ "$(uname -m)" = x86_64 ] || skip "the accesses of $(uname -m) are not followed"
workload=$PK_TOP/tests/live/workload
export HOME=$PWD

# offsets PROGRAM NAME...: each byte of the functions' code, by its place in the file.
offsets()
{
	local program=$1 shift
	shift=$(readelf -SW "$program" | sed -n 's/^ *\[ *[0-9]*\] \.text *PROGBITS *\([0-9a-f]*\) \([0-9a-f]*\) .*/\1 \2/p')
	nm -S --defined-only -C "$program" | perl -e '
		my ($v, $o) = map { hex } split " ", shift;
		my %want = map { $_ => 1 } @ARGV; @ARGV = ();
		while (<>) {
			next unless /^([0-9a-f]+) ([0-9a-f]+) [tT] ([\w:]+)/ && $want{$3};
			printf "%x\n", hex($1) - $v + $o + $_ for 0 .. hex($2) - 1;
		}' "$shift" "${@:2}"
}

# compare SOURCE STREAM WHAT
compare()
{
	pk-annotate -q -i "$2" --types --min-percent 0 >listing 2>err || fail "$3: pk-annotate: $(cat err)"
	perl "$PK_TOP/tests/live/types.pl" "$1" listing >compared || fail "$3:" "$(cat compared)"
}

functions()
{
	sed -n 's|^/\* touches: \([^ ]*\): .*|\1|p' "$1" | uniq
}

# all SOURCE COMPILER OPTION...: one sample at each instruction.
all()
{
	local source=$1 compiler=$2 names what
	shift
	what="$(basename "$source"), $*"
	"$@" -g -o program "$source" 2>compile.err || fail "$what: $(cat compile.err)"
	mapfile -t names < <(functions "$source")
	offsets program "${names[@]}" >places
	[ "$(wc -l <places)" -gt 40 ] || fail "$what: no code"
	addresses "$PWD/program" <places | pk-symbolize -q >all.pk || fail "$what: pk-symbolize"
	compare "$source" all.pk "$what"
	# Each access of these functions has a type.
	pk-annotate -q -i all.pk --type-profile --json >json 2>err || fail "$what: $(cat err)"
	tail -n 1 json | grep -qE "\"reasons\":\[$unknown]" || fail "$what: unknown: $(tail -n 1 json)"
}
unknown=

# sampled SOURCE ROUNDS TYPE: the program that was compiled last. Few samples may fall on an instruction that accesses memory:
# several recordings.
sampled()
{
	local try
	for try in {1..8}; do
		pk-record -q -e cpu-clock -F 2000 -o recorded.pk -- ./program "$2" >out 2>err || fail "pk-record: $(cat err)"
		pk-symbolize -q recorded.pk >symbolized.pk || fail "pk-symbolize"
		compare "$1" symbolized.pk "recorded $(basename "$1")"
		pk-annotate -q -i symbolized.pk --type-profile --json --min-percent 0 >json 2>err || fail "$(cat err)"
		! grep -q "\"type\":\"$3\"" json || return 0
	done
	fail "$try recordings: no $3: $(cat json)"
}

compilers=(gcc)
if command -v clang >/dev/null; then
	compilers+=(clang)
else
	echo "no clang: gcc alone" >&2
fi
for compiler in "${compilers[@]}"; do
	for level in -O0 -O2; do
		all "$workload/types.c" $compiler $level
		[ $level = -O0 ] || sampled "$workload/types.c" 1000000 'struct box'
	done
done
# Structures around a member, and accesses next to one that could be anything.
unknown='\{"reason":"outside of the type pointed to",[^]]*\]\}'
for compiler in "${compilers[@]}"; do
	for level in -O0 -O2; do
		all "$workload/containers.c" $compiler $level
	done
done
unknown=
for compiler in g++ clang++; do
	command -v $compiler >/dev/null || continue
	for level in -O0 -O2; do
		all "$workload/types.cc" $compiler $level
	done
	sampled "$workload/types.cc" 200000 'shop::store'
done
