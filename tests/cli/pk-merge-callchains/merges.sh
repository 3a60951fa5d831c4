# SPDX-License-Identifier: BSD-2-Clause
# Samples get their user halves; -v tells of it; what is left says so to the stages behind.
. "$PK_TOP/tests/cli/pk-merge-callchains/deferred.bash"
{
	header
	deferring 1
	name 1 cycles
	waiting 1 7 0x500000001 1000
	waiting 1 8 0x500000001 1500
	half 1 7 0x500000001 2000
	waiting 1 7 0x500000001 2500
	waiting 1 7 0x700000001 3000
	half 1 9 0x900000001 3500
	exits 1 8 4000
} | assemble >small.pk
pk-merge-callchains -v small.pk >merged.pk
echo "status $?"
samples <merged.pk
pk-merge-callchains -q --keep-deferred small.pk | samples
echo '-- the stages behind'
pk-symbolize merged.pk | pk-fold -q
pk-symbolize small.pk | pk-fold -q
pk-merge-callchains -q merged.pk | pk-script --dump - | grep -c 'chain_flags=0x1'
echo '-- limits'
pk-merge-callchains --max-wait=1 small.pk | samples | grep -c flags
pk-merge-callchains --max-wait=10,0 small.pk | samples | grep -c flags
