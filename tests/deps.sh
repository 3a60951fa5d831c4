#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# deps.sh build|check|lint|bench|vm|html...: installs the missing packages on Debian.
# If nothing is missing, it starts no other program.
set -eu

# Columns: the purpose, the command, header, library or file to look for, and the package that contains it.
table='
build cc              gcc
build stdio.h         libc6-dev
build libelf.h        libelf-dev
build zstd.h          libzstd-dev
build libdeflate.h    libdeflate-dev
build zlib.h          zlib1g-dev
build sqlite3.h       libsqlite3-dev
build lzma.h          liblzma-dev
build jansson.h       libjansson-dev
build libiberty/demangle.h libiberty-dev
build capstone/capstone.h libcapstone-dev
build curses.h        libncurses-dev
build bpf/libbpf.h    libbpf-dev
build nettle/sha2.h   nettle-dev
build elfutils/libdw.h libdw-dev
build libunwind.h     libunwind-dev
build intel-pt.h      libipt-dev
build opencsd/c_api/opencsd_c_api.h libopencsd-dev
build traceevent/event-parse.h libtraceevent-dev
check check.h         check
check perl            perl-base
check xmllint         libxml2-utils
check g++             g++
check clang           clang
check zstd            zstd
check xz              xz-utils
check gzip            gzip
check tmux            tmux
check sqlite3         sqlite3
check zsh             zsh
check fish            fish
check python3-config  python3-dev
check ruby            ruby-dev
check php             php-cli
lint  gcc             gcc
lint  g++             g++
lint  clang           clang
lint  clang-format    clang-format
lint  mandoc          mandoc
lint  shellcheck      shellcheck
lint  pkg-config      pkgconf
lint  cmark-gfm       cmark-gfm
html  perl            perl-base
html  mandoc          mandoc
html  cmark-gfm       cmark-gfm
deb   dpkg-buildpackage dpkg-dev
deb   /usr/share/build-essential/list build-essential
deb   dh              debhelper
deb   dh_python3      dh-python
deb   python3-config  python3-dev
deb   clang           clang
deb   mandoc          mandoc
deb   cmark-gfm       cmark-gfm
bench perf            linux-perf
fuzz  llvm-cov        llvm
fuzz  jq              jq
vm    qemu-system-x86_64 qemu-system-x86
vm    busybox         busybox-static
vm    clang           clang
'

have() {
	case $1 in
	/*)
		[ -e "$1" ]
		return
		;;
	*.h)
		for h in "/usr/include/$1" /usr/include/*-linux-gnu*/"$1" "/usr/local/include/$1"; do
			[ -e "$h" ] && return 0
		done
		return 1
		;;
	*.a)
		for h in /usr/lib/gcc/*/*/"$1"; do
			[ -e "$h" ] && return 0
		done
		return 1
		;;
	esac
	command -v "$1" >/dev/null 2>&1
}

missing=
want() {
	case " $missing " in
	*" $1 "*) ;;
	*) missing="$missing $1" ;;
	esac
}

# Looks for the compiler in CC, not for the default one.
case ${CC:-cc} in
*clang*)
	have clang || want clang
	# shellcheck disable=SC2144 # one version or several, all the same
	[ -e "$(echo /usr/lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.fuzzer-*.a | cut -d' ' -f1)" ] ||
		want libclang-rt-14-dev
	;;
esac

set -f
for kind in "$@"; do
	# shellcheck disable=SC2086 # words, three by three
	set -- $table
	while [ $# -ge 3 ]; do
		if [ "$1" = "$kind" ]; then
			set +f
			have "$2" || want "$3"
			set -f
		fi
		shift 3
	done
done
[ -n "$missing" ] || exit 0

root=
if [ "$(id -u)" != 0 ]; then
	root=sudo
	[ -t 0 ] || root='sudo -n'
fi
if ! have apt-get || { [ -n "$root" ] && ! have sudo; }; then
	echo "deps.sh: missing:$missing: install these packages (Debian's names) as root" >&2
	exit 1
fi
echo "installing$missing"
export DEBIAN_FRONTEND=noninteractive
apt="$root apt-get -qq -o DPkg::Lock::Timeout=300"
# shellcheck disable=SC2086 # words on purpose
{
	$apt update || :
	$apt install -y --no-install-recommends $missing >/dev/null
} </dev/null || {
	echo "deps.sh: apt-get failed: install$missing as root" >&2
	exit 1
}
