# SPDX-License-Identifier: BSD-2-Clause
# The kernel and its modules have the names that perf prints: [NAME] of a module, and the path of a BUILD_ID record
# that comes before the map. Text, JSON, conditions, and folded stacks of streams that are symbolized or not.
. "$PK_TOP/tests/cli/stream.bash"

# kernel_map START SIZE PGOFF FILE
kernel_map()
{
	{
		nums 44888 -1 0 "$1" "$2" "$3"
		text "$4"
		trailer 0
	} | record 1 1
}

# build_id MISC PATH
build_id()
{
	{
		nums 4888 -1 0x1111111111111111 0x2222222222222222 0
		text "$2"
		num 4 0
	} | record 67 "$1"
}

# kernel_sample IP
kernel_sample()
{
	nums 884488 7 "$1" 5 5 0 1000 | record 9 1
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
	build_id 2 /usr/lib/libc.so
	build_id 1 $drivers/net/dummy.ko
	all_maps
	build_id 1 $drivers/net/usbnet.ko
	comm 5 5 prog
	samples
} >table.pk
{
	header
	event 1 7
	name 7 cycles
	build_id 1 /lib/modules/6.1/nf_nat.ko
	build_id 1 /boot/vmlinux-6.1
	build_id 1 '[kernel.kallsyms]'
	all_maps
	comm 5 5 prog
	samples
} >vmlinux.pk
for file in table.pk vmlinux.pk; do
	echo $file
	pk-script -F ip,dso $file 2>/dev/null
	pk-fold $file 2>/dev/null
	pk-symbolize --symfs=/nonexistent $file 2>/dev/null >symbolized.pk
	pk-script -F ip,dso symbolized.pk 2>/dev/null
	pk-fold --by dso symbolized.pk 2>/dev/null
done
pk-filter --where 'dso == "[usbnet]"' table.pk | pk-script -F ip,dso 2>/dev/null
