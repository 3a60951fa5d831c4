# SPDX-License-Identifier: BSD-2-Clause
# The fields of the registers in samples of AMD's IBS are those of perf script -D, for random registers.
. "$PK_TOP/tests/live/fold.bash"
. "$PK_TOP/tests/live/perf.bash"
compare()
{
	perl "$PK_TOP/tests/live/ibs_perf.pl" make "$@" | "$PK_BUILD/tests/assemble/assemble" >ibs.pk || fail "cannot assemble: $*"
	pk-export perf.data -q -o ibs.data ibs.pk || fail "pk-export: $?"
	perf script -D -i ibs.data 2>perf.err | perl "$PK_TOP/tests/live/ibs_perf.pl" perf >perf.out
	pk-script --dump ibs.pk | perl "$PK_TOP/tests/live/ibs_perf.pl" pk >pk.out
	diff perf.out pk.out >difference || fail "$*: $(head -n 5 difference)"
	[ "$(grep -c = pk.out)" -gt $(($2 / 2)) ] || fail "only $(grep -c = pk.out) samples have fields"
}

zen4=0xfff
all=0x91fff
compare 1 300 AuthenticAMD,23,1,1 0x7ff
compare 2 300 AuthenticAMD,25,1,1 0x7ff # Zen 3, which has errata
[ "$perf_version" -ge 7 ] || exit 0 # older versions have other rules and fewer fields for newer processors
compare 3 300 AuthenticAMD,25,17,1 $zen4 zen4_ibs_extensions
compare 4 300 AuthenticAMD,26,2,1 0x1fff zen4_ibs_extensions ldlat
compare 5 300 AuthenticAMD,26,80,1 $all zen4_ibs_extensions ldlat dtlb_pgsize rmtsocket strmst
