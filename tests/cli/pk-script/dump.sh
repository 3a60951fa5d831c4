# SPDX-License-Identifier: BSD-2-Clause
# Several inputs, one of them stdin, one of them bad; a full disk.
cd "$PK_TOP/format/vectors" || exit
pk-script --dump good/header-only-be.pk - bad/size-4.pk <good/sample-plain-le.pk
echo "exit $?"
pk-script --dump good/like-perf-le.pk >/dev/full
echo "exit $?"
