// SPDX-License-Identifier: BSD-2-Clause
/* The flame graph: rows of frames, the root above, on a canvas that draws what is visible. */

const ROW = 18, LETTER = 7, THIN = 0.4; // CSS pixels; thinner frames are not drawn

class Flame {
	constructor(model, state) {
		this.model = model;
		this.state = state;
		this.box = find('flame-box');
		this.canvas = find('flame');
		this.rows = [];
		this.current = null;
		this.box.addEventListener('scroll', () => this.draw());
		this.canvas.addEventListener('pointermove', event => this.hover(event));
		this.canvas.addEventListener('pointerleave', () => this.point(null));
		this.canvas.addEventListener('click', event => this.click(event));
		this.canvas.addEventListener('contextmenu', event => this.menu(event));
		this.canvas.addEventListener('keydown', event => this.key(event));
	}

	/* The selection has changed. */
	forget() {
		this.roots = {};
	}

	/* The root of the view, for the mode. */
	root() {
		const {mode} = this.state.values;

		return this.roots[mode] ??= this.makeRoot(mode);
	}

	makeRoot(mode) {
		const {values} = this.state;

		switch (mode) {
		case 'inverted': return this.model.inverted('weight');
		case 'heavy': return this.model.callers('weight');
		case 'time': return this.model.inTime(values, this.thread());
		default: return this.model.callers('name');
		}
	}

	/* The thread of the order of time: the selected one, or that of the most weight. */
	thread() {
		const threads = this.model.threads().sort((a, b) => b.weight - a.weight);

		return this.state.values.tid ?? (threads.length ? threads[0].tid : null);
	}

	update() {
		const {values} = this.state;
		let node = this.top = this.root();

		/* Frames of the zoom that the selection does not have are left out. In order of time, a
		 * frame can be there many times: the place is not kept. */
		for (const frame of values.mode === 'time' ? [] : values.zoom) {
			const next = node.children().find(child => child.frame === frame);

			if (!next)
				break;
			node = next;
		}
		this.node = node;
		find('flame-note').textContent = values.mode === 'time' ? this.timeNote() : '';
		this.current = null;
		/* Only nodes by their callers are those of the recording to compare with. */
		this.changes = this.model.data.base !== '' && values.colours === 'change' && /^(callers|heavy)$/.test(values.mode);
		this.layOut();
		this.draw();
	}

	timeNote() {
		const thread = this.thread(), row = this.model.data.rows.find(row => row.tid === thread);

		return 'thread ' + (row ? taskText(row.comm, thread) : thread) +
			(this.state.values.tid === null ? ', the one of the most weight' : '');
	}

	/* The rows of boxes {node, x, width}: the callers of the zoomed frame, and all it calls. */
	layOut() {
		const width = this.width = this.box.clientWidth, scale = width / (this.node.total || 1), above = [];

		for (let node = this.node.parent; node; node = node.parent)
			above.unshift([{node, x: 0, width, above: true}]);
		this.rows = [...above, [{node: this.node, x: 0, width}]];
		for (let row = this.rows[above.length]; row.length; ) {
			const next = [];

			for (const {node, x} of row) {
				let at = x;

				for (const child of node.children()) {
					const size = child.total * scale;

					if (size >= THIN)
						next.push({node: child, x: at, width: size});
					at += size;
				}
			}
			if (!next.length)
				break;
			this.rows.push(next);
			row = next;
		}
		find('flame-size').style.height = this.rows.length * ROW + 4 + 'px';
		this.showLegend();
	}

	/* The changes of the frames, and their colours. The minimum keeps very small changes from being red. */
	showLegend() {
		find('legend').hidden = !this.changes;
		if (!this.changes)
			return;
		this.most = 0.1;
		for (const row of this.rows)
			for (const box of row)
				this.most = Math.max(this.most, Math.abs(box.change = this.model.change(box.node.node, this.state.values)));
		find('legend').replaceChildren('share ', ...[-1, -0.5, 0, 0.5, 1].map(part => {
			const item = element('span', {textContent: part ? changeText(part * this.most) : '0'});

			item.style.background = changeColour(part, isDark());
			return item;
		}), ' beside ' + this.model.data.base);
	}

	draw() {
		const {data} = this.model, dark = isDark(), height = this.box.clientHeight;
		const top = this.box.scrollTop, matches = this.matches;
		const context = prepare(this.canvas, this.box.clientWidth, height);
		const last = Math.min(this.rows.length, Math.ceil((top + height) / ROW));

		this.canvas.style.top = top + 'px';
		context.font = '11.5px ' + cssColour('mono');
		context.textBaseline = 'middle';
		for (let i = Math.floor(top / ROW); i < last; i++)
			for (const box of this.rows[i])
				this.drawBox(context, box, i * ROW - top, data, dark, matches);
	}

