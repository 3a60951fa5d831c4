# SPDX-License-Identifier: BSD-2-Clause
# long
# A hundred ways to get an event wrong: each is told with a caret below the place, and exit status 2.
. "$PK_TOP/tests/live/fake_sysfs.bash"
fake_sysfs intel
export SYSFS_PATH=$PWD/intel
count=0
while IFS= read -r expression; do
	count=$((count + 1))
	pk-record -o none.pk -e "$expression" -- true 2>err
	[ $? = 2 ] || echo "$expression: not status 2"
	[ "$(wc -l <err)" = 3 ] || echo "$expression: $(wc -l <err) lines"
	sed -n '3{/^pk-record: *^$/!s/$/ no caret/p}' err
	sed 's/^pk-record: //' err >&2
done <<'LIST'

,
cycles,
,cycles
cycles,,cs
cycle
Cycles
cycles instructions
cycles:
cycles:x
cycles:ux
cycles:uu
cycles:pppp
cycles:kpppp
cycles::u
cycles:u:k
cycles:u,cs:y
cycles/
cycles//x
cycles/period/
cycles/period=/
cycles/period=x/
cycles/period=0/
cycles/period=-1/
cycles/period=99999999999999999999/
cycles/freq=0/
cycles/freq=fast/
cycles/freq=2000000000/
cycles/=5/
cycles/,/
cycles/period=5,/
cycles/period=5,,freq=3/
cycles/foo/
cycles/foo=1/
cycles/name=/
cycles/name='a/
cycles/call-graph/
cycles/call-graph=magic/
cycles/max-stack=0/
cycles/max-stack=70000/
cycles/stack-size=0/
cycles/stack-size=70000/
cycles/time=2/
cycles/time=no/
cycles/inherit=2/
cycles/no-inherit=x/
cycles/overwrite=5/
cycles/percore=2/
cycles/branch_type=sideways/
cycles/branch_type/
cycles/aux-sample-size=x/
cycles/period=5/x
cycles/period=5/u:k
cycles/period=5/u k
cycles/period=5
cycles/period=5}/
cycles}
}
{
{}
{cycles
{cycles,
{cycles,}
{,cycles}
{cycles}}
{{cycles}}
{cycles cs}
{cycles,cs}u
{cycles,cs}:
{cycles,cs}:x
{cycles,cs}:SS
{cycles,cs}:S:u
{cycles:pp,cs}:pp
group{cycles
cpu
cpu/
cpu/event/x
cpu/event=0x100/
cpu/event=x/
cpu/event=0x/
cpu/event=3c/
cpu/umask=256/
cpu/inv=2/
cpu/ldlat=65536/
cpu/foo/
cpu/foo=1/
cpu/mem-loads=5/
cpu/config=x/
cpu/config4=1/
cpu/event=1,umask=2,foo/
cpux/event=1/
nothing/event=1/
../cpu/event=1/
uncore_imc/foo/
r
rxyz
r1ffffffffffffffff
1:
1:x
99999999999:1
mem
mem:
mem:x
mem:0x
mem:0x1000/
mem:0x1000/3
mem:0x1000/16:w
mem:0x1000:
mem:0x1000:rr
mem:0x1000:rwz
mem:0x1000:w:q
mem:0x1000/4:w/5
mem:0x10000000000000000
L1-dcache
L1-dcache-
L1-dcache-foo
LLC-load-misses-x
node-
dTLB-misses-misses-misses
:u
a/../b:c
..:x
cs,sched:
cpu/event=1/,cpu/ev
cs/period=5
{cs,cpu/event=1/
{{cs}}
{cs}:S:u
{cs}/x/
{cs}{faults}
}
mem-loads/ldlat=30,foo/
mem-loads/ldlat=99999999/
mem-loads/aux-output=2/
mem-loadz/ldlat=30/
uncore_imx*/event=1/
cs/aux-action=stop/
cs/name='a,b/
größe
cs,größe/ü=1/
cycles/name=größe/,x
%s%n/x
4294967296:0
LIST
[ $count -ge 100 ] || echo "only $count"

# As long as an argument can be, and what is in the way of a terminal.
long=$(printf '%0120000d' 0)
for expression in "mem:${long}1:w" "cs/name=$long/" "cs/period=${long}5/" "cpu/event=${long}1/"; do
	pk-record -o long.pk -e "$expression" -- true 2>err
	[ $? -le 2 ] || echo "${expression:0:20}: $(tail -c 200 err)"
done
for expression in "$long" "cs/name=$long/,x" "cs:$long" "{$long" "${long//0/\{}" "cs/$long" "mem:${long}x" "r$long" "sched:$long" \
	$'cs\e[31m' $'cs\n,x' $'cs/name=\a/,x'; do
	pk-record -o none.pk -e "$expression" -- true 2>err
	[ $? = 2 ] || echo "${expression:0:20}: not status 2"
	[ "$(wc -c <err)" -lt 1000 ] || echo "${expression:0:20}: $(wc -c <err) bytes"
	! LC_ALL=C tr -d '\n' <err | LC_ALL=C grep -q '[[:cntrl:]]' || echo "${expression:0:20}: control bytes"
done
