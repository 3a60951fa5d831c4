#!/bin/bash
# SPDX-License-Identifier: BSD-2-Clause
# fleet/check_units.sh: a part of `make fleet-check`. Starts a Debian 12 with systemd in a container, installs pk there, and runs the units:
# pk-record.service records, and pk-ship.service starts pk-inject.service and copies the files. Needs root, debootstrap and systemd-nspawn;
# tests/chroot.bash has the rest.
set -eu -o pipefail
top=$(cd "$(dirname "$0")/.." && pwd)
bin=$(cd "$top/${B:-build}/bin" && pwd)
export LC_ALL=C SYSTEMD_NSPAWN_UNIFIED_HIERARCHY=1
. "$top/tests/chroot.bash"
command -v systemd-nspawn >/dev/null || apt-get install -y --no-install-recommends systemd-container >/dev/null
work=$(mktemp -d /var/tmp/pk-units.XXXXXX) root=$work/root container='' init='' busy=''
trap '[ -z "$busy" ] || kill $busy 2>/dev/null || :; [ -z "$init" ] || kill -s RTMIN+4 "$init"; [ -z "$container" ] || wait "$container" || :; rm -rf "$work"' EXIT

wrong()
{
	echo "fleet-check: units: $*" >&2
	[ -z "$init" ] || inside journalctl --no-pager -o cat -n 20 -u pk-record -u pk-inject -u pk-ship >&2
	exit 1
}

# inside COMMAND...: in the container
inside()
{
	nsenter -t "$init" -a -- "$@"
}

# until_true COMMAND...: within a minute
until_true()
{
	for _ in {1..600}; do
		! "$@" >/dev/null 2>&1 || return 0
		sleep 0.1
	done
	wrong "not within a minute: $*"
}

new_root bookworm "$root"
# The packages of the libraries that pk is linked with.
libraries=$(ldd "$bin"/pk-* | awk '$2 == "=>" { print $3 }' | sort -u | xargs readlink -f | sed 's|^/usr||' | while read -r file; do
	dpkg -S "*$file"; done | sed 's/:.*//' | sort -u)
in_root "$root" "apt-get -qq update
	apt-get -qq install -y --no-install-recommends systemd systemd-sysv dbus rsync zstd $(echo "$libraries" | tr "\n" " ") >/dev/null 2>&1
	useradd -r -d /var/spool/pk -s /usr/sbin/nologin pk
	install -d -o pk -g pk -m 700 /var/spool/pk /srv/incoming
	mkdir -p /etc/pk /etc/systemd/system/pk-record.service.d /etc/systemd/system/pk-ship.service.d"
make -s -C "$top" install DESTDIR="$root" >/dev/null
cp "$root"/usr/local/share/pk/fleet/pk-*.service "$root"/usr/local/share/pk/fleet/pk-*.timer "$root/etc/systemd/system"
printf 'PK_SERVICE=check\nPK_SPLIT=2s\n' >"$root/etc/pk/pk-record.env"
echo 'PK_TARGET=/srv/incoming' >"$root/etc/pk/pk-ship.env"
printf '[Service]\nExecStartPre=\n' >"$root/etc/systemd/system/pk-record.service.d/check.conf" # no random start
printf '[Service]\nReadWritePaths=/srv/incoming\n' >"$root/etc/systemd/system/pk-ship.service.d/check.conf"
# perf_event_open is not allowed in a container by default.
systemd-nspawn -q --register=no --keep-unit -D "$root" -b --capability=all --system-call-filter=perf_event_open --console=pipe \
	>"$work/log" 2>&1 </dev/null &
container=$!
until_true pgrep -P $container
init=$(pgrep -P $container)
until_true inside systemctl is-active dbus

inside systemctl start pk-record.service
closed()
{
	[ "$(find "$root/var/spool/pk" -maxdepth 1 -name '[!.]*.pk.zst' | wc -l)" -ge 3 ]
}
# System calls to record, also on an idle machine.
dd if=/dev/zero of=/dev/null bs=1 status=none &
busy=$!
until_true closed
kill $busy
inside systemctl is-active -q pk-record.service || wrong 'pk-record.service does not run'
pid=$(inside systemctl show -P MainPID pk-record.service)
inside grep -E '^(Uid|CapEff|NoNewPrivs)' "/proc/$pid/status" | paste -sd ' '
inside grep -q '^Uid:.0' "/proc/$pid/status" && wrong 'pk-record runs as root'
inside systemctl start pk-ship.service || wrong 'pk-ship.service failed'
file=$(find "$root/srv/incoming" -name '*.pk.zst' | sort | head -n 1)
[ -n "$file" ] || wrong 'no file has arrived'
[ "$(stat -c %a "$file")" = 600 ] || wrong 'others can read the files'
# The names of the kernel come from the container: they are in the file.
"$bin/pk-script" -q --dump "$file" >"$work/dump"
symbols=$(grep -c 'do_syscall_64\|x64_sys_call\|el0_svc' "$work/dump" || :)
"$bin/pk-report" -q --by label.service "$file" >"$work/report"
grep -q check "$work/report" || wrong 'the label is missing'
[ "$symbols" -gt 0 ] || wrong 'pk-inject.service has added no names of the kernel'
inside systemctl stop pk-record.service
[ "$(inside systemctl is-failed pk-record.service)" = inactive ] || wrong 'pk-record.service failed at its end'
echo "units: $(find "$root/srv/incoming" -name '*.pk.zst' | wc -l) files arrived, with names of the kernel"
