#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# event_tables.sh OUT PACKAGE VERSION [KERNEL]: makes the tables of events OUT/ARCH.events from the sources of a kernel, and, if
# dpkg-deb is installed, the Debian package PACKAGE with them. KERNEL is the folder of the sources. Without it, Debian's package
# linux-source is downloaded.
set -eu -o pipefail
out=$1 package=$2 version=$3 kernel=${4-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ -z "$kernel" ]; then
	name=$(apt-cache depends linux-source | sed -n 's/^ *Depends: \(linux-source-[0-9.]*\)$/\1/p')
	[ -n "$name" ] || {
		echo "event_tables.sh: apt has no package linux-source: make event-tables KERNEL=FOLDER uses other sources" >&2
		exit 1
	}
	(cd "$work" && apt-get -qq -o APT::Sandbox::User=root download "$name")
	dpkg-deb --fsys-tarfile "$work/$name"_*.deb | tar -xOf - "./usr/src/$name.tar.xz" |
		tar -C "$work" -xJf - "$name/tools/perf/pmu-events" "$name/COPYING"
	kernel=$work/$name
fi
rm -rf "$out"
"${0%.sh}.py" "$kernel/tools/perf/pmu-events" "$out"
ls -l "$out"

command -v dpkg-deb >/dev/null || exit 0
root=$work/root
install -D -m 644 -t "$root/usr/share/pk/events" "$out"/*.events
install -d "$root/DEBIAN" "$root/usr/share/doc/pk-events"
cat >"$root/usr/share/doc/pk-events/copyright" <<'END'
The tables contain names, encodings and descriptions of events, and expressions of metrics, from the folder tools/perf/pmu-events
of the Linux kernel. The licence of the kernel is GPL-2.0. On Debian it is in /usr/share/common-licenses/GPL-2.
END
cat >"$root/DEBIAN/control" <<END
Package: pk-events
Version: $version
Architecture: all
Maintainer: The pk authors <pk@pk.invalid>
Section: devel
Priority: optional
Enhances: pk
Description: Events and metrics of processors by name, for pk
 Tables of the events of processors, from the kernel's pmu-events. With them,
 "pk-record -e mem_load_retired.l3_miss" and "pk-stat -M TopdownL1" work.
END
mkdir -p "$(dirname "$package")"
dpkg-deb --root-owner-group --build "$root" "$package" >/dev/null
echo "$package"
