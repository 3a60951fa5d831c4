# SPDX-License-Identifier: BSD-2-Clause
# The sizes of modules are those of all their memory, of which only the code is at their addresses: modules whose maps
# overlap, in either order, of the host and of a guest.
. "$PK_TOP/tests/cli/stream.bash"
for order in 'first second third' 'third first second' 'second third first'; do
	echo "== $order"
	{
		header
		event 1 7
		name 7 cycles
		comm 5 5 qemu
		for mode in kernel guest-kernel; do
			for module in $order; do
				case $module in
				first) echo "MMAP misc=($mode) pid=-1 tid=0 addr=0xffffffffc0000000 len=0x4000 filename=\"[first]\"" ;;
				second) echo "MMAP misc=($mode) pid=-1 tid=0 addr=0xffffffffc0001000 len=0x172000 filename=\"[second]\"" ;;
				third) echo "MMAP misc=($mode) pid=-1 tid=0 addr=0xffffffffc0095000 len=0x27000 filename=\"[third]\"" ;;
				esac
			done
			for ip in 0xffffffffc0000fff 0xffffffffc0001000 0xffffffffc0094fff 0xffffffffc0095000 0xffffffffc00bbfff; do
				sample_of $mode 7 5 $ip time=1 period=1000
			done
		done
		finish
	} | assemble | pk-script -q --kallsyms /dev/null -F misc,ip,dso
done
