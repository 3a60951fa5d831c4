# SPDX-License-Identifier: BSD-2-Clause
# --strip-extensions leaves no feature, or mark of their end, at which perf 6.1 stops: ids above 31, marks above 32.
for file in "$PK_TOP"/format/vectors/good/{features-new-*,feature-parts-*,feature-marks-*,file-feature-large-le,features-le}.pk; do
	for options in '' '--split-by pid -o %v.pk' --drop=addr; do
		rm -f ./*.pk
		# shellcheck disable=SC2086 # words
		pk-filter -q --strip-extensions $options "$file" >all.pk 2>/dev/null
		for stripped in ./*.pk; do
			[ ! -s "$stripped" ] || pk-script --dump "$stripped" 2>/dev/null
		done | grep -o 'feature=.*' | sort -u | tr -d ' ' >features
		echo "$(basename "$file") ${options%% *}" "$(tr '\n' ' ' <features)"
	done
done
