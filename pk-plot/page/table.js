// SPDX-License-Identifier: BSD-2-Clause
/* Tables: only the visible rows are elements. */

const TABLE_ROW = 22; // CSS pixels, as in page.css
const EXPAND_MOST = 20000; // rows

class Table {
	/* columns: {id, title, about, value(row), text(row), number, key(row)}; the key, if there is one, is for the order. open(row): whether a row of a
	 * tree is open, or null if it has no children; toggle(row) opens or closes it. */
	constructor(id, columns, state, {order, ascending, open, toggle, activate, menu, mark}) {
		Object.assign(this, {id, columns, state, order, ascending, open, toggle, activate, menu, mark});
		this.rows = [];
		this.made = new Map(); // the elements of the visible rows, by index
		this.at = 0;
		this.head = element('div', {class: 'row head', role: 'row', 'aria-rowindex': 1});
		this.space = element('div', {class: 'space', role: 'presentation'});
		this.body = element('div', {class: 'body', role: 'rowgroup'}, this.space);
		this.grid = element('div', {class: 'grid ' + id, role: open ? 'treegrid' : 'grid', tabIndex: 0,
			'aria-label': find('tab-' + id).textContent, 'aria-colcount': columns.length},
		element('div', {role: 'rowgroup'}, this.head), this.body);
		find('panel-' + id).append(this.grid);
		this.body.addEventListener('scroll', () => this.draw());
		this.grid.addEventListener('keydown', event => this.key(event));
		this.body.addEventListener('click', event => this.click(event));
		this.body.addEventListener('dblclick', event => this.act(event));
		this.body.addEventListener('contextmenu', event => this.showMenu(event));
		this.addHead();
	}

	addHead() {
		for (const column of this.columns) {
			const button = element('button', {type: 'button', textContent: column.title, title: column.about});

			button.addEventListener('click', () => this.sortBy(column));
			column.head = element('div', {class: 'cell ' + (column.number ? 'number' : 'name'), role: 'columnheader'}, button);
			this.head.append(column.head);
		}
	}

	/* The column and whether the greatest is first. */
	sorting() {
		const [id, descending] = this.state.values.sort[this.id] ?? [this.order, !this.ascending];
		const column = this.columns.find(column => column.id === id) ?? this.columns.find(column => column.id === this.order);

		return {column, descending};
	}

	sortBy(column) {
		const {column: now, descending} = this.sorting();
		const down = now === column ? !descending : !!column.number;

		this.state.set({sort: {...this.state.values.sort, [this.id]: [column.id, down]}});
	}

	sort(rows) {
		const {column, descending} = this.sorting(), sign = descending ? -1 : 1;

		return rows.sort((a, b) => {
			const left = (column.key ?? column.value)(a), right = (column.key ?? column.value)(b);

			return sign * (column.number ? left - right : compareText(String(left), String(right)));
		});
	}

	show(rows) {
		const {column, descending} = this.sorting();

		this.rows = rows;
		this.made.clear();
		this.space.replaceChildren();
		this.at = Math.min(this.at, Math.max(0, rows.length - 1));
		for (const each of this.columns)
			each.head.setAttribute('aria-sort', each !== column ? 'none' : descending ? 'descending' : 'ascending');
		this.grid.setAttribute('aria-rowcount', rows.length + 1);
		this.space.style.height = rows.length * TABLE_ROW + 'px';
		this.draw();
	}

	draw() {
		const first = Math.max(0, Math.floor(this.body.scrollTop / TABLE_ROW) - 2);
		const last = Math.min(this.rows.length, first + Math.ceil(this.body.clientHeight / TABLE_ROW) + 4);
		const made = new Map();
		let place = this.space.firstChild;

		for (const [index, row] of this.made) {
			if (index >= first && index < last)
				continue;
			place = row === place ? row.nextSibling : place;
			row.remove();
		}
		for (let i = first; i < last; i++) {
			const row = this.made.get(i) ?? this.rowElement(i);

			row.classList.toggle('current', i === this.at);
			row.setAttribute('aria-selected', i === this.at);
			made.set(i, row);
			if (row === place)
				place = row.nextSibling;
			else
				this.space.insertBefore(row, place);
		}
		this.made = made;
		if (this.rows.length)
			this.grid.setAttribute('aria-activedescendant', this.id + '-' + this.at);
		else
			this.grid.removeAttribute('aria-activedescendant');
	}

