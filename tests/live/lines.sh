# SPDX-License-Identifier: BSD-2-Clause
# long
# Inlined functions and lines all over a program's code are those that addr2line -i tells,
# whichever compiler, version of DWARF and optimisation; and they are the same wherever the
# debugging information is, and however it is packed.
set -u
PATH=$PK_BUILD/tests/live:$PATH
fail()
{
	printf '%s\n' "$@"
	exit 1
}

for tool in addr2line readelf objcopy strip perl; do
	command -v $tool >/dev/null && continue
	echo "no $tool" >&2
	exit 77
done
export HOME=$PWD

build()
{
	local compiler=$1 source=$2 program=$3
	shift 3
	$compiler -O2 -g -o "$program" "$PK_TOP/tests/live/workload/$source" "$@" >compile.err 2>&1
}

# offsets PROGRAM: writes offsets (of bytes of code, in the file) and addresses (the same, in memory).
offsets()
{
	readelf -SW "$1" | sed -n 's/^ *\[ *[0-9]*\] \.text *PROGBITS *\([0-9a-f]*\) \([0-9a-f]*\) \([0-9a-f]*\) .*/\1 \2 \3/p' |
		perl -ne '($v, $o, $n) = map { hex } split; open A, ">addresses"; open O, ">offsets";
			for ($i = 0; $i < $n; $i += 1 + int($n / 1500)) { printf A "%#x\n", $v + $i; printf O "%x\n", $o + $i; }'
	[ -s offsets ] || fail "$1: no code"
}

# sources PROGRAM [OPTION...]: what pk says of the offsets, in the file actual. In text of addresses from
# the file's begin on. Where no line is known, without the program's name.
sources()
{
	local program=$1
	shift
	addresses "$PWD/$program" <offsets |
		pk-symbolize -q --lines "$@" | pk-script -q -F ip,sym,srcline |
		sed "s/^  $program\\[/  [/" >actual || fail "$program: pk-symbolize"
}

# like_addr2line PROGRAM INLINED [ADDR2LINE [places]]: at most one address in 500 differs, and as many have inlined
# functions as there must be.
like_addr2line()
{
	local all same inlined
	offsets "$1"
	sources "$1"
	# Addresses in the file are compared.
	"${3-addr2line}" -a -f -i -C -e "$1" <addresses | perl -e '
		open O, "<offsets"; while (<STDIN>) { if (/^0x/) { printf "0x%x\n", hex(<O>) } else { print } }' >expected
	perl "$PK_TOP/tests/live/lines.pl" expected actual ${4+places} >compared || fail "lines.pl"
	all=$(wc -l <offsets)
	read -r same inlined < <(tail -n 1 compared)
	[ "$same" -ge $((all - all / 500)) ] && [ "$inlined" -ge "$2" ] ||
		fail "$1: $same of $all like addr2line, $inlined inlined:" "$(head -n 20 compared | cut -c1-400)"
	cp actual "$1.sources"
}

# like PROGRAM OTHER [OPTION...]: as the other one, which has the same code.
like()
{
	local program=$1 other=$2
	shift 2
	offsets "$program"
	sources "$program" "$@"
	cmp -s "$other.sources" actual || fail "$program: not like $other:" "$(diff "$other.sources" actual | head -n 10)"
}

for v in 2 3 4 5; do
	build gcc inlines.c gcc-$v -gdwarf-$v || fail "gcc: $(cat compile.err)"
	like_addr2line gcc-$v 100
done
build gcc inlines.c lto -O3 -flto "$PK_TOP/tests/live/workload/shares.c" -Dmain=main_of_shares 2>/dev/null ||
	build gcc inlines.c lto -O3 -flto || fail "gcc -flto: $(cat compile.err)"
like_addr2line lto 100
# addr2line of binutils 2.40 does not know the form that clang writes ranges of DWARF 5 in, and mixes up
# files of DWARF 5 where a unit has many.
if command -v clang >/dev/null; then
	build clang inlines.c clang-4 -gdwarf-4 || fail "clang: $(cat compile.err)"
	like_addr2line clang-4 100
fi
if command -v clang >/dev/null && command -v llvm-addr2line >/dev/null; then
	build clang inlines.c clang-5 -gdwarf-5 || fail "clang: $(cat compile.err)"
	like_addr2line clang-5 100 llvm-addr2line
