# SPDX-License-Identifier: BSD-2-Clause
# Events of the same name have a table each.
. "$PK_TOP/tests/cli/pk-report/symbolized.bash"
two()
{ # PERIOD
	header
	event 1 7
	event 1 8
	event 0 9
	name 9 cycles
	feature GROUP_DESC 'group[0].name="{anon_group}" group[0].leader=0 group[0].members=2'
	comm 5 5 a
	comm 6 6 b
	sample 7 5 0x1000 "$1"
	sample 8 5 0x1000 100
	sample 8 6 0x1000 100
	sample 9 6 0x1000 7
}
two 1000 | assemble >one.pk
two 3000 | assemble >two.pk
try -s comm --show=share,samples one.pk
try -q --csv --by=comm --show=samples,period one.pk two.pk
try -q --json --by=event,comm --show=samples one.pk
try -q --json --by=comm --show=samples -e cpu-clock one.pk
try --group -s comm --show=share,samples one.pk
try -q --group --csv --by=comm --show=period one.pk
try -q --diff=one.pk --by=comm --show=base-period,period two.pk
try -q --csv --live=1s --by=comm --show=samples one.pk
