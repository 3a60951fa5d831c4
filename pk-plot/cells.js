/* SPDX-License-Identifier: BSD-2-Clause */
/* Heat maps and histograms: a range of columns is selected by mouse, keys or the address, and its sums
 * are shown. The panes share the columns, and so the visible part of them. */
function start(svg) {
	const more = fitWindow(svg);
	const letter = measureLetter(svg);
	const headings = svg.querySelectorAll('.heading');
	const panes = Array.from(svg.querySelectorAll('.cells'), makePane);
	const command = svg.querySelector('.command');
	if (!panes.length)
		return;
	const data = panes[0].g.dataset, count = +data.columns;
	const x = panes[0].x, drawn = panes[0].column * count, width = drawn + more, wider = width / drawn;
	const rows = data.rows ? data.rows.split(' ') : null;
	const edges = data.edges ? data.edges.split(' ') : null;
	const axes = edges ? Array.from(svg.querySelectorAll('.numbers'), numberAxis) : [timeAxis(svg, letter, more)];
	let first = -1, last = -1;	/* the selected columns; -1: none */
	let fixed = -1, pressed = -1, dragged = false, moved = false, inside = false;

	function makePane(g, index) {
		const box = g.transform.baseVal, scale = box.getItem(1).matrix, shift = box.getItem(0).matrix;
		const pane = {g, box, x: shift.e, y: shift.f, column: scale.a, row: scale.d,
			height: +g.dataset.height * scale.d};
		const mark = element('rect', {class: 'selected', y: pane.y, height: Math.abs(pane.height)});
		const heading = headings[index] ? headings[index].textContent : '';
		mark.style.display = 'none';
		/* What moves when the reader zooms is cut at the ends of the axis. */
		const clip = g.parentNode.insertBefore(element('g', {'clip-path': 'url(#pk-inside)'}), g);
		pane.lines = element('g');
		while (g.nextElementSibling && g.nextElementSibling.classList.contains('q'))
			pane.lines.appendChild(g.nextElementSibling);
		clip.append(g, pane.lines, mark);
		pane.mark = mark;
		pane.cells = Array.from(g.children, rect => ({rect, x: Math.floor(rect.getAttribute('x')),
			row: +g.dataset.height - 1 - rect.getAttribute('y'), n: +rect.dataset.n, found: false,
			text: heading + ', ' + rect.textContent.replace(/: [^:]*$/, '')}));
		return pane;
	}

	/* ---- The visible part ---- */

	function place(column, from, to) {
		return x + (column / count - from) / (to - from) * width;
	}

	/* The labels of a histogram: the ends of some buckets, or those of the file for the whole. */
	function numberAxis(axis) {
		const whole = Array.from(axis.childNodes);
		for (const item of axis.children)
			for (const name of ['x', 'x1', 'x2'])
				if (item.hasAttribute(name))
					item.setAttribute(name, x + (item.getAttribute(name) - x) * wider);
		/* A label that would touch the one before it is left out. */
		let free = -Infinity;
		for (const item of more < 0 ? axis.querySelectorAll('text') : []) {
			const half = item.textContent.length * letter / 2, at = +item.getAttribute('x');
			if (at - half < free)
				item.textContent = '';
			else
				free = at + half + letter;
		}
		const line = axis.querySelector('line'), text = axis.querySelector('text');
		return (from, to) => {
			axis.replaceChildren(...whole);
			if (!line || from <= 0 && to >= 1)
				return;
			axis.replaceChildren();
			const label = column => data.kind === 'time' ? durationText(+edges[column]) :
				numbersText(edges[column], BigInt(edges[column]) + 1n);
			const start = Math.max(0, Math.ceil(from * count)), end = Math.min(count, Math.floor(to * count));
			let longest = 1;
			for (let column = start; column <= end; column++)
				longest = Math.max(longest, label(column).length);
			const step = Math.max(1, Math.ceil((longest + 2) * letter / (width / count / (to - from))));
			for (let column = start; column <= end; column += step) {
				const at = place(column, from, to).toFixed(2);
				const anchor = +at + longest * letter / 2 > svg.viewBox.baseVal.width ? 'end' : 'middle';
				axis.appendChild(element('line', {x1: at, x2: at, y1: line.getAttribute('y1'),
					y2: line.getAttribute('y2')}));
				axis.appendChild(element('text', {class: anchor, x: at, y: text.getAttribute('y')},
					label(column)));
			}
		};
	}

	function draw(from, to) {
		const scale = 1 / (to - from), left = x - from * width * scale;
		for (const pane of panes) {
			pane.box.getItem(0).setTranslate(left, pane.y);
			pane.box.getItem(1).setScale(width / count * scale, pane.row);
			pane.lines.setAttribute('transform', 'translate(' + (left - x * wider * scale) + ' 0) scale(' + wider * scale + ' 1)');
			if (first < 0)
				continue;
			pane.mark.setAttribute('x', place(first, from, to));
			pane.mark.setAttribute('width', (last - first + 1) * width / count * scale);
		}
		for (const axis of axes)
			axis(from, to);
	}

	/* ---- Search ---- */

	/* In the headings, times and numbers of the cells. */
	function find(expression) {
		let sum = 0, all = 0, found = 0;
		for (const cell of [].concat(...panes.map(pane => pane.cells))) {
			const is = !!expression && expression.test(cell.text);
			if (is !== cell.found)
				cell.rect.classList.toggle('found', is);
			cell.found = is;
			all += cell.n;
			sum += is ? cell.n : 0;
			found += is;
		}
		return 'Matched: ' + (100 * sum / (all || 1)).toFixed(2) + '% (' + found + ' cells)';
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
		view.tell(text);
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
		for (const pane of panes)
			pane.mark.style.display = '';
		draw(view.from, view.to);
		tell();
	}

	function clear() {
		first = last = fixed = -1;
		for (const pane of panes)
			pane.mark.style.display = 'none';
		command.textContent = '';
		view.tell('');
	}

	/* In the address, from and to are the numbers of columns. */
	function save() {
		return first < 0 ? [] : ['from=' + first, 'to=' + last];
	}

	function load(values) {
		const a = parseInt(values.get('from'), 10), b = parseInt(values.get('to'), 10);
		if (a >= 0 && b >= a && a < count) {
			fixed = a;
			select(a, b);
		} else {
			clear();
		}
	}

	function zoom() {
		if (first >= 0)
			view.zoom(first / count, (last + 1) / count);
	}

	/* ---- Mouse and keys ---- */

	/* The column at the pointer; of a pane only if `inside`. -1: none. */
	function columnOf(event, inside) {
		const point = new DOMPoint(event.clientX, event.clientY)
			.matrixTransform(svg.getScreenCTM().inverse());
		const at = view.from + (point.x - x) / width * (view.to - view.from);
		const column = Math.floor(at * count);
		const hit = pane => point.y >= Math.min(pane.y, pane.y + pane.height) &&
			point.y <= Math.max(pane.y, pane.y + pane.height);
		if (inside && (point.x < x || point.x > x + width || !panes.some(hit)))
			return -1;
		return Math.max(0, Math.min(count - 1, column));
	}

	svg.addEventListener('mousedown', event => {
		const column = event.button ? -1 : columnOf(event, true);
		if (column < 0)
			return;
		event.preventDefault();
		dragged = true;
		moved = false;
		pressed = column;
		inside = !event.shiftKey && column >= first && column <= last;
		if (inside)
			return;
		if (!event.shiftKey || fixed < 0)
			fixed = column;
		select(fixed, column);
	});
	addEventListener('mousemove', event => {
		const column = dragged ? columnOf(event, false) : pressed;
		if (column === pressed && !moved)
			return;
		if (inside && !moved)
			fixed = pressed;
		moved = true;
		select(fixed, column);
	});
	/* A click on the selection zooms to it. */
	addEventListener('mouseup', () => {
		if (dragged && inside && !moved)
			zoom();
		else if (dragged)
			view.remember();
		dragged = false;
	});

	/* Moves the visible part so that the column is in it. */
	function reveal(column) {
		const size = view.to - view.from, at = (column + 0.5) / count;
		if (at < view.from || at > view.to)
			view.show(at - size / 2, at + size / 2);
	}

	function key(event) {
		const step = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0;
		if (event.key === 'Enter') {
			zoom();
		} else if (step) {
			const at = first < 0 ? (step > 0 ? 0 : count - 1) :
				(fixed === first ? last : first) + step;
			const column = Math.max(0, Math.min(count - 1, at));
			event.preventDefault();
			if (!event.shiftKey || fixed < 0)
				fixed = column;
			select(fixed, column);
			reveal(column);
			view.remember();
		}
	}

	function escape() {
		const is = first >= 0;
		clear();
		return is;
	}

	const inner = svg.appendChild(element('clipPath', {id: 'pk-inside'}));
	inner.appendChild(element('rect', {x, y: 0, width, height: svg.viewBox.baseVal.height}));
	const view = makeView(svg, {x, width, area: svg, letter, least: Math.min(1, 4 / count), draw, find, key,
		escape, save, load});
	view.start();
}
