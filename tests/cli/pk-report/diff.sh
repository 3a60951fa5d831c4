# SPDX-License-Identifier: BSD-2-Clause
# Comparisons with one base, and with several.
. "$PK_TOP/tests/cli/pk-report/symbolized.bash"
symbolized | assemble >old.pk
# Another build: other numbers of frames, f takes longer, g is now h.
symbolized | sed 's/text="g"/text="h"/; s/period=300 /period=900 /; s/period=200 /period=100 /' | assemble >new.pk
symbolized | sed 's/id=8 ip/id=7 ip/; s/text="inlined"/text="outlined"/' | assemble >third.pk
try --diff=old.pk new.pk
try -q --diff=old.pk -s comm,dso,sym -e cpu-clock new.pk
try --diff=old.pk --show=baseline,delta -e cpu-clock new.pk
try --diff=old.pk --show=baseline,ratio -e cpu-clock new.pk
try --diff=old.pk --show=baseline,wdiff -e cpu-clock new.pk
try --diff=old.pk --show=baseline,wdiff:1:2 -e cpu-clock new.pk
try --diff=old.pk --show-total-period -e cpu-clock new.pk
try --diff=old.pk -n -e cpu-clock -t , new.pk
try --diff=old.pk -q --order=baseline -e cpu-clock new.pk
try --diff=old.pk -q --order=delta-abs:asc --limit=3 -e cpu-clock new.pk
try --diff=old.pk -q --percent-limit=30 -e cpu-clock new.pk
try --diff=old.pk -q -F ratio,symbol,share,samples -e cpu-clock new.pk
try --diff=old.pk --csv --show=baseline,delta,ratio,wdiff,base-period,period -e cpu-clock new.pk
try --diff=old.pk --json --show=baseline,delta,ratio,wdiff --by=symbol -e cpu-clock new.pk
try --diff=old.pk -q --by=event,dso new.pk
try --diff=old.pk -q --hierarchy --by=dso,symbol -e cpu-clock new.pk
try --diff=old.pk --diff=third.pk -e cpu-clock new.pk
try --diff=old.pk --diff=third.pk --csv --show=baseline,ratio,samples --by=symbol -e cpu-clock new.pk
try --diff=old.pk -q --order=delta-abs/2 --diff=third.pk --by=symbol -e cpu-clock new.pk
try --diff=old.pk -q new.pk new.pk -e cpu-clock
# An event of one side only.
try --diff=old.pk --by=dso third.pk
symbolized | sed 's/name=cycles/name=cache/; s/name="cycles"/name="cache"/' | assemble >events.pk
try --diff=old.pk -e cycles -e cache events.pk
try --show=delta old.pk
try --diff=old.pk --show=wdiff:1 new.pk
try --diff=old.pk --group new.pk
try --diff=old.pk -g caller new.pk
try --diff=old.pk -o old.pk new.pk
try --diff=missing.pk -q new.pk
bases=()
for i in 1 2 3 4 5 6 7 8 9; do bases+=(--diff=old.pk); done
try "${bases[@]}" new.pk
try --diff=old.pk --header --live=1s new.pk
