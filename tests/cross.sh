#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# shellcheck disable=SC2016,SC2086 # scripts for other shells; words on purpose
# cross.sh [NAME...]: builds all programs and runs the tests of those that only read and write, for
#
#   arm64 s390x armhf   Debian 12's cross compilers and libraries, qemu-user; s390x is big-endian
#   riscv64             the same of Debian sid
#   clang               this machine's clang
#   musl                static programs (static/libraries.sh); libpkstream also without headers of Linux
#
# Each writes streams in its byte order, and prints all streams of the others: these dumps must be the same bytes.
# Tests that record skip: qemu-user has no perf_event_open. CROSS_TESTS="unit/ cli/" selects tests.
# Needs root, debootstrap, qemu-user-static, and Linux 6.7, where a user namespace has its own table of binary formats: this
# machine keeps its own. tests/chroot.bash has the rest.
set -eu -o pipefail
top=$(cd "$(dirname "$0")/.." && pwd -P)
cd "$top"
. "$top/tests/chroot.bash"
tests=${CROSS_TESTS:-unit/ cli/ fuzz/} # words of tests/run.sh
work=$(mktemp -d /var/tmp/pk-cross.XXXXXX)
trap 'rm -rf "$work"' EXIT
failed=0 compared=0

skip()
{
	echo "tests/cross.sh: skipped: $*" >&2
	exit 77
}
[ "$(id -u)" = 0 ] || skip "chroot needs root"
command -v debootstrap >/dev/null || skip "no debootstrap"

# The libraries and tools of a chroot for these architectures of Debian.
install_cross()
{
	local root=$1 arch all='' library
	shift

	for arch; do
		all+=" gcc-$(tuple $arch | tr _ -)"
		for library in libc6 libelf libzstd libdeflate zlib1g libsqlite3 liblzma libjansson libiberty libcapstone \
			libncurses nettle libdw libunwind libtraceevent libbpf libsubunit; do
			all+=" $library-dev:$arch"
		done
		all+=" check:$arch"
	done
	in_root "$root" "
		echo force-unsafe-io >/etc/dpkg/dpkg.cfg.d/fast
		for a in $*; do dpkg --add-architecture \$a; done
		apt-get -qq update
		apt-get -qq install -y --no-install-recommends make gcc g++ libc6-dev binutils perl-base zstd xz-utils libxml2-utils \
			sqlite3 tmux zsh fish $all >apt.log 2>&1 || { tail -n 20 apt.log; exit 1; }
		# An architecture has its own files of locales.
		cd /var/tmp
		for a in $*; do
			apt-get -qq download libc-bin:\$a >/dev/null
			dpkg -x libc-bin_*_\$a.deb /opt/\$a
		done"
}

tuple()
{
	case $1 in
	arm64) echo aarch64-linux-gnu ;;
	armhf) echo arm-linux-gnueabihf ;;
	*) echo "$1-linux-gnu" ;;
	esac
}

# in_emulator FOLDER ARCH COMMAND: runs a command of the shell in the chroot, in the checkout. Programs of the architecture
# run under qemu, whose entry is only in the table of the user namespace.
in_emulator()
{
	local root=$1 arch=$2 machine pid
	machine=$(tuple $arch)
	machine=${machine%%-*}

	mkdir -p "$root/src/pk" "$root/src/shared/corpus"
	rm -f "$work/up" "$work/go" && mkfifo "$work/up" "$work/go"
	# The first program of a user namespace has all rights there only if it starts after the ids have been mapped.
	unshare --user --mount bash -c 'echo >"$1/up"; read -r <"$1/go"; shift; exec bash -eu -c "$@"' bash "$work" '
		mount -t binfmt_misc none /proc/sys/fs/binfmt_misc
		sed "s/:[A-Z]*$/:FP/" "/usr/lib/binfmt.d/qemu-$2.conf" >/proc/sys/fs/binfmt_misc/register
		for folder in proc sys dev; do mount --rbind /$folder "$1/$folder"; done
		mount --bind "$3" "$1/src/pk"
		[ ! -d "$3/../shared/corpus" ] || mount --bind "$3/../shared/corpus" "$1/src/shared/corpus"
		exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb QEMU_SET_ENV=LOCPATH=/opt/$4/usr/lib/locale \
			PK_TEST_TIMES="/src/pk/build-cross-$4/times" PK_TEST_IGNORE="sandbox without seccomp|^qemu: uncaught" chroot "$1" sh -euc "cd /src/pk; $5"
	' bash "$root" "$machine" "$top" "$arch" "$3" </dev/null &
	pid=$!
	read -r <"$work/up"
	echo "0 0 65536" >/proc/$pid/uid_map
	echo "0 0 65536" >/proc/$pid/gid_map
	echo >"$work/go"
	wait $pid
}

