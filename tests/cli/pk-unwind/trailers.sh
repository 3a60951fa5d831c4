# SPDX-License-Identifier: BSD-2-Clause
# Trailers count only if SESSION declares them: bytes with their tags are nothing else.
. "$PK_TOP/tests/cli/stream.bash"
declared()
{ # TRAILERS
	header
	event_of 7 'CALLCHAIN BRANCH_STACK' attr_size=96 branch_sample_type=0x801
	session "$1"
	comm 5 5 prog
	sample_of user 7 5 0x5012d8 'ips[0]=(user) ips[1]=0x5012d8 chain_flags=1 stack=0'
	echo '  branch[0]=0x501350 -> 0x5012d0'
	finish
}
for trailers in 0 1 2 3; do
	echo "== $trailers"
	declared $trailers | assemble >in.pk
	pk-unwind in.pk 2>&1 >out.pk | grep -v END
	pk-script --dump out.pk | grep -E 'chain_flags|^  stack=|trailers'
done
