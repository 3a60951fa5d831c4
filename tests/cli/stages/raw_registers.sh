# SPDX-License-Identifier: BSD-2-Clause
# The fields of AMD's IBS and the counters of s390 in raw bytes have the same values after each stage, in joined, cut,
# exported and byte-swapped streams, and in the programs that add up, filter and draw fields.
. "$PK_TOP/tests/cli/pk-script/ibs.bash"
. "$PK_TOP/tests/cli/pk-script/s390.bash"
fields() { pk-script -q -F time,event,trace "$@" 2>/dev/null; }
counters() { pk-script --dump "$@" 2>/dev/null | sed -n '/SAMPLE/,$p' | grep '^  raw'; }
# little_endian: the text of a big-endian stream with the raw bytes of a little-endian machine
little_endian()
{
	perl -pe 'next if !/^SAMPLE/; s{raw=\{(.*)\}}{"raw={".join(" ", map { my ($size, $value) = split /:/;
		$value = oct $value; map { "1:".($value >> 8 * $_ & 255) } 0 .. $size - 1 } split / /, $1)."}"}e' |
		sed 's/^BEGIN/& byte_order=big/'
}
ibs AuthenticAMD,26,2,1 >text
assemble <text >ibs.pk
ibs AuthenticAMD,25,1,1 | assemble >zen3.pk
s390 s390x | assemble >s390.pk
fields ibs.pk >ibs.txt
fields zen3.pk >zen3.txt
counters s390.pk >s390.txt
wc -l ibs.txt zen3.txt s390.txt
cmp -s ibs.txt zen3.txt && echo 'the processor has no effect'

for stage in pk-filter 'pk-filter --where time>=1000' pk-inject pk-merge-callchains pk-unwind pk-decode pk-symbolize; do
	$stage -q ibs.pk 2>/dev/null | fields | diff ibs.txt - >difference || echo "$stage: $(head -n 3 difference)"
	$stage -q s390.pk 2>/dev/null | counters | diff s390.txt - >difference || echo "$stage: $(head -n 3 difference)"
done
cat ibs.pk zen3.pk ibs.pk | fields | diff - <(cat ibs.txt zen3.txt ibs.txt) || echo 'joined: other fields'
cat s390.pk ibs.pk s390.pk | counters | diff - <(cat s390.txt && counters ibs.pk && cat s390.txt) || echo 'joined: other counters'
little_endian <text | assemble >big.pk
fields big.pk | diff ibs.txt - || echo 'big-endian: other fields'
pk-filter -q big.pk | fields | diff ibs.txt - || echo 'big-endian, filtered: other fields'
for name in ibs s390; do pk-export perf.data -q -o $name.data $name.pk; done
fields ibs.data | diff ibs.txt - || echo 'perf.data: other fields'
counters s390.data | diff s390.txt - || echo 'perf.data: other counters'
# A cut loses the last samples, and does not change the samples before it.
size=$(stat -c %s ibs.pk)
for less in 1 60 110 150 200 300 500 700; do
	head -c $((size - less)) ibs.pk | fields >cut.txt
	[ "$(wc -l <cut.txt)" -lt "$(wc -l <ibs.txt)" ] && head -n "$(wc -l <cut.txt)" ibs.txt | diff - cut.txt || echo "cut by $less"
done
size=$(stat -c %s s390.pk)
for less in 1 100 150 200 300; do
	head -c $((size - less)) s390.pk | counters >cut.txt
	[ "$(wc -l <cut.txt)" -lt "$(wc -l <s390.txt)" ] && head -n "$(wc -l <cut.txt)" s390.txt | diff - cut.txt || echo "s390: cut by $less"
done

cat ibs.pk zen3.pk >both.pk
echo '== where'
pk-filter -q --where 'dc_miss_lat > 40 && op_mem_width == 64' both.pk | pk-script -q -F time,dc_miss_lat,op_data_src
pk-filter -q --split-by op_mem_width -o 'width-%v.pk' ibs.pk
echo width-*
echo '== report'
pk-report -q --csv --by event,op_mem_width --show samples,'avg(dc_miss_lat),max(tlb_refill_lat)' both.pk
pk-report -q --json --by l1tlb_pgsz --event 'ibs_fetch*' --show samples,'sum(fetch_lat)' both.pk
pk-report -q --csv --weight dc_miss_lat --show samples,period --by dc_phys_addr both.pk
echo '== weights: samples without a value are counted and left out'
for program in pk-fold 'pk-report --csv --by event' 'pk-plot flame -o out' 'pk-export rows' 'pk-export pprof -o out'; do
	$program --weight dc_miss_lat ibs.pk 2>&1 >out.text | grep 'no number'
	[ -s out.text ] && grep -v '^#' out.text
done
echo '== rows'
pk-export rows -q --each --by dc_phys_addr,op_mem_width,op_brn_misp --event 'ibs_op*' ibs.pk
echo '== plots'
pk-plot heatmap --field dc_miss_lat ibs.pk 2>&1 | grep -o '^pk-plot.*\|<title>[0-9][^<]*'
pk-plot histogram -q --text --field fetch_lat --event 'ibs_fetch*' both.pk
echo '== spans'
pk-span -q --name=reuse --start='ibs_op*' --start-where 'dc_miss_lat > 0' --end='ibs_op*' --end-where 'op_data_src == 3' \
	--key=comp_to_ret_ctr --carry=dc_miss_lat,end.op_mem_width,dc_lin_addr ibs.pk | fields | grep pk:
