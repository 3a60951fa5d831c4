#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# packages.sh [SUITE...]: builds the packages of the last commit twice in a Debian of each suite (bookworm and sid), runs
# lintian there, installs them in a fresh system, uses them, and purges them. Builds those of RPM, too, installs them in an
# empty folder, and verifies them. tests/chroot.bash has what it needs.
# PK_PACKAGES_KEEP=DIR: copies the packages of the last suite, and the program that is recorded, to this folder.
set -eu -o pipefail
top=$(cd "$(dirname "$0")/.." && pwd -P)
. "$top/tests/chroot.bash"
work=$(mktemp -d /var/tmp/pk-packages.XXXXXX)
trap 'rm -rf "$work"' EXIT
git clone -q --no-hardlinks "$top" "$work/pk"
packages='pk libpkstream0 libpkstream-dev python3-pkstream pk-doc'

# Later suites do without what Debian 12 requires; the sources are for both.
without='out-of-date-standards-version,package-uses-old-debhelper-compat-version,redundant-priority-optional-field'
without+=',redundant-rules-requires-root-no-field'

# The second build is in another folder, at another time and with another umask and language.
build()
{
	local lintian='lintian --display-info --pedantic --fail-on error,warning,info,pedantic'
	[ "$1" = bookworm ] || lintian+=" --suppress-tags $without"
	new_root "$1" "$work/build"
	cp -a "$work/pk" "$work/build/root/pk"
	in_root "$work/build" '
		apt-get -qq update
		{
			apt-get -qq install -y --no-install-recommends build-essential git lintian
			apt-get -qq build-dep -y --no-install-recommends ./pk
		} >apt.log 2>&1 || { tail -n 20 apt.log; exit 1; }
		git config --global --add safe.directory "*"
		cp -a pk a-longer-name
		make -C pk deb >first.log 2>&1 || { tail -n 20 first.log; exit 1; }
		umask 077
		LC_ALL=C.UTF-8 TZ=Asia/Tokyo make -C a-longer-name deb >second.log 2>&1 || { tail -n 20 second.log; exit 1; }
		cd pk/build/deb
		for f in *.deb *.dsc *.tar.*; do
			cmp "$f" "/root/a-longer-name/build/deb/$f"
		done
		echo "built twice, the same bytes: $(ls *.deb *.dsc *.tar.* | wc -l) files"
		chmod -R a+rX /root
		chmod 777 .
		su nobody -s /bin/sh -c "'"$lintian"' *.changes" >/root/lintian.log 2>&1 || {
			cat /root/lintian.log
			exit 1
		}
		cat /root/lintian.log
		echo "$(lintian --version | head -n 1): no complaint"
		cc -O1 -g -o /root/app -x c - <<-"END"
		static volatile long n;
		__attribute__((noinline)) void slow_part(void) { for (long i = 0; i < 300000000; i++) n++; }
		int main(void) { slow_part(); return 0; }
		END
	'
}

# Debian has no packages that RPM would find: --nodeps.
rpms()
{
	in_root "$work/build" '
		apt-get -qq install -y --no-install-recommends rpm >apt.log 2>&1 || { tail -n 20 apt.log; exit 1; }
		make -C pk rpm RPM_OPTIONS=--nodeps >rpm.log 2>&1 || { tail -n 20 rpm.log; exit 1; }
		cd pk/build/rpm
		mkdir root
		in_folder() { rpm --root "$PWD/root" "$@" 2>>warnings; }
		in_folder --initdb
		in_folder -i --nodeps RPMS/*/*.rpm
		in_folder -Va --nodeps
		root/usr/bin/pk-record --version
		echo "RPM: $(ls RPMS/*/*.rpm | wc -l) packages, $(in_folder -qal | wc -l) files, installed and verified"
	'
}

# What a person does after the installation: two commands, as root and as another user.
use()
{
	new_root "$1" "$work/fresh"
	mkdir "$work/fresh/root/packages"
	cp "$work"/build/root/pk/build/deb/*.deb "$work/fresh/root/packages"
	rm "$work"/fresh/root/packages/*-dbgsym_*
	install -m 755 "$work/build/root/app" "$work/fresh/usr/local/bin"
	cp "$top/tests/packages_use.sh" "$work/fresh/root"
	in_root "$work/fresh" "PACKAGES='$packages' sh packages_use.sh"
}

[ $# -gt 0 ] || set -- bookworm sid
for suite; do
	echo "== $suite"
	build "$suite"
	rpms
	if [ -n "${PK_PACKAGES_KEEP-}" ]; then
		mkdir -p "$PK_PACKAGES_KEEP"
		cp "$work"/build/root/pk/build/deb/* "$work/build/root/app" "$PK_PACKAGES_KEEP"
	fi
	use "$suite"
	rm -rf "$work/build" "$work/fresh"
done
