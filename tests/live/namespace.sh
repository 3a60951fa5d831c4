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
	unshare --mount sh -c 'mount -t tmpfs none there && cp w there/w && exec there/w "$@"' sh "$@"
}

in_chroot()
{
	chroot root /there/w "$@"
}

export -f in_namespace in_chroot
for where in in_namespace in_chroot; do
	# Long enough for the symbolizer to get to it while it runs.
	pk-record -F 999 -e cpu-clock -g -- bash -c "$where calls calls calls calls calls calls calls calls" 2>err |
		tee out.pk | pk-symbolize 2>>err | pk-fold >folded 2>>err
	[ "${PIPESTATUS[*]}" = '0 0 0 0' ] || fail "status ${PIPESTATUS[*]}: $(cat err)"
	shows w 'main;outermost;middle;innermost;burn' 400
	fold out.pk
	shows_not 'outermost'
	shows w '(\[w\];){4}\[w\]' 400
done
exit 0