fi
if command -v g++ >/dev/null; then
	build g++ inlines.cc cxx-4 -gdwarf-4 || fail "g++: $(cat compile.err)"
	like_addr2line cxx-4 400
fi
if command -v g++ >/dev/null && command -v llvm-addr2line >/dev/null; then
	build g++ inlines.cc cxx-5 -gdwarf-5 || fail "g++: $(cat compile.err)"
	like_addr2line cxx-5 400 llvm-addr2line places
fi

# The same code, and its debugging information elsewhere.
for v in 4 5; do
	build gcc inlines.c split-$v -gdwarf-$v -gsplit-dwarf || fail "gcc: $(cat compile.err)"
	like split-$v gcc-$v
	# That of binutils 2.40 dies of DWARF 5.
	packer=$([ $v = 4 ] && echo dwp || echo llvm-dwp)
	if command -v "$packer" >/dev/null; then
		"$packer" -e split-$v -o split-$v.dwp >dwp.err 2>&1 || fail "$packer: $(cat dwp.err)"
		rm -f ./*.dwo
		like split-$v gcc-$v
	fi
done
build gcc inlines.c zlib -gdwarf-5 -gz && like zlib gcc-5
build gcc inlines.c zlib-gnu -gdwarf-4 -gz=zlib-gnu && like zlib-gnu gcc-4
objcopy -R .debug_aranges gcc-5 no-aranges && like no-aranges gcc-5
if command -v dwz >/dev/null; then
	cp gcc-4 dwz-a && cp gcc-4 dwz-b && dwz -m dwz-common dwz-a dwz-b || fail "dwz"
	like dwz-a gcc-4
	like dwz-b gcc-4
fi
objcopy --only-keep-debug gcc-5 linked.debug && strip -o linked gcc-5 &&
	objcopy --add-gnu-debuglink=linked.debug linked && like linked gcc-5
id=$(readelf -n gcc-5 | sed -n 's/.*Build ID: //p')
if [ -n "$id" ]; then
	mkdir -p "debug/.build-id/${id:0:2}" "cache/.build-id/${id:0:2}/${id:2}"
	mv linked.debug "debug/.build-id/${id:0:2}/${id:2}.debug"
	strip -o stripped gcc-5
	like stripped gcc-5 --debug-dir "$PWD/debug"
	mv "debug/.build-id/${id:0:2}/${id:2}.debug" "cache/.build-id/${id:0:2}/${id:2}/debug"
	like linked gcc-5 --buildid-dir "$PWD/cache"
fi

# Of a stripped program, names from the symbols that are packed into it (.gnu_debugdata).
objcopy --only-keep-debug gcc-5 mini.debug && objcopy -S --keep-symbol=hash mini.debug mini && xz mini &&
	strip -o mini gcc-5 && objcopy --add-section .gnu_debugdata=mini.xz mini || fail "no .gnu_debugdata"
grep -A1 'hash$' gcc-5.sources | sed -n 's/^.*7f00000*\([0-9a-f]*\) hash$/\1/p' | head -n 1 >offsets
[ -s offsets ] || fail "no address in hash"
sources mini
grep -q ' hash$' actual || fail "not named by .gnu_debugdata: $(cat actual)"

# Names degrade one step at a time: by debugging information alone, by the dynamic symbols, not at all.
# named PROGRAM NAME: what the address in its function is called.
named()
{
	sources "$1"
	grep -q " $2\$" actual || fail "$1: not $2: $(cat actual)"
}

objcopy --strip-all --keep-section='.debug_*' gcc-5 debug-only && readelf -SW debug-only | grep -q debug_info ||
	fail "objcopy"
named gcc-5 hash
named debug-only hash
build gcc inlines.c dynamic -rdynamic || fail "gcc: $(cat compile.err)"
addr=$(readelf --dyn-syms -W dynamic | awk '$8 == "main" { print $2 }')
echo "${addr:-0}" >offsets
named dynamic main
strip dynamic
named dynamic main
strip -o nothing gcc-5
named nothing '\[unknown\]'
head -c 3000 gcc-5 >short && named short '\[unknown\]'
exit 0
