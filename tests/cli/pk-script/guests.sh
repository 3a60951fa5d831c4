# SPDX-License-Identifier: BSD-2-Clause
# Samples in the kernels of virtual machines have the names of --guest-kallsyms. Process 5 runs a guest whose kernel is
# 0x10000000 above the addresses of that file; process 6 runs one without maps. No name is that of the host's kernel.
. "$PK_TOP/tests/cli/stream.bash"
symbols=$PK_TOP/tests/data/guests/kallsyms
{
	header
	event 1 7
	name 7 cycles
	comm 5 5 qemu
	comm 6 6 qemu2
	echo 'MMAP misc=(guest-kernel) pid=5 tid=5 addr=0xffffffff91000000 len=0x1000000 pgoff=0xffffffff91000000'
	echo '  filename="[guest.kernel.kallsyms.5]_text"'
	for pid in 5 6; do
		for ip in 0xffffffff91002010 0xffffffff81002010 0xffffffffc0001004; do
			sample_of guest-kernel 7 $pid $ip time=1 period=1000
		done
		sample_of guest-user 7 $pid 0x400010 time=1 period=1000
		sample_of kernel 7 $pid 0xffffffff81002010 time=1 period=1000
	done
	finish
} | assemble >guests.pk

echo "== names"
pk-script -q --guest-kallsyms "$symbols" -F pid,ip,sym,symoff,dso guests.pk
echo "== modes"
pk-report -q --by mode,symbol,dso --show samples --guest-kallsyms "$symbols" guests.pk
echo "== guests by process"
pk-report -q --by pid,symbol --where 'mode == "guest_kernel"' --show samples --guest-kallsyms "$symbols" guests.pk
echo "== symbolized"
pk-symbolize -q --guest-kallsyms "$symbols" guests.pk >symbolized.pk
pk-script -q -F pid,ip,sym,dso symbolized.pk
echo "== folded"
pk-fold -q symbolized.pk
echo "== no option"
pk-filter --where 'pid == 5' guests.pk | pk-script -F ip,sym,dso
echo "== no such file"
pk-symbolize -v --guest-kallsyms none guests.pk 2>&1 >none.pk | grep -a guest

echo "== modules"
printf '%s\n' 'nf_guest 8192 1 other, Live 0xffffffffc0001000 (OE)' 'other 4096 0 - Live 0xffffffffc0010000' \
	'hidden 4096 0 - Live 0x0000000000000000' 'no module' 'huge 99999999999999999999 0 - Live 0xffffffffc0020000' \
	'last 18446744073709551615 0 - Live 0xffffffffc0030000' '' >modules
{
	header
	event 1 7
	name 7 cycles
	comm 6 6 qemu2
	for ip in 0xffffffff81002010 0xffffffffc0001004 0xffffffffc0002fff 0xffffffffc0003000 0xffffffffc0010000 \
		0xffffffffc0020000 0xffffffffc0030000; do
		sample_of guest-kernel 7 6 $ip time=1 period=1000
		sample_of kernel 7 6 $ip time=1 period=1000
	done
	finish
} | assemble >modules.pk
pk-script -q --guest-kallsyms "$symbols" --guest-modules modules -F misc,ip,sym,symoff,dso modules.pk
echo "== no list of symbols"
pk-script -q --guest-modules modules -F misc,ip,sym,dso modules.pk | grep G
echo "== no list of modules"
pk-script -q --guest-modules none -F ip modules.pk >none.out || echo "exit $?"
echo "== a folder for each guest"
for pid in 5 6; do
	mkdir -p roots/$pid/proc
	sed "s/guest_work/work_of_$pid/; s/nf_/nf${pid}_/" "$symbols" >roots/$pid/proc/kallsyms
	sed "s/nf_/nf${pid}_/" modules >roots/$pid/proc/modules
done
mkdir -p roots/07x/proc roots/99999999999/proc
{
	header
	event 1 7
	name 7 cycles
	for pid in 5 6 7; do
		comm $pid $pid qemu
		for ip in 0xffffffff81002010 0xffffffffc0001004; do
			sample_of guest-kernel 7 $pid $ip time=1 period=1000
		done
		echo "EXIT pid=$pid tid=$pid ppid=1 ptid=1"
	done
	sample_of guest-kernel 7 5 0xffffffff81002010 time=2 period=1000
	finish
} | assemble >three.pk
pk-script -q --guest-symfs roots -F pid,ip,sym,dso three.pk
echo "== and for others"
pk-symbolize -q --guest-symfs roots --guest-kallsyms "$symbols" three.pk | pk-report -q --by pid,symbol,dso --show samples
echo "== no such folder"
pk-script -q --guest-symfs none -F ip three.pk >none.out || echo "exit $?"
