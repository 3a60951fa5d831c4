# SPDX-License-Identifier: BSD-2-Clause
# Fields of attrs in all sizes: those of dropped fields of samples, and those that --anonymize hides.
. "$PK_TOP/tests/cli/stream.bash"
# attr SIZE: with fields of AUX samples, and data of SIGTRAP
attr()
{
	{
		nums 44888888 1 "$1" 0 1000 $((0x10000 | 0x107 | 1 << 20)) 0 $((1 << 18)) 0
		num 8 0
		head -c 32 /dev/zero # up to clockid
		num 8 0
		nums 4224 8192 10 0 4096 # aux_watermark, sample_max_stack, aux_sample_size
		nums 48 1 $((0x5ec2e7)) # aux_action, sig_data
		nums 88 $((0x5ec2e8)) $((0x5ec2e9))
	} | head -c "$1"
	num 8 7
}
for size in 112 120 128 136 144; do
	echo "== $size"
	{
		header
		attr $size | record 64 0
	} >in.pk
	pk-filter --drop aux in.pk | pk-script --dump - | grep -o 'size=[0-9]*$\|aux_[a-z_]*=.*\|sample_type=.*\|sig_data=.*\|config[34]=.*'
	pk-filter -q --anonymize in.pk | pk-script --dump - | grep -o 'sig_data=.*\|config[34]=.*'
done
