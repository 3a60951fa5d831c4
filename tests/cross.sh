#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# shellcheck disable=SC2016,SC2086 # scripts for other shells; words on purpose
# cross.sh [NAME...]: builds all programs and runs the tests of those that only read and write, for
#
#   arm64 s390x armhf   Debian 12's cross compilers and libraries, qemu-user; s390x is big-endian
#   riscv64             the same of Debian sid
#   clang               this machine's clang
#   musl                static programs (static/libraries.sh); without pk-top and pk-export, whose libraries are not built there
#   headers             libpkstream and its examples with the headers of musl: ISO C and POSIX, none of Linux
#
# Each writes streams in its byte order, and prints all streams of the others: these dumps must be the same bytes.
# Tests that record skip: qemu-user has no perf_event_open. CROSS_TESTS="unit/ cli/" selects tests.
# Needs root, debootstrap, qemu-user-static, and Linux 6.7, where a user namespace has its own table of binary formats: this
# machine keeps its own. tests/chroot.bash has the rest.
set -eu -o pipefail
top=$(cd "$(dirname "$0")/.." && pwd -P)
. "$top/tests/chroot.bash"
tests=${CROSS_TESTS:-unit/ cli/ fuzz/}
work=$(mktemp -d /var/tmp/pk-cross.XXXXXX)
trap 'rm -rf "$work"' EXIT
streams=$work/streams failed=0

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
			libncurses libbpf libsubunit; do
			all+=" $library-dev:$arch"
		done
		all+=" check:$arch"
	done
	in_root "$root" "
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
			PK_TEST_TIMES="/src/pk/build-cross/$4/times" chroot "$1" sh -euc "cd /src/pk; $5"
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
		$bin/pk-filter --no-sandbox -q $f >$out/streams/${name%%.*}.pk
	done
	$out/write_samples >$out/streams/samples.pk
'
print_streams='
	mkdir -p $out/dumps
	for f in build-cross/*/streams/*.pk; do
		from=${f#build-cross/} name=${f##*/}
		$bin/pk-script --no-sandbox -q --dump $f >$out/dumps/${from%%/*}.$name.txt
	done
'

cross()
{
	local root=$1 arch=$2 out=build-cross/$2 cc

	cc=$(tuple $arch)-gcc
	echo "== $arch"
	mkdir -p "$top/$out"
	in_emulator "$root" $arch "
		make -j$(nproc) CC=$cc B=$out PYTHON=none WERROR=1 tests >$out/log 2>&1 || { tail -n 20 $out/log; exit 1; }
		$cc -Ilibpkstream -o $out/write_samples examples/write_samples.c $out/libpkstream.a -lzstd
		bin=$out/bin out=$out
		$write_streams
		B=$out tests/run.sh $tests || touch $out/failed"
	[ ! -e "$top/$out/failed" ] || failed=1
}
