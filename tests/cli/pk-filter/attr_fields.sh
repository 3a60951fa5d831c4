# SPDX-License-Identifier: BSD-2-Clause
# Fields of attrs in all sizes: those of dropped fields of samples, and those that --anonymize hides.
. "$PK_TOP/tests/cli/stream.bash"
# attr SIZE: with fields of AUX samples, and data of SIGTRAP
attr()
{
	echo "HEADER_ATTR attr_type=1 attr_size=$1 sample_period=1000 id=7"
	echo '  sample_type=(IP TID TIME PERIOD IDENTIFIER AUX) flags=(sample_id_all)'
	echo '  aux_watermark=8192 sample_max_stack=10 aux_sample_size=4096 aux_action=1 sig_data=0x5ec2e7'
	echo '  config3=0x5ec2e8 config4=0x5ec2e9'
}
for size in 112 120 128 136 144; do
	echo "== $size"
	{
		header
		attr $size
	} | assemble >in.pk
	pk-filter --drop aux in.pk | pk-script --dump - | grep -o 'size=[0-9]*$\|aux_[a-z_]*=.*\|sample_type=.*\|sig_data=.*\|config[34]=.*'
	pk-filter -q --anonymize in.pk | pk-script --dump - | grep -o 'sig_data=.*\|config[34]=.*'
done
