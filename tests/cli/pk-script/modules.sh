# SPDX-License-Identifier: BSD-2-Clause
# The kernel and its modules have the names that perf prints: [NAME] of a module, and the path of a BUILD_ID record
# that comes before the map. Text, JSON, conditions, and folded stacks of streams that are symbolized or not.
. "$PK_TOP/tests/cli/stream.bash"

# kernel_map START SIZE PGOFF FILE
kernel_map()
{
	echo "MMAP misc=(kernel) pid=-1 addr=$1 len=$2 pgoff=$3 filename=\"$4\""
}

# kernel_sample IP
kernel_sample()
{
	sample_of kernel 7 5 "$1" period=1000
}

drivers=/lib/modules/6.1/kernel/drivers
all_maps()
{
	kernel_map 0xffffffff81000000 0x1000000 0xffffffff81000000 '[kernel.kallsyms]_text'
	kernel_map 0xffffffffc0000000 0x1000 0 $drivers/net/usbnet.ko
	kernel_map 0xffffffffc0001000 0x1000 0 $drivers/net/nf-nat.ko.xz
	kernel_map 0xffffffffc0002000 0x1000 0 $drivers/gpu/a.kobold.ko.gz
	kernel_map 0xffffffffc0003000 0x1000 0 $drivers/net/dummy.ko
	kernel_map 0xffffffffc0004000 0x1000 0 '[virtio]'
	kernel_map 0xffffffffc0005000 0x1000 0 $drivers/blob
}

samples()
{
	for ip in 0xffffffff81000010 0xffffffffc000{0,1,2,3,4,5}010; do
		kernel_sample $ip
	done
}

{
	header
	event 1 7
	name 7 cycles
	build_id user /usr/lib/libc.so
	build_id kernel $drivers/net/dummy.ko
	all_maps
	build_id kernel $drivers/net/usbnet.ko
	comm 5 5 prog
	samples
} | assemble >table.pk
{
	header
	event 1 7
	name 7 cycles
	build_id kernel /lib/modules/6.1/nf_nat.ko
	build_id kernel /boot/vmlinux-6.1
	build_id kernel '[kernel.kallsyms]'
	all_maps
	comm 5 5 prog
	samples
} | assemble >vmlinux.pk
for file in table.pk vmlinux.pk; do
	echo $file
	pk-script -F ip,dso $file 2>/dev/null
	pk-fold --addresses $file 2>/dev/null
	pk-symbolize --symfs=/nonexistent $file 2>/dev/null >symbolized.pk
	pk-script -F ip,dso symbolized.pk 2>/dev/null
	pk-fold --by dso symbolized.pk 2>/dev/null
done
pk-filter --where 'dso == "[usbnet]"' table.pk | pk-script -F ip,dso 2>/dev/null
