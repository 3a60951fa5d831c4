# SPDX-License-Identifier: BSD-2-Clause
# long
# Heat maps and histograms in a browser: tooltips, selection by mouse and keys, links, as an image, and without scripts.
. "$PK_TOP/tests/live/browser.bash"
. "$PK_TOP/tests/cli/stream.bash"
{
	header
	event 1 7
	name 7 cycles
	for ((i = 0; i < 500; i++)); do
		echo "SAMPLE misc=(user) id=7 ip=0x1000 pid=1 tid=$((i % 2 + 1)) time=$((7000000000 + i * 2000000)) period=$((1 << i % 10))"
	done
} | assemble >samples.pk
pk-plot heatmap --field period --by tid samples.pk >heatmap.svg
pk-plot histogram --field period --html samples.pk >histogram.html
pk-plot heatmap --field period --by tid --width 320 --height 40 --subtitle narrow samples.pk >narrow.svg
pk-plot heatmap --field period --scale linear --fontsize 20 --quantiles 10,20,30,40,50,60,70,80 samples.pk >large.svg
pk-plot heatmap --subsecond --width 500 samples.pk >subsecond.svg
pk-plot histogram --field period --scale log10 --width 400 --by tid,comm samples.pk >bars.svg
echo '<img src="heatmap.svg">' >image.html
python3 -B "$PK_TOP/tests/live/plot_cells.py" "file://$PWD"/{heatmap.svg,histogram.html,image.html,narrow.svg,large.svg,subsecond.svg,bars.svg} >found 2>&1
# The range that the heat map names has as many samples.
range=$(sed -n 's/.*\(--time=[0-9.,]*\)$/\1/p' found | head -n 1)
echo "$range: $(pk-filter -q "$range" samples.pk | pk-script -q -F time | wc -l)" >>found
diff - found <<'T'
heatmap.svg
errors: []
first cell: 0.000-0.005 s, 0-7: 2 (0.40%)
headings: period, by time: tid=1, 50.00%; period, by time: tid=2, 50.00%
dragged: '10.00 ms to 25.00 ms: 8 samples, 1.60%; p50 32 to 47, p99 512 to 767' '#from=2&to=4' 2 marks
command: pk-filter --time=7.010000000,7.024999999
dragged back: '10.00 ms to 25.00 ms: 8 samples, 1.60%; p50 32 to 47, p99 512 to 767' '#from=2&to=4' 2 marks
right: '15.00 ms to 20.00 ms: 2 samples, 0.40%; p50 256 to 383, p99 512 to 767' '#from=3&to=3' 2 marks
and the next: '15.00 ms to 25.00 ms: 5 samples, 1.00%; p50 0 to 7, p99 512 to 767' '#from=3&to=4' 2 marks
left: '15.00 ms to 20.00 ms: 2 samples, 0.40%; p50 256 to 383, p99 512 to 767' '#from=3&to=3' 2 marks
none: '' '' 0 marks
the last: '995.0 ms to 1.000 s: 2 samples, 0.40%; p50 256 to 383, p99 512 to 767' '#from=199&to=199' 2 marks
#from=1&to=3: '5.000 ms to 20.00 ms: 7 samples, 1.40%; p50 64 to 95, p99 512 to 767' '#from=1&to=3' 2 marks
#from=3&to=1: '' '#from=3&to=1' 0 marks
#from=-1&to=x: '' '#from=-1&to=x' 0 marks
#from=0&to=99999: '0 ns to 1.000 s: 500 samples, 100.00%; p50 16 to 23, p99 512 to 767' '#from=0&to=99999' 2 marks
zoomed by a click: 2.00 to 6.00; 10 ms 12 ms 14 ms 16 ms 18 ms 20 ms 22 ms 24 ms 26 ms 28 ms | 10 ms 12 ms 14 ms 16 ms 18 ms 20 ms 22 ms 24 ms 26 ms 28 ms; [] '#x=0.01&w=0.02&from=2&to=5'
selected there: '15.00 ms to 25.00 ms: 5 samples, 1.00%; p50 0 to 7, p99 512 to 767' '#x=0.01&w=0.02&from=3&to=4' 2 marks
ended: '' '#x=0.01&w=0.02' 0 marks
reset: 0.00 to 200.00; 0 ms 100 ms 200 ms 300 ms 400 ms 500 ms 600 ms 700 ms 800 ms 900 ms 1000 ms | 0 ms 100 ms 200 ms 300 ms 400 ms 500 ms 600 ms 700 ms 800 ms 900 ms 1000 ms; [] ''
restored: '15.00 ms to 25.00 ms: 5 samples, 1.00%; p50 0 to 7, p99 512 to 767' '#x=0.01&w=0.02&from=3&to=4' 2 marks
   2.00 to 6.00; 10 ms 12 ms 14 ms 16 ms 18 ms 20 ms 22 ms 24 ms 26 ms 28 ms | 10 ms 12 ms 14 ms 16 ms 18 ms 20 ms 22 ms 24 ms 26 ms 28 ms; [] '#x=0.01&w=0.02&from=3&to=4'