# What each prints of a recording: all records, and texts of samples.
write_streams='
	mkdir -p $out/streams
	for f in tests/data/x86_64.pk.zst tests/data/arm64.pk.zst tests/data/s390x.pk.zst demo/demo.pk; do
		name=${f##*/}
		pk-filter --no-sandbox -q $f >$out/streams/${name%%.*}.pk
	done
	$out/write_samples >$out/streams/samples.pk
'
print_streams='
	mkdir -p $out/dumps
	for f in build-cross-*/streams/*.pk; do
		from=${f#build-cross-} name=${f##*/}
		pk-script --no-sandbox -q --dump $f >$out/dumps/${from%%/*}.$name.txt
	done
'

# On a big-endian machine, little-endian streams have the other byte order, and some tests print what is not converted then.
# They have a line "# little-endian".
left_out()
{
	[ "$1" = s390x ] || return 0
	grep -l '^# little-endian' tests/cli/*/*.sh | sed -E 's/^tests/-/; s/^-\//-/; s/\.sh$//' | tr '\n' ' '
}

cross()
{
	local root=$1 arch=$2 out=build-cross-$2 cc

	cc=$(tuple $arch)-gcc
	echo "== $arch$(left_out $arch | sed 's/./; not here: &/')"
	mkdir -p "$top/$out"
	in_emulator "$root" $arch "
		rm -f $out/failed
		make -j$(nproc) CC=$cc B=$out PYTHON=none WERROR=1 tests >$out/log 2>&1 || { tail -n 20 $out/log; exit 1; }
		$cc -Ilibpkstream -o $out/write_samples examples/write_samples.c $out/libpkstream.a -lzstd
		B=$out tests/run.sh $tests $(left_out $arch) || touch $out/failed"
	[ ! -e "$top/$out/failed" ] || failed=1
}

# This machine's compiler, and with clang.
host()
{
	make --no-print-directory all
	mkdir -p build-cross-host
	ln -sfn "$PWD/${B:-build}/bin" build-cross-host/bin
	${CC:-cc} -Ilibpkstream -o build-cross-host/write_samples examples/write_samples.c ${B:-build}/libpkstream.a -lzstd
}

clang()
{
	echo "== clang"
	mkdir -p build-cross-clang
	make -j"$(nproc)" CC=clang B=build-cross-clang WERROR=1 tests >build-cross-clang/log 2>&1 || {
		tail -n 20 build-cross-clang/log
		return 1
	}
	command clang -Ilibpkstream -o build-cross-clang/write_samples examples/write_samples.c build-cross-clang/libpkstream.a -lzstd
	B=build-cross-clang tests/run.sh $tests corpus/ || failed=1
}

