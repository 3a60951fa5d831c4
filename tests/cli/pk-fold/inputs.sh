# SPDX-License-Identifier: BSD-2-Clause
# Several files, several sessions in one, compressed or not, in either byte order: one sum.
cp "$PK_TOP"/format/vectors/{good/sample-callchains-?e,good/pk-two-sessions,bad/cut-record-le,bad/no-end*}.pk .
try()
{
	echo "$ pk-fold $*"
	pk-fold --addresses -q "$@" 2>&1
	echo "status $?"
}
try sample-callchains-le.pk
try sample-callchains-be.pk
try sample-callchains-le.pk sample-callchains-be.pk
cat sample-callchains-le.pk sample-callchains-be.pk | try
cat sample-callchains-be.pk | try sample-callchains-le.pk -
zstd -q <sample-callchains-le.pk >one.zst
try one.zst
cat one.zst sample-callchains-be.pk | try
# one that cannot be read does not keep the others from being folded
try /nonexistent sample-callchains-le.pk cut-record-le.pk
# symbolized and not
cat pk-two-sessions.pk sample-callchains-le.pk | try
# without its END
try no-end-le.pk
try no-end-then-another.pk