the last is in sight: 196.00 to 200.00; 980 ms 982 ms 984 ms 986 ms 988 ms 990 ms 992 ms 994 ms 996 ms 998 ms 1000 ms | 980 ms 982 ms 984 ms 986 ms 988 ms 990 ms 992 ms 994 ms 996 ms 998 ms 1000 ms; [] '#x=0.98&w=0.02&from=199&to=199'
zoomed by a key: 196.00 to 200.00; 980 ms 982 ms 984 ms 986 ms 988 ms 990 ms 992 ms 994 ms 996 ms 998 ms 1000 ms | 980 ms 982 ms 984 ms 986 ms 988 ms 990 ms 992 ms 994 ms 996 ms 998 ms 1000 ms; [] '#x=0.98&w=0.02&from=199&to=199'
reset by the button: 0.00 to 200.00; 0 ms 100 ms 200 ms 300 ms 400 ms 500 ms 600 ms 700 ms 800 ms 900 ms 1000 ms | 0 ms 100 ms 200 ms 300 ms 400 ms 500 ms 600 ms 700 ms 800 ms 900 ms 1000 ms; [] '#from=199&to=199'
zoomed by the wheel: 0.68 to 160.68; 100 ms 200 ms 300 ms 400 ms 500 ms 600 ms 700 ms 800 ms | 100 ms 200 ms 300 ms 400 ms 500 ms 600 ms 700 ms 800 ms; [] '#x=0.003382528007&w=0.8'
search: Matched: 10.00% (50 cells) 50 #s=tid%3D2%2C.*512-%7C%5Esamples.*512 []
search ended: '' 0
errors: []
overlapping texts: []
histogram.html
errors: []
first cell: 1: 50 (10.00%)
headings: samples, by period
dragged: '4 to 31: 150 samples, 30.00%' '#from=2&to=4' 1 marks
command: 
dragged back: '4 to 31: 150 samples, 30.00%' '#from=2&to=4' 1 marks
right: '8 to 15: 50 samples, 10.00%' '#from=3&to=3' 1 marks
and the next: '8 to 31: 100 samples, 20.00%' '#from=3&to=4' 1 marks
left: '8 to 15: 50 samples, 10.00%' '#from=3&to=3' 1 marks
none: '' '' 0 marks
the last: '512 to 1,023: 50 samples, 10.00%' '#from=9&to=9' 1 marks
#from=1&to=3: '2 to 15: 150 samples, 30.00%' '#from=1&to=3' 1 marks
#from=3&to=1: '' '#from=3&to=1' 0 marks
#from=-1&to=x: '' '#from=-1&to=x' 0 marks
#from=0&to=99999: '1 to 1,023: 500 samples, 100.00%' '#from=0&to=99999' 1 marks
zoomed by a click: 2.00 to 6.00; 4 8 16 32 64; [] '#x=0.2&w=0.4&from=2&to=5'
selected there: '8 to 31: 100 samples, 20.00%' '#x=0.2&w=0.4&from=3&to=4' 1 marks
ended: '' '#x=0.2&w=0.4' 0 marks
reset: 0.00 to 10.00; 1 10 100 1k 5 50 500 2 20 200; [] ''
restored: '8 to 31: 100 samples, 20.00%' '#x=0.2&w=0.4&from=3&to=4' 1 marks
   2.00 to 6.00; 4 8 16 32 64; [] '#x=0.2&w=0.4&from=3&to=4'
the last is in sight: 6.00 to 10.00; 64 128 256 512 1,024; [] '#x=0.6&w=0.4&from=9&to=9'
zoomed by a key: 6.00 to 10.00; 64 128 256 512 1,024; [] '#x=0.6&w=0.4&from=9&to=9'
reset by the button: 0.00 to 10.00; 1 10 100 1k 5 50 500 2 20 200; [] '#from=9&to=9'
zoomed by the wheel: 0.70 to 8.70; 2 4 8 16 32 64 128 256; [] '#x=0.069972833583&w=0.8'
search: Matched: 10.00% (1 cells) 1 #s=tid%3D2%2C.*512-%7C%5Esamples.*512 []
search ended: '' 0
errors: []
overlapping texts: []
image: 1200
without scripts: 450 cells, 34 labels, 0 marks
narrow.svg errors: [] overlapping texts: []
large.svg errors: [] overlapping texts: []
subsecond.svg errors: [] overlapping texts: []
bars.svg errors: [] overlapping texts: []
--time=7.010000000,7.024999999: 8
T