# pk-top and pk-export need ncurses and sqlite, which static/libraries.sh does not build; the unit tests need check.
# libpkstream is also compiled on its own, with the headers of musl, which has none of Linux.
musl()
{
	local out=build-cross-musl tools without words file
	command -v musl-gcc >/dev/null || {
		echo "musl left out: no musl-gcc (musl-tools)" >&2
		return
	}

	echo "== musl"
	mkdir -p $out/plain/include
	tools=$(printf '%s\n' pk*/main.c | sed 's|/.*||' | grep -v -e '^pk-top$' -e '^pk-export$' | tr '\n' ' ')
	without="pk-record/bpf_library.c $(printf '%s ' pk-top/*.c pk-export/*.c)"
	{
		make STATIC=1 B=$out $out/libraries
		ln -sfn /usr/include/capstone $out/libraries/include/capstone # loaded at run time, not linked
		make -j"$(nproc)" STATIC=1 B=$out TOOLS="$tools" LAYERS="$(sed -n 's/^LAYERS = //p' Makefile | head -n 1)" \
			LEFT_OUT="$without" WERROR=1 all $out/tests/assemble/assemble $out/tests/live/on_terminal
	} >$out/log 2>&1 || {
		tail -n 20 $out/log
		return 1
	}
	cp $out/libraries/include/zstd*.h $out/plain/include
	for file in libpkstream/*.c lib/base/*.c examples/write_samples.c; do
		musl-gcc -std=gnu11 -iquote libpkstream -iquote lib/base -Ilibpkstream -isystem $out/plain/include -O2 -Wall -Wextra -Werror \
			-DPK_VERSION='"plain"' -c -o "$out/plain/$(tr / - <<<"${file%.c}").o" "$file"
	done
	musl-gcc -static -o $out/write_samples $out/plain/*.o -L$out/libraries/lib -lzstd
	echo "libpkstream without headers of Linux: $(wc -l <<<"$(ls $out/plain/*.o)") files"
	# The C library has its own texts of errors, and writes stdout at other times. Without capstone, there is no code.
	words=$(for word in pk-top/ pk-export/ fleet/ stages/ pk-script/vectors /types branch_code pk-annotate/ pk-filter/split pk-report/graph pk-report/labels \
		pk-report/unsymbolized; do echo "-$word"; done)
	PK_TEST_IGNORE="unrecognized option|invalid option|requires an argument|(take|allow) an argument|[Ss]ymbolic link" B=$out tests/run.sh cli/ $words || failed=1
}

# Everybody prints all streams. The byte order of a stream, and the time of the filter, are its own. All else is the same in the
# streams of all writers.
compare()
{
	local name from file other

	mkdir "$work/common"
	for file in build-cross-host/dumps/*; do
		name=${file##*/} from=${name%%.*}
		for other in build-cross-*/dumps/"$name"; do
			cmp "$file" "$other" || failed=1
			compared=$((compared + 1))
		done
		awk '/^[0-9]/ { stage = 0 } /\(STAGE\)$/ { stage = 1 } !/byte_order=/ && !(stage && /^  time=/)' "$file" >"$work/common/$name"
	done
	for file in "$work"/common/*; do
		name=${file##*/} from=${name%%.*}
		cmp "$work/common/host.${name#"$from".}" "$file" || failed=1
	done
}

rm -rf build-cross-*/streams build-cross-*/dumps build-cross-*/failed
[ $# -gt 0 ] || set -- arm64 s390x armhf riscv64 clang musl
host
debian=() unstable=()
for name; do
	case $name in
	riscv64) unstable+=("$name") ;;
	clang | musl) ;;
	*) debian+=("$name") ;;
	esac
done
[ ${#debian[@]} = 0 ] || { new_root bookworm "$work/bookworm" && install_cross "$work/bookworm" "${debian[@]}"; }
[ ${#unstable[@]} = 0 ] || { new_root sid "$work/sid" && install_cross "$work/sid" "${unstable[@]}"; }
root_of()
{
	case $1 in riscv64) echo "$work/sid" ;; *) echo "$work/bookworm" ;; esac
}
for name; do
	case $name in
	clang | musl) $name ;;
	*) cross "$(root_of $name)" $name ;;
	esac
done
# First all write, then all print.
for step in "$write_streams" "$print_streams"; do
	for name in host "$@"; do
		script="out=build-cross-$name; PATH=\$PWD/\$out/bin:\$PATH; $step"
		case $name in
		host | clang | musl) sh -euc "$script" ;;
		*) in_emulator "$(root_of $name)" $name "$script" ;;
		esac
	done
done
compare
echo "$compared dumps of $(ls build-cross-*/streams/*.pk | wc -l) streams, written by: host $*"
exit $failed
