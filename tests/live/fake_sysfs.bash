# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=bash
# fake_sysfs TREE: makes the directory TREE with the files of sysfs for PMUs on such a machine.
fake_sysfs()
{
	local tree path content
	mkdir -p "$1/devices"
	ln -sfn /sys/devices/system "$1/devices/system"
	while read -r tree path content; do
		case $tree in
		"$1" | '*') ;;
		*) continue ;;
		esac
		mkdir -p "$1/bus/event_source/devices/${path%/*}"
		echo "$content" >"$1/bus/event_source/devices/$path"
	done <"$PK_TOP/tests/data/pmus.txt"
}
