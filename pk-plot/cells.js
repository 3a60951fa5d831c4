/* SPDX-License-Identifier: BSD-2-Clause */
/* Heat maps and histograms: a range of columns is selected by mouse, keys or the address, and its sums
 * are shown. */
function start(svg) {
	const panes = Array.from(svg.querySelectorAll('.cells'), makePane);
	const info = svg.querySelector('.info'), command = svg.querySelector('.command');
	if (!panes.length)
		return;
	const data = panes[0].g.dataset, count = +data.columns;
	const rows = data.rows ? data.rows.split(' ') : null;
	const edges = data.edges ? data.edges.split(' ') : null;
	let first = -1, last = -1;	/* the selected columns; -1: none */
	let fixed = -1, own = '', dragged = false;

	function makePane(g) {
		const box = g.transform.baseVal, scale = box.getItem(1).matrix, shift = box.getItem(0).matrix;
		const pane = {g, x: shift.e, y: shift.f, column: scale.a,
			height: +g.dataset.height * scale.d};
		const mark = element('rect', {class: 'selected', y: pane.y, height: Math.abs(pane.height)});
		mark.style.display = 'none';
		pane.mark = g.parentNode.insertBefore(mark, g.nextSibling);
		pane.cells = Array.from(g.children, rect => ({x: Math.floor(rect.getAttribute('x')),
			row: +g.dataset.height - 1 - rect.getAttribute('y'), n: +rect.dataset.n}));
		return pane;
	}

	/* ---- Texts ---- */

	function sumText(n) {
		return data.unit === 'nanoseconds' ? durationText(n) :
			n.toLocaleString('en') + ' ' + data.unit;
	}

	/* The numbers from one to the one before another. */
	function numbersText(from, end) {
		if (data.kind === 'time')
			return (from < 0 ? '-' : '') + durationText(Math.abs(from)) + ' to ' +
				(end < 0 ? '-' : '') + durationText(Math.abs(end));
		const text = number => data.kind === 'hex' ? '0x' + number.toString(16) :
			number.toLocaleString('en');
		const a = BigInt(from), b = BigInt(end) - 1n;
		return a === b ? text(a) : text(a) + ' to ' + text(b);
	}

	/* A time of the recording in seconds, with all digits. */
	function seconds(ns) {
		const text = String(ns).padStart(10, '0');
		return text.slice(0, -9) + '.' + text.slice(-9);
	}

	function rangeText() {
		if (edges)
			return numbersText(edges[first], edges[last + 1]);
		return durationText(first * data.step) + ' to ' + durationText((last + 1) * data.step);
	}

	/* The rows with a share of the sums. */
	function quantileText(cells, sum, share) {
		const sums = new Array(rows.length).fill(0);
		let row = 0, below = 0;
		for (const cell of cells)
			sums[cell.row] += cell.n;
		while (row + 1 < sums.length && below + sums[row] < share * sum)
			below += sums[row++];
		return numbersText(rows[row], rows[row + 1]);
	}

	function tell() {
		const cells = [].concat(...panes.map(pane => pane.cells.filter(cell =>
			cell.x >= first && cell.x <= last)));
		const add = list => list.reduce((sum, cell) => sum + cell.n, 0);
		const sum = add(cells);
		let text = rangeText() + ': ' + sumText(sum);
		if (data.capacity)
			text += ', ' + (100 * sum / (data.capacity * (last - first + 1))).toFixed(2) +
				'% of ' + data.height + ' CPUs';
		else
			text += ', ' + (100 * sum / (data.total || 1)).toFixed(2) + '%';
		if (rows && sum)
			text += '; p50 ' + quantileText(cells, sum, 0.5) + ', p99 ' +
				quantileText(cells, sum, 0.99);
		info.textContent = text;
		if (data.start === undefined)
			return;
		const from = BigInt(data.start) + BigInt(first) * BigInt(data.step);
		command.textContent = 'pk-filter --time=' + seconds(from) + ',' +
			seconds(from + BigInt(last - first + 1) * BigInt(data.step) - 1n);
	}

	/* ---- The selection ---- */

	function select(a, b) {
		first = Math.max(0, Math.min(a, b));
		last = Math.min(count - 1, Math.max(a, b));
		if (first > last)
			return clear();
		for (const pane of panes) {
			pane.mark.setAttribute('x', pane.x + first * pane.column);
			pane.mark.setAttribute('width', (last - first + 1) * pane.column);
			pane.mark.style.display = '';
		}
		tell();
	}

	function clear() {
		first = last = fixed = -1;
		for (const pane of panes)
			pane.mark.style.display = 'none';
		info.textContent = command.textContent = '';
	}

	/* The address: #from=3&to=9 are the numbers of columns. */
	function remember() {
		own = first < 0 ? '' : '#from=' + first + '&to=' + last;
		if (own !== location.hash)
			location.hash = own;
	}

	function restore() {
		if (location.hash === own)
			return;
		own = location.hash;
		const values = new URLSearchParams(own.slice(1));
		const a = parseInt(values.get('from'), 10), b = parseInt(values.get('to'), 10);
		if (a >= 0 && b >= a && a < count) {
			fixed = a;
			select(a, b);
		} else {
			clear();
		}
	}

	/* ---- Mouse and keys ---- */

	/* The column at the pointer; of a pane only if `inside`. -1: none. */
	function columnOf(event, inside) {
		const point = new DOMPoint(event.clientX, event.clientY)
			.matrixTransform(svg.getScreenCTM().inverse());
		const column = Math.floor((point.x - panes[0].x) / panes[0].column);
		const hit = pane => point.y >= Math.min(pane.y, pane.y + pane.height) &&
			point.y <= Math.max(pane.y, pane.y + pane.height);
		if (inside && (column < 0 || column >= count || !panes.some(hit)))
			return -1;
		return Math.max(0, Math.min(count - 1, column));
	}

	svg.addEventListener('mousedown', event => {
		const column = event.button ? -1 : columnOf(event, true);
		if (column < 0)
			return;
		event.preventDefault();
		dragged = true;
		if (!event.shiftKey || fixed < 0)
			fixed = column;
		select(fixed, column);
	});
	addEventListener('mousemove', event => {
		if (dragged)
			select(fixed, columnOf(event, false));
	});
	addEventListener('mouseup', () => {
		if (dragged)
			remember();
		dragged = false;
	});

	document.addEventListener('keydown', event => {
		const step = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0;
		if (event.ctrlKey || event.metaKey || event.altKey)
			return;
		if (event.key === 'Escape') {
			clear();
			remember();
		} else if (step) {
			const at = first < 0 ? (step > 0 ? 0 : count - 1) :
				(fixed === first ? last : first) + step;
			event.preventDefault();
			if (!event.shiftKey || fixed < 0)
				fixed = Math.max(0, Math.min(count - 1, at));
			select(fixed, Math.max(0, Math.min(count - 1, at)));
			remember();
		}
	});

	addEventListener('hashchange', restore);
	restore();
}
