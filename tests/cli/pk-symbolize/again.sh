# SPDX-License-Identifier: BSD-2-Clause
# What is symbolized passes as it is; a dictionary that no sample refers to gives way to ours.
cd "$PK_TOP/format/vectors/good" || exit
pk-symbolize --kallsyms=/dev/null sample-callchains-le.pk >"$TMPDIR/once.pk"
echo "status $?"
pk-symbolize --kallsyms=/dev/null "$TMPDIR/once.pk" 2>"$TMPDIR/err" >"$TMPDIR/twice.pk"
echo "status $?"
sed "s|$TMPDIR|TMP|" "$TMPDIR/err"
{ pk-symbolize "$TMPDIR/once.pk" >/dev/null; } 2>&1 # without options: no message
pk-fold "$TMPDIR/once.pk" >"$TMPDIR/once"
pk-fold "$TMPDIR/twice.pk" | cmp - "$TMPDIR/once"
cat "$TMPDIR/once"
pk-script --dump "$TMPDIR/twice.pk" | grep -c '^  definition=2 '
pk-symbolize --kallsyms=/dev/null pk-no-trailer-le.pk | pk-fold
# one session that is, and one that is not
cat "$TMPDIR/once.pk" sample-callchains-be.pk | pk-symbolize -q --kallsyms=/dev/null | pk-fold -q
