# SPDX-License-Identifier: BSD-2-Clause
# pk-fold's weights beside what a few lines of awk and perl make of pk-script's output.
. "$PK_TOP/tests/corpus/corpus.bash"
data=$PK_CORPUS/own/x86_64-7.2/data

# Bytes by thread: the field as the tracepoint's text has it.
pk-fold -q --weight=bytes_alloc --sort=weight "$data/kmem.data" 2>err |
	awk '{ n = $NF; sub(/;.*/, ""); sum[$0] += n } END { for (i in sum) print i, sum[i] }' | sort >folded
pk-script -q -F comm,trace "$data/kmem.data" 2>err |
	awk '/bytes_alloc=/ { match($0, /bytes_alloc=[0-9]+/); n = substr($0, RSTART + 12, RLENGTH - 12)
		sub(/^ */, ""); sub(/ +(call_site|name)=.*/, ""); gsub(/ /, "_"); sum[$0] += n }
		END { for (i in sum) print i, sum[i] }' | sort >expected
same "bytes by thread"

# Latency by thread: the period, divided by the threads of its process that are switched in.
pk-fold -q --weight=latency --by=comm,tid "$data/threads.latency.data" 2>err |
	awk '{ n = $NF; split($0, part, ";"); sum[part[1] ";" part[2]] += n } END { for (i in sum) print i, sum[i] }' | sort >folded
pk-script -q --json "$data/threads.latency.data" | perl -ne '
	sub run { my ($pid, $tid, $on) = @_; return if !$tid; if ($on) { $on{$pid}{$tid} = 1 } else { delete $on{$pid}{$tid} } }
	if (/"type":"SWITCH(_CPU_WIDE)?","misc":(\d+)/) {
		my $out = $2 & 0x2000;
		/"trailer.pid":(\d+),"trailer.tid":(\d+)/ and run($1, $2, !$out);
	} elsif (/"type":"EXIT".*"pid":(\d+),.*"tid":(\d+)/) {
		run($1, $2, 0);
	} elsif (/"type":"SAMPLE","comm":"([^"]*)","pid":(\d+),"tid":(\d+)/) {
		my ($comm, $pid, $tid) = ($1 =~ tr/ /_/r, $2, $3);
		/"period":(\d+)/ or die;
		run($pid, $tid, 1);
		my $n = keys %{$on{$pid}};
		$most = $n if $n > $most;
		$sum{"$comm;tid=$tid"} += int(($1 + int($n / 2)) / $n);
	}
	END { print "$_ $sum{$_}\n" for keys %sum; warn "never more than one\n" if $most < 2 }' | sort >expected
same "latency by thread"
exit $status
