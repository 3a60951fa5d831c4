# SPDX-License-Identifier: BSD-2-Clause
# A signal handler returns to the first byte of a function that nothing called. The byte before it is
# padding: the function's own name is shown.
mkdir -p fs/tmp
printf '1000 10 leaf\n1020 10 runtime.sigreturn.abi0\n1040 10 main\n' >fs/tmp/perf-100005.map
perl -e '
	sub record { my ($type, $misc, $body) = @_; print pack("LSS", $type, $misc, 8 + length $body), $body }
	print "PERFILE2", pack("Q", 16);
	# IP, TID, TIME, CALLCHAIN, IDENTIFIER
	record(64, 0, pack("LLQQQQQLLx40", 1, 96, 0, 1, 0x10027, 0, 0, 0, 0) . pack("Q", 7));
	record(3, 0, pack("LLa8", 100005, 100005, "prog"));
	record(1, 2, pack("LLQQQa8", 100005, 100005, 0x1000, 0x1000, 0, "//anon"));
	record(9, 2, pack("QQLLQQQ4", 7, 0x1005, 100005, 100005, 1, 4, 0xfffffffffffffe00, 0x1005, 0x1020, 0x1045));
' >go.pk
pk-symbolize -q --symfs=fs go.pk | pk-fold -q