	/* A match has another colour, and a line below it. */
	drawBox(context, box, y, data, dark, matches) {
		const {node, x, width} = box, {frame} = node;
		const match = matches && frame >= 0 && matches[data.frames.function[frame]];

		context.globalAlpha = box.above ? 0.55 : 1;
		context.fillStyle = match ? (dark ? '#a3389f' : '#f08be8') : this.changes ? changeColour(box.change / this.most, dark) :
			frameColour(data, frame, dark);
		context.fillRect(x, y, Math.max(width - 0.5, THIN), ROW - 1);
		if (match) {
			context.fillStyle = dark ? '#fff' : '#000';
			context.fillRect(x, y + ROW - 3, Math.max(width - 0.5, THIN), 2);
		}
		if (this.current && this.current.node === node) {
			context.strokeStyle = cssColour('text');
			context.lineWidth = 2;
			context.strokeRect(x + 1, y + 1, Math.max(width - 2.5, 1), ROW - 3);
		}
		if (width > 3 * LETTER) {
			context.fillStyle = dark ? '#eee' : '#111';
			const label = this.model.label(frame) + (this.changes ? ' ' + changeText(box.change) : '');

			context.fillText(fit(label, width - 6, LETTER), x + 3, y + ROW / 2);
		}
		context.globalAlpha = 1;
	}

	/* ---- The current frame ---- */

	boxAt(event) {
		const row = this.rows[Math.floor((event.offsetY + this.box.scrollTop) / ROW)] || [];

		return row.find(box => event.offsetX >= box.x && event.offsetX < box.x + box.width) || null;
	}

	text(node) {
		const {model} = this, {unit} = model.data.events[this.state.values.event], object = model.object(node.frame);

		return model.label(node.frame) + (object ? ' (' + object + ')' : '') + ': ' + weightText(node.total, unit) +
			', ' + percentText(node.total, this.top.total) + ' of the selection' +
			(node.self ? ', self ' + percentText(node.self, this.top.total) : '') +
			(this.changes ? ', change ' + changeText(model.change(node.node, this.state.values)) : '') +
			', ' + grouped.format(node.samples) + (node.samples === 1 ? ' sample' : ' samples') +
			kinds(model.data.frames.flags[node.frame] ?? 0);
	}

	point(box) {
		if ((box && box.node) === (this.current && this.current.node))
			return;
		this.current = box;
		find('frame').textContent = box ? this.text(box.node) : '';
		this.draw();
	}

	hover(event) {
		this.point(this.boxAt(event));
		this.canvas.style.cursor = this.current ? 'pointer' : 'default';
	}

	/* The frames from the root to a node. */
	way(node) {
		const way = [];

		for (let at = node; at && at.parent; at = at.parent)
			way.unshift(at.frame);
		return way;
	}

	zoom(node) {
		if (this.state.values.mode === 'time') {
			this.node = node;
			this.layOut();
			this.draw();
		} else {
			this.state.set({zoom: this.way(node)});
		}
		find('frame').textContent = this.text(node);
	}

	click(event) {
		const box = this.boxAt(event);

		if (box)
			this.zoom(box.node);
	}

	menu(event) {
		const box = this.boxAt(event);

		if (!box || box.node.frame < 0)
			return;
		event.preventDefault();
		openMenu(this.model.data.frames.function[box.node.frame], event.clientX, event.clientY,
			() => this.stackText(box.node));
	}

	/* The stack of a node as text, the innermost frame first. */
	stackText(node) {
		const names = this.way(node).map(frame => this.model.label(frame) + '\n');

		return (this.state.values.mode === 'inverted' ? names : names.reverse()).join('');
	}

	/* ---- Keys ---- */

	/* The neighbour of the current box: parent, first child, or sibling. */
	neighbour(key) {
		const {current} = this;
		let row = current ? this.rows.findIndex(row => row.includes(current)) : -1;

		if (row < 0)
			return this.rows[0] && this.rows[0][0];
		const index = this.rows[row].indexOf(current);

		switch (key) {
		case 'ArrowUp': return row ? this.rows[row - 1].find(box => box.node === current.node.parent) : null;
		case 'ArrowDown': return (this.rows[row + 1] || []).reduce((most, box) => box.node.parent === current.node &&
			(!most || box.width > most.width) ? box : most, null);
		case 'ArrowLeft': return this.rows[row][index - 1];
		default: return this.rows[row][index + 1];
		}
	}

	key(event) {
		if (event.ctrlKey || event.altKey || event.metaKey)
			return;
		if (event.key.startsWith('Arrow')) {
			const box = this.neighbour(event.key);

			if (box) {
				const y = this.rows.findIndex(row => row.includes(box)) * ROW;

				this.box.scrollTop = Math.min(Math.max(this.box.scrollTop, y + 2 * ROW - this.box.clientHeight), y);
				this.point(box);
				say(this.text(box.node));
			}
		} else if (event.key === 'Enter' && this.current) {
			this.zoom(this.current.node);
		} else if (event.key === 'Escape') {
			this.node = this.top;
			this.state.set({zoom: []});
		} else if ((event.key === 'm' || event.key === 'ContextMenu') && this.current && this.current.node.frame >= 0) {
			const place = this.canvas.getBoundingClientRect(), {node, x} = this.current;

			openMenu(this.model.data.frames.function[node.frame], place.x + x + 8, place.y + ROW,
				() => this.stackText(node));
		} else {
			return;
		}
		event.preventDefault();
	}
}

/* The kinds of a frame in words. */
function kinds(flags) {
	const words = [[KERNEL, 'kernel'], [GUEST, 'guest'], [HYPERVISOR, 'hypervisor'], [INLINED, 'inlined'], [JIT, 'compiled at run time']];
	const found = words.filter(([flag]) => flags & flag).map(([, word]) => word);

	return found.length ? '; ' + found.join(', ') : '';
}
