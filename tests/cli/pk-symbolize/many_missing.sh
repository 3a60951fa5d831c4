# SPDX-License-Identifier: BSD-2-Clause
# The first five files of another build are reported, and that there are more. -v prints all.
. "$PK_TOP/tests/cli/stream.bash"
mkdir -p fs/bin
{
	header
	event 1 7
	comm 5 5 prog
	for i in {1..8}; do
		cp "$PK_BUILD/tests/assemble/assemble" "fs/bin/f$i"
		echo "MMAP2 misc=0x4002 pid=5 tid=5 addr=$((i * 65536)) len=0x1000 build_id_size=8 build_id=01020304050607080000000000000000"
		echo "  prot=5 flags=2 filename=\"/bin/f$i\""
		sample 7 5 $((i * 65536 + 16))
	done
} | assemble >missing.pk
readelf -n fs/bin/f1 2>/dev/null | grep -q 'Build ID' || skip "programs have no build-id"
{ pk-symbolize --symfs=fs missing.pk >/dev/null; } 2>&1
echo
{ pk-symbolize -v --symfs=fs missing.pk >/dev/null; } 2>&1 | grep "another build"
