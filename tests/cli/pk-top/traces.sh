# SPDX-License-Identifier: BSD-2-Clause
# A trace that nobody has decoded is reported at the end, with its kind.
. "$PK_TOP/tests/cli/pk-top/screen.bash"
. "$PK_TOP/tests/cli/pk-decode/spe.bash"
for kind in 1 3 4; do # Intel PT, CoreSight, SPE
	{
		head_of_trace | sed "s/aux_type=4/aux_type=$kind/"
		trace 0 0 0 00112233445566778899aabbccddeeff
		echo 'SAMPLE misc=(user) id=8 ip=0x401000 pid=5 tid=5 time=100 period=1 cpu=0'
	} | assemble >trace.pk
	start 'pk-top trace.pk 2>err'
	await 'run pk-decode before pk-top'
	keys q
	ended
	grep trace err
done
