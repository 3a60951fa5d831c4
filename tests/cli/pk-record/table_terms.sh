# SPDX-License-Identifier: BSD-2-Clause
# Terms can be added to an event of a table, which has a period of its own.
mkdir -p sysfs/bus/event_source/devices/cpu/format
cd sysfs/bus/event_source/devices/cpu || exit
echo 4 >./type
echo config:0-7 >format/event
echo config:8-15 >format/umask
echo config:24-31 >format/cmask
cd - >/dev/null || exit
echo '[{"EventName":"retired.slots","EventCode":"0xc2","UMask":"0x2","SampleAfterValue":"2000003"}]' >events.json
export SYSFS_PATH=$PWD/sysfs
pk-record --events-dir events.json -e retired.slots -e cpu/retired.slots,cmask=1/ -e cpu/period=7000,retired.slots/ --dry-run true
pk-record --events-dir events.json -e cpu/retired.slots,inv=1/ --dry-run true || echo $?
