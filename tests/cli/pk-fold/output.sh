# SPDX-License-Identifier: BSD-2-Clause
# -o, a full disk, a closed stdout
cd "$PK_TOP/format/vectors/good" || exit
pk-fold -q sample-callchains-le.pk >"$TMPDIR/expected"
pk-fold -q -o "$TMPDIR/found" sample-callchains-le.pk
echo "status $?"
cmp "$TMPDIR/expected" "$TMPDIR/found"
pk-fold -q -o - sample-callchains-le.pk | cmp "$TMPDIR/expected"
pk-fold -q sample-callchains-le.pk >/dev/full
echo "status $?"
pk-fold -q -o /dev/full sample-callchains-le.pk
echo "status $?"