	rowElement(index) {
		const row = this.rows[index];
		const made = element('div', {class: 'row', role: 'row', id: this.id + '-' + index, 'aria-rowindex': index + 2});

		made.style.top = index * TABLE_ROW + 'px';
		made.dataset.index = index;
		if (this.mark && this.mark(row))
			made.classList.add('match');
		for (const column of this.columns)
			made.append(this.cell(column, row));
		if (this.open) {
			const open = this.open(row);

			made.setAttribute('aria-level', row.depth + 1);
			if (open !== null)
				made.setAttribute('aria-expanded', open);
		}
		return made;
	}

	cell(column, row) {
		const text = column.text ? column.text(row) : String(column.value(row));
		const made = element('div', {class: 'cell ' + (column.number ? 'number' : 'name'), role: 'gridcell', title: column.number ? '' : text});

		if (column.id === 'name' && this.open) {
			const open = this.open(row);

			made.style.paddingLeft = Math.min(row.depth, 60) * 12 + 4 + 'px';
			made.append(element('span', {class: 'open', 'aria-hidden': 'true', textContent: open === null ? '' : open ? '▾' : '▸'}));
		}
		if (column.grey && column.grey(row)) {
			made.classList.add('grey');
			made.title = 'can be chance';
		}
		made.append(text);
		if (column.bar) {
			const bar = element('span', {class: 'bar', 'aria-hidden': 'true'});

			bar.style.width = Math.min(100, 100 * column.bar(row)) + '%';
			made.append(bar);
		}
		return made;
	}

	/* All rows of the table. */
	csv() {
		const columns = this.columns.filter(column => !column.share);
		const level = this.open ? [['level'], row => [row.depth + 1]] : [[], () => []];

		return csv([[...level[0], ...columns.map(column => column.title)],
			...this.rows.map(row => [...level[1](row), ...columns.map(column => (column.csv ?? column.value)(row))])]);
	}

	/* ---- Mouse and keys ---- */

	indexOf(event) {
		const row = event.target.closest('.row');

		return row ? +row.dataset.index : -1;
	}

	click(event) {
		const index = this.indexOf(event);

		if (index < 0)
			return;
		this.at = index;
		if (this.open && event.target.closest('.open') && this.open(this.rows[index]) !== null)
			this.toggle(this.rows[index]);
		this.draw();
	}

	act(event) {
		const row = this.rows[this.indexOf(event)];

		if (row && this.activate)
			this.activate(row);
	}

	showMenu(event) {
		const index = this.indexOf(event);

		if (index < 0 || !this.menu)
			return;
		event.preventDefault();
		this.at = index;
		this.draw();
		this.menu(this.rows[index], event.clientX, event.clientY);
	}

	moveTo(index) {
		const y = Math.max(0, Math.min(this.rows.length - 1, index)) * TABLE_ROW;

		this.at = y / TABLE_ROW;
		this.body.scrollTop = Math.min(Math.max(this.body.scrollTop, y + 2 * TABLE_ROW - this.body.clientHeight), y);
		this.draw();
	}

	key(event) {
		const row = this.rows[this.at], page = Math.max(1, Math.floor(this.body.clientHeight / TABLE_ROW) - 1);
		const state = row && this.open ? this.open(row) : null;

		if (event.ctrlKey || event.altKey || event.metaKey || !row || event.target.closest('button'))
			return;
		const actions = {
			ArrowDown: () => this.moveTo(this.at + 1),
			ArrowUp: () => this.moveTo(this.at - 1),
			PageDown: () => this.moveTo(this.at + page),
			PageUp: () => this.moveTo(this.at - page),
			Home: () => this.moveTo(0),
			End: () => this.moveTo(this.rows.length - 1),
			ArrowRight: () => state === false ? this.toggle(row) : state && this.moveTo(this.at + 1),
			ArrowLeft: () => state ? this.toggle(row) : this.toParent(row),
			Enter: () => state !== null ? this.toggle(row) : this.activate && this.activate(row),
			m: () => this.menuAtRow(row),
			ContextMenu: () => this.menuAtRow(row),
		};

		if (!Object.hasOwn(actions, event.key))
			return;
		event.preventDefault();
		actions[event.key]();
	}

