# SPDX-License-Identifier: BSD-2-Clause
# Fresh Debian systems for the scripts that need one. Needs root, debootstrap and a Debian mirror.
# PK_CHROOT_BASE=DIR keeps the results of debootstrap there, and later calls start from them.

# new_root SUITE FOLDER: a minimal system of this suite, with this machine's settings of apt for downloads.
new_root()
{
	local base=${PK_CHROOT_BASE:+$PK_CHROOT_BASE/$1}

	[ "$(id -u)" = 0 ] || {
		echo "${0##*/}: needs root for chroot" >&2
		return 1
	}
	mkdir -p "$2"
	if [ -z "$base" ] || [ ! -e "$base/complete" ]; then
		[ -z "$base" ] || rm -rf "$base"
		debootstrap --variant=minbase "$1" "${base:-$2}" >"$2.log" 2>&1 || {
			tail "$2.log" >&2
			return 1
		}
		rm -f "$2.log"
		[ -z "$base" ] || : >"$base/complete"
	fi
	[ -z "$base" ] || cp -a "$base/." "$2"
	chmod 755 "$2" # ordinary users must be able to enter it: it becomes /
	cp /etc/resolv.conf "$2/etc/"
	apt-config dump | grep '^Acquire::' >"$2/etc/apt/apt.conf.d/99host" || :
}

# in_root FOLDER COMMAND: runs a command of the shell in it. The mounts are in their own namespace, and vanish with it.
in_root()
{
	unshare --mount bash -eu -c '
		mount -t proc proc "$1/proc"
		mount -t sysfs sysfs "$1/sys"
		mount --rbind /dev "$1/dev"
		exec env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb DEBIAN_FRONTEND=noninteractive \
			chroot "$1" sh -euc "cd /root; $2"
	' bash "$1" "$2" </dev/null
}
