# SPDX-License-Identifier: BSD-2-Clause
# The counters in samples of s390: counter sets, and counters of the Processor Activity Instrumentation.
. "$PK_TOP/tests/cli/pk-script/s390.bash"
s390 s390x | assemble >s390.pk
pk-script --dump s390.pk | shown
echo '== another machine'
s390 ppc64 | assemble | pk-script --dump | shown | sed -n '/raw\./p'