	toParent(row) {
		let index = this.at;

		while (index > 0 && this.rows[index].depth >= row.depth)
			index--;
		if (this.open)
			this.moveTo(index);
	}

	menuAtRow(row) {
		const place = find(this.id + '-' + this.at).getBoundingClientRect();

		if (this.menu)
			this.menu(row, place.x + 80, place.bottom);
	}
}

/* ---- Trees ---- */

/* A tree as a table: of nodes as model.callers() makes them. Open rows keep open when the selection changes: they are known by their
 * frames. */
class TreeTable {
	constructor(id, model, state, root) {
		const weight = node => weightText(node, model.data.events[state.values.event].unit);
		const columns = [
			{id: 'total', title: 'Total', about: 'with what it calls', number: true, value: row => row.node.total,
				text: row => weight(row.node.total)},
			{id: 'share', title: 'Total %', about: 'share of the selection', number: true, share: true, value: row => row.node.total,
				text: row => percentText(row.node.total, this.all), bar: row => row.node.total / this.all},
			{id: 'self', title: 'Self', about: 'without what it calls', number: true, value: row => row.node.self,
				text: row => weight(row.node.self)},
			{id: 'samples', title: 'Samples', about: 'with what it calls', number: true, value: row => row.node.samples,
				text: row => grouped.format(row.node.samples)},
			{id: 'name', title: 'Function', about: '', value: row => model.label(row.node.frame)},
			{id: 'object', title: 'Object', about: 'file of the code', value: row => model.object(row.node.frame)},
		];

		Object.assign(this, {model, state, root});
		this.opened = new Set();
		this.table = new Table(id, columns, state, {
			order: 'total',
			open: row => row.node.hasChildren() ? this.opened.has(row.path) : null,
			toggle: row => this.toggle(row),
			activate: row => this.toggle(row),
			menu: (row, x, y) => openMenu(model.data.frames.function[row.node.frame], x, y, () => this.stackText(row.node)),
			mark: row => model.matches && model.matches[model.data.frames.function[row.node.frame]],
		});
	}

	toggle(row) {
		if (!this.opened.delete(row.path))
			this.opened.add(row.path);
		this.flatten();
	}

	/* Opens all rows, as long as they are not too many. */
	expand() {
		const open = [{node: this.top, path: ''}];

		for (let count = 0; open.length && count < EXPAND_MOST; count++) {
			const {node, path} = open.shift();

			if (path)
				this.opened.add(path);
			for (const child of node.children())
				open.push({node: child, path: path + '/' + child.frame});
		}
		say(open.length ? 'too many rows: only the outer ones are open' : 'all rows are open');
		this.flatten();
	}

	stackText(node) {
		const names = [];

		for (let at = node; at.parent; at = at.parent)
			names.push(this.model.label(at.frame) + '\n');
		return (this.table.id === 'callers' ? names.reverse() : names).join('');
	}

	update() {
		this.top = this.root();
		this.all = this.top.total;
		if (!this.opened.size)
			this.openHeaviest();
		this.flatten();
	}

	/* At first, the way of the most weight is open, as long as it has most of it. */
	openHeaviest() {
		let node = this.top, path = '';

		while (this.table.id === 'calls') {
			const most = node.children().reduce((most, child) => !most || child.total > most.total ? child : most, null);

			if (!most || most.total < this.all / 2)
				return;
			node = most;
			path += '/' + most.frame;
			this.opened.add(path);
		}
	}

	flatten() {
		const rows = [], open = [{node: this.top, depth: -1, path: ''}];

		while (open.length) {
			const row = open.pop();

			if (row.depth >= 0)
				rows.push(row);
			if (row.depth >= 0 && !this.opened.has(row.path))
				continue;
			const children = this.table.sort(row.node.children().map(node =>
				({node, depth: row.depth + 1, path: row.path + '/' + node.frame})));

			while (children.length)
				open.push(children.pop());
		}
		this.table.show(rows);
	}
}
