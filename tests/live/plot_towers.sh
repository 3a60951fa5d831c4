# SPDX-License-Identifier: BSD-2-Clause
# long
# A stack that is much deeper than the others does not make the first screen of a flame graph empty. A picture that is alone
# in a window has the width of the window.
. "$PK_TOP/tests/live/browser.bash"
python3 - >deep.folded <<'PYTHON'
for i in range(200):
    print("main;" + ";".join(f"f{i % (k + 2)}_{k}" for k in range(5 + i % 25)), 10 + i % 7)
print("main;" + ";".join(f"deep_{k}" for k in range(127)), 20)
PYTHON
pk-plot flame deep.folded >deep.svg
pk-plot flame --icicle --html deep.folded >deep.html
grep -v deep_ deep.folded | pk-plot flame >flat.svg
python3 -B "$PK_TOP/tests/live/plot_towers.py" "file://$PWD"/{deep.svg,deep.html,flat.svg} 2>&1 | diff - <(
	for picture in deep.svg deep.html; do
		for width in 700 2000; do
			cat <<T
$picture $width: wide $width, first screen True, marks 1 "The picture has 89 more rows. A click shows them."
  shown: True taller by 1408, marks 0, in sight True, found "Matched: 0.77% (127 frames)"
  errors: []
T
		done
	done
	echo 'flat.svg 700: wide 700, first screen True, marks 0'
	echo 'flat.svg 2000: wide 2000, first screen True, marks 0'
)
