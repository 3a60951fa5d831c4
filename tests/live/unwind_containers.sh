# SPDX-License-Identifier: BSD-2-Clause
# long
# --call-graph unwind and containers. From outside: programs in mount and pid namespaces of their own, whose root is a tmpfs or an
# overlay, with files of their own. Inside, where BPF programs cannot be loaded, auto takes stack dumps, and -v has the reason.
. "$PK_TOP/tests/live/fold.bash"
command -v setpriv >/dev/null || skip "no setpriv here"
pk-record -q --call-graph unwind -e cpu-clock -o probe.pk -- true 2>err || skip "stacks cannot be unwound in the kernel here: $(tail -n 1 err)"
unshare --mount --pid --fork sh -c 'mount -t tmpfs none /tmp' 2>/dev/null || skip "no mount and pid namespaces here"

compile unwinding.c boxed -O2 -fomit-frame-pointer -fno-optimize-sibling-calls -fno-ipa-icf || fail "$(cat compile.err)"
mkdir -p image/bin image/proc mnt
cp boxed image/bin
ldd boxed | grep -o '/[^ ]*' | while read -r library; do
	mkdir -p "image${library%/*}" && cp -L "$library" "image$library"
done

cat >contained.sh <<'END'
set -e
kind=$1
shift
mount -t tmpfs none mnt
case $kind in
tmpfs) cp -r image mnt/root ;;
overlay)
	mkdir mnt/upper mnt/work mnt/root
	mount -t overlay -o "lowerdir=$PWD/image,upperdir=$PWD/mnt/upper,workdir=$PWD/mnt/work" none mnt/root 2>/dev/null || exit 77
	;;
esac
mount -t proc none mnt/root/proc
exec chroot mnt/root /bin/boxed "$@"
END
contained=(unshare --mount --pid --fork sh contained.sh)

# reaches HOW [LEAST]: in named.pk, there are at least so many stacks of burn, and they have all calls from main on.
reaches()
{
	pk-fold -q --weight samples named.pk >folded || fail "$1: status $?"
	awk -v least="${2-40}" '/^boxed;.*;burn[ ;]/ { n += $NF; if (/^boxed;(_start|\[boxed\]);.*;main;[a-z_]+;.*;burn[ ;]/) m += $NF }
		END { exit !(n >= least && m >= n * 0.99) }' folded ||
		fail "$1: $(grep '^boxed;' folded | cut -c1-200 | head -n 20)" "$(cat err)"
}

for kind in tmpfs overlay; do
	pk-record -q -F 999 -e cpu-clock --call-graph unwind -o out.pk -- "${contained[@]}" $kind calls sorts dynamic 2>err
	status=$?
	[ $status != 77 ] || continue
	[ $status = 0 ] || fail "$kind: status $status: $(cat err)"
	pk-symbolize -q --symfs image out.pk >named.pk && reaches $kind
	# One that runs already. Signals do not end it: it is the first process of its namespace.
	# shellcheck disable=SC2046 # words
	"${contained[@]}" $kind $(yes calls | head -n 1000) &
	for _ in $(seq 100); do
		pid=$(pgrep -x boxed -P $!) && break
		sleep 0.1
	done
	[ -n "$pid" ] || fail "$kind: boxed did not start"
	pk-record -q -F 999 -e cpu-clock --call-graph unwind -p "$pid" -- sleep 0.5 2>err | pk-symbolize -q >named.pk
	reaches "$kind, -p"
	pk-record -q -F 499 -a -e cpu-clock --call-graph unwind -- sleep 1 2>err | pk-symbolize -q >named.pk
	reaches "$kind, -a" 5
	kill -9 "$pid"
	wait
done

# inside REASON COMMAND...: what auto does in such surroundings
inside()
{
	local reason=$1
	shift
	"$@" pk-record -v -F 999 -e cpu-clock:u --call-graph auto -o in.pk -- ./boxed calls sorts >said 2>err || fail "$*: $(cat err)"
	[ "$(grep -c "does not keep frame pointers: --call-graph dwarf (--call-graph unwind: .*$reason" err)" = 1 ] || fail "$*: $(cat err)"
	pk-unwind -q in.pk 2>err | pk-symbolize -q >named.pk && reaches "$*"
}
inside 'CAP_BPF and CAP_PERFMON are missing' setpriv --bounding-set=-bpf,-sys_admin --inh-caps=-bpf,-sys_admin
inside 'not supported inside a pid namespace (a container)' unshare --mount --pid --fork --mount-proc
inside 'not supported inside a pid namespace (a container)' unshare --mount --pid --fork --mount-proc setpriv --bounding-set=-bpf,-sys_admin \
	--inh-caps=-bpf,-sys_admin
! unshare --user --map-root-user --pid --fork true 2>/dev/null ||
	inside 'not supported inside a pid namespace (a container)' unshare --user --map-root-user --mount --pid --fork
exit 0
