# SPDX-License-Identifier: BSD-2-Clause
# Names with markup, quotes, control bytes, invalid UTF-8 and marks of direction: the file stays well-formed, and
# no name becomes an element or an attribute.
names=('<script>alert(1)</script>' '"onload="alert(1)' "x' onclick='alert(1)" ']]>' '<![CDATA[' '&lt;&#0;' $'\001\033[31m'
	$'\xff\xfe\xc3' $'\xe2\x80\xae\xe2\x81\xa6txt' $'\xef\xbf\xbe\xef\xbf\xbf' $'\xed\xa0\x80' '--' '-->' '_[k]' '')
for name in "${names[@]}"; do
	printf '%s;a;%s 5\n' "$name" "$name"
	printf '%s 5\n' "$name"
done >hostile.folded
head -c 65536 /dev/zero | tr '\0' '<' >>hostile.folded
echo ';b 10' >>hostile.folded
pk-plot flame --title='<b>"&' --subtitle=']]>' --notes='--><i>' --countname='"<' --nametype='<' hostile.folded >picture.svg
echo "status $?"
xmllint --noout picture.svg && echo well-formed
xmllint --xpath 'count(//*[local-name()="script"])' picture.svg
echo
xmllint --xpath '//@*[starts-with(name(), "on")]' picture.svg 2>&1
grep -c $'\033\|\xff' picture.svg
pk-plot flame --html hostile.folded | xmllint --html --noout - 2>&1 | grep -v 'Tag .* invalid' | grep -c 'error'
sed '/<style>/,/<\/style>/d; /<script>/,/<\/script>/d' picture.svg | cut -c1-300
