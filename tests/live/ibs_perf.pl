# SPDX-License-Identifier: BSD-2-Clause
# ibs_perf.pl make SEED COUNT CPUID CAPS [CAP...]: a text for `assemble`, with samples of AMD's IBS whose registers
# are random. CAPS is the number that is in the samples, and CAPs are the capabilities that perf reads.
# ibs_perf.pl perf|pk <FILE: the fields in a dump of perf script -D or pk-script --dump, one sample a line.
use strict;
use warnings;

# perf's name of a field, and pk's. The other names of perf are those in %other, in lower case.
my %names = qw(ibs_fetch_ctl.MaxCnt fetch_maxcnt ibs_fetch_ctl.Cnt fetch_cnt Lat fetch_lat Comp fetch_comp IcMiss ic_miss
	L1TlbPgSz l1tlb_pgsz L1TlbMiss l1tlb_miss L2TlbMiss l2tlb_miss RandEn rand_en ibs_fetch_ctl.L2Miss fetch_l2_miss
	L3MissOnly l3_miss_only FetchOcMiss fetch_oc_miss FetchL3Miss fetch_l3_miss IbsFetchLinAd fetch_lin_addr
	IbsFetchPhysAd fetch_phys_addr IbsItlbRefillLat itlb_refill_lat
	ibs_op_ctl.MaxCnt opmaxcnt CntCtl cnt_ctl CurCnt opcurcnt LdLatThrsh ldlat_thrsh LdLatEn ldlat_en IbsOpRip op_rip
	CompToRetCtr comp_to_ret_ctr TagToRetCtr tag_to_ret_ctr OpReturn op_return OpBrnTaken op_brn_taken
	OpBrnMisp op_brn_misp BrnRet op_brn_ret RipInvalid op_rip_invalid BrnFuse op_brn_fuse Microcode op_microcode
	DataSrc op_data_src RmtNode rmt_node CacheHitSt cache_hit_st StrmSt strm_st RmtSocket rmt_socket LdOp ld_op StOp st_op
	DcL1TlbMiss dc_l1tlb_miss DcL2TlbMiss dc_l2tlb_miss DcPageSize dc_page_size DcL1TlbHit2M dc_l1tlb_hit_2m
	DcL1TlbHit1G dc_l1tlb_hit_1g DcL2TlbHit2M dc_l2tlb_hit_2m DcMiss dc_miss DcMisAcc dc_mis_acc DcWcMemAcc dc_wc_mem_acc
	DcUcMemAcc dc_uc_mem_acc DcLockedOp dc_locked_op DcMissNoMabAlloc dc_miss_no_mab DcL2TlbHit1G dc_l2tlb_hit_1g
	ibs_op_data3.L2Miss l2_miss SwPf sw_pf OpMemWidth op_mem_width OpDcMissOpenMemReqs open_mem_reqs DcMissLat dc_miss_lat
	TlbRefillLat tlb_refill_lat IbsDCLinAd dc_lin_addr IbsDCPhysAd dc_phys_addr IbsBrTarget br_target);
my %size = (K => 10, M => 20, G => 30, KB => 10, MB => 20, GB => 30);
# Fields that one of both does not print. perf prints cache_hit_st for some sources of data only.
my %unequal = map { $_ => 1 } qw(cache_hit_st dc_phys_addr);

sub text64 { my $n = int((length($_[0]) + 64) / 64) * 64; return pack("V", $n) . pack("a$n", $_[0]) }

sub make
{
	my ($seed, $count, $cpuid, $caps, @caps) = @_;
	srand($seed);
	print "BEGIN byte_order=little\n";
	print "HEADER_ATTR attr_type=$_ sample_type=(IP TID TIME CPU RAW IDENTIFIER) flags=(sample_id_all) id=$_\n" for 11, 10;
	print "HEADER_FEATURE feature=(ARCH) arch=\"x86_64\"\nHEADER_FEATURE feature=(CPUID) cpuid=\"$cpuid\"\n";
	print "HEADER_FEATURE feature=(PMU_MAPPINGS) pmu[0].type=10 pmu[0].name=\"ibs_fetch\" pmu[1].type=11 pmu[1].name=\"ibs_op\"\n";
	my $content = pack("VV", 1, scalar @caps) . join("", map { text64($_) . text64("1") } @caps) . text64("ibs_op");
	print "HEADER_FEATURE feature=31 unknown=", unpack("H*", $content), "\n";
	for my $i (1 .. $count) {
		my $op = rand() < 0.7;
		my @words = map { sprintf "%04x%04x%04x%04x", map { int rand 65536 } 1 .. 4 } 1 .. ($op ? 8 : 4);
		# Both bits that say that the sample is valid, in most of the samples.
		substr($words[0], $op ? 11 : 3, 1) = sprintf("%x", ($op ? 6 : 3) | int(rand 16)) if rand() < 0.95;
		$words[$op ? 7 : 2] = "0000000000401020";
		printf "SAMPLE misc=(user) id=%d ip=0x401000 pid=5 tid=5 time=%d raw={4:%s %s}\n", $op ? 11 : 10, $i * 1000,
			$caps, join " ", map { "8:0x$_" } @words;
	}
}

my (%fields, $raw);

sub end_sample
{
	delete @fields{keys %unequal};
	print join(" ", map { "$_=$fields{$_}" } sort keys %fields), "\n" if $raw;
	%fields = ();
	$raw = 0;
}

sub read_perf
{
	while (<STDIN>) {
		end_sample() if /^\. \.\.\. raw event/;
		$raw = 1 if /PERF_RECORD_SAMPLE/;
		if (/^(Ibs\w+):\t0*([0-9a-f]+)$/) {
			$fields{$names{$1}} = "0x$2";
		} elsif (/^(i\w+):\t[0-9a-f]{16} (.*)/) {
			my ($register, $rest) = ($1, $2);
			while ($rest =~ /(\w+) +(\w+)(?:=\S+| bytes)?/g) {
				my $name = $names{"$register.$1"} // $names{$1} // next;
				my $value = $2;
				$value = $1 << $size{$2} if $value =~ /^(\d+)([KMG]B?)$/;
				$fields{$name} = $value unless $value eq "RESERVED";
			}
		}
	}
	end_sample();
}

sub read_pk
{
	while (<STDIN>) {
		end_sample() if /^\d/;
		$raw = 1 if /^\d+ SAMPLE/;
		# perf prints only some numbers of these fields.
		next if /op_data_src=(\d+)/ && ($1 == 0 || $1 > 12) || /op_mem_width=0$/;
		$fields{$1} = $2 if /^  raw\.(\w+)=(.*)/;
	}
	end_sample();
}

my $what = shift;
$what eq "make" ? make(@ARGV) : $what eq "perf" ? read_perf() : read_pk();
