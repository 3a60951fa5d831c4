# SPDX-License-Identifier: BSD-2-Clause
# A program that sees other files than we do: in a mount namespace of its own, and in a chroot. Live,
# while it runs, its files are found; afterwards there is nothing to be found, and nothing else, which
# is at the same place here, is taken for it.
. "$PK_TOP/tests/live/fold.bash"

mkdir -p there root
compile work.c there/w -static || fail "$(cat compile.err)"
cp there/w w
echo 'not this one' >there/w
mkdir root/there
cp w root/there/w
unshare --mount true 2>/dev/null || skip "no mount namespaces here"

in_namespace()
{
	# shellcheck disable=SC2016 # the inner shell's
	exec unshare --mount sh -c 'mount -t tmpfs none there && cp w there/w && exec there/w "$@"' sh "$@"
}

in_chroot()
{
	exec chroot root /there/w "$@"
}

export -f in_namespace in_chroot
for where in in_namespace in_chroot; do
	mkfifo stream
	pk-record -F 999 -e $event -g -o stream -- bash -c "$where $(yes calls | head -n 1000 | tr '\n' ' ')" 2>err &
	recorder=$!
	tee out.pk <stream | pk-symbolize -q >symbolized.pk &
	# It runs until names have come out at the end.
	for _ in $(seq 200); do
		pk-fold -q symbolized.pk >folded 2>/dev/null
		! grep -q '^w;.*;innermost;' folded || break
		sleep 0.1
	done
	kill $recorder
	wait
	rm stream
	pk-fold -q symbolized.pk >folded || fail "$where: status $?"
	shows w 'main;outermost;middle;innermost;burn' 30
	shows_not '\[w\]'
	fold out.pk
	shows_not 'outermost'
	shows w '(\[w\];){4}\[w\]' 30
done
# Two programs without build-ids at the same place, in two namespaces: each has its own names.
mkdir same
for name in first second; do
	printf 'int %s_only(void){volatile int i=0;for(;;i++);}int main(void){return %s_only();}' $name $name >$name.c
	${CC:-cc} -O0 -Wl,--build-id=none -o $name $name.c 2>err || fail "$(cat err)"
done
mkfifo stream
pk-record -F 999 -e $event -g -o stream -- bash -c '
	for name in first second; do
		unshare --mount sh -c "mount -t tmpfs none same && cp $name same/w &&
			echo \$\$ >$name.pid && exec same/w" &
	done
	wait' 2>err &
recorder=$!
pk-symbolize -q <stream >symbolized.pk &
for _ in $(seq 200); do
	pk-fold -q symbolized.pk >folded 2>/dev/null
	! grep -q first_only folded || ! grep -q second_only folded || break
	sleep 0.1
done
kill $recorder "$(cat first.pid)" "$(cat second.pid)"
wait
pk-fold -q symbolized.pk >folded || fail "the same place: status $?"
shows w 'main;first_only' 10
shows w 'main;second_only' 10
exit 0
