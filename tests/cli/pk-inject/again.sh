# SPDX-License-Identifier: BSD-2-Clause
# What has symbols already passes as it is, and so does what has stacks. Symbols stay when stacks come.
cd "$PK_TOP/format/vectors/good" || exit
pk-inject pk-offsite-le.pk 2>"$TMPDIR/err" | pk-script --dump | grep -c 'definition=1[1-4]'
sed "s|$TMPDIR|TMP|" "$TMPDIR/err"
{ pk-inject pk-definitions-be.pk >/dev/null; } 2>&1
# The golden stream's sample at 0x401000 is offset 0x1000 of the file, where main() is said to be.
pk-symbolize -q pk-offsite-le.pk | tee "$TMPDIR/symbolized.pk" | pk-fold -q
pk-script --dump "$TMPDIR/symbolized.pk" | grep -c 'definition=1[1-4]'
pk-script -q -F comm,ip,sym pk-offsite-be.pk
