// SPDX-License-Identifier: BSD-2-Clause
/* The page: connects the parts, and fills the header and the filters. */

let openMenu = () => {};

/* ---- The header ---- */

const FACTS_MOST = 4; // events, and causes of broken stacks

function showHead(data, model) {
	const title = data.title || data.command.replace(/^\S*\//, '') || 'Profile', facts = find('facts');
	const count = (samples, text) => grouped.format(samples) + (text ? ' ' + text : '');
	const events = data.events.filter(event => !event.members).sort((a, b) => b.samples - a.samples);
	const broken = [...model.brokenStacks()].sort((a, b) => b[1] - a[1]);
	const add = (name, text) => text && facts.append(element('div', {},
		element('dt', {textContent: name}), element('dd', {textContent: text})));

	document.title = title;
	find('title').textContent = title;
	find('title').title = data.title ? title : data.command;
	add('Command', data.title ? data.command : '');
	add('Host', [data.host, data.system].filter(text => text).join(', '));
	add('Duration', data.last === '0' ? '' : timeText(Number(BigInt(data.last) - BigInt(data.first))));
	add('Samples', events.slice(0, FACTS_MOST).map(event => count(event.samples, event.name)).join(', ') +
		(events.length > FACTS_MOST ? '; other events: ' + (events.length - FACTS_MOST) : ''));
	add('Compared with', data.base);
	add('Losses', data.losses || 'none reported');
	add('Broken stacks', broken.slice(0, FACTS_MOST).map(([label, samples]) => count(samples, label)).join(', '));
	add('Without stack', data.without_stack ? count(data.without_stack, 'samples') : '');
	add('Without time', data.without_time ? count(data.without_time, 'samples') : '');
	add('Time is exact to', model.slots ? timeText(2 ** data.shift) : '');
}

/* ---- Filters ---- */

function option(value, text, selected) {
	return element('option', {value, textContent: text, selected});
}

/* Lists the processes, threads and processors that have samples of the event. */
function showFilters(model, state) {
	const {data} = model, {values} = state, rows = data.rows.filter(row => model.isOf(row.event, values.event));
	const names = new Map(), threads = new Map(), cpus = new Set();

	for (const row of rows) {
		names.set(row.pid, row.comm);
		if (values.pid === null || row.pid === values.pid)
			threads.set(row.tid, row.comm);
		if (row.cpu !== null)
			cpus.add(row.cpu);
	}
	const fill = (id, all, items) => {
		const select = find(id), value = values[id];

		select.replaceChildren(option('', all, value === null), ...items.map(([key, text]) => option(key, text, key === value)));
		if (value !== null && !items.some(([key]) => key === value))
			select.append(option(value, value + ' (no samples)', true));
		select.closest('label').hidden = items.length < 2 && value === null;
	};
	const byNumber = ([a], [b]) => a - b;

	find('event').replaceChildren(...data.events.map((event, i) =>
		option(i, event.name + ' (' + grouped.format(event.samples) + ' samples)', i === values.event)));
	find('event').closest('label').hidden = data.events.length < 2;
	fill('pid', 'all processes', [...names].sort(byNumber).map(([pid, comm]) => [pid, model.processText(pid, comm)]));
	fill('tid', 'all threads', [...threads].sort(byNumber).map(([tid, comm]) => [tid, taskText(comm, tid)]));
	fill('cpu', 'all CPUs', [...cpus].sort((a, b) => a - b).map(cpu => [cpu, 'CPU ' + cpu]));
}

/* The changes of the stacks, each with a button that removes it. */
function showChanges(model, state) {
	find('changes').replaceChildren(...state.values.changes.map(([change, name, object], i) => {
		const fn = model.data.functions[model.findFunction(name, object)];
		const text = CHANGES[change].text + (fn && change !== 'recursion' ? ' ' + fn.label : '');
		const button = element('button', {type: 'button', textContent: text + ' ✕', title: CHANGES[change].about + '. Click to end it.'});

		button.addEventListener('click', () => state.set({changes: state.values.changes.filter((_, at) => at !== i)}));
		return button;
	}));
}

/* ---- The menu of a function ---- */

function makeMenu(model, state) {
	const menu = find('menu');
	let back = null;
	const close = () => {
		menu.hidden = true;
		if (back)
			back.focus();
		back = null;
	};
	const add = (text, about, action) => {
		const button = element('button', {type: 'button', role: 'menuitem', textContent: text, title: about});

		button.addEventListener('click', () => { close(); action(); });
		menu.append(button);
	};

	menu.addEventListener('keydown', event => {
		const items = [...menu.children].filter(item => item.tagName === 'BUTTON'), at = items.indexOf(document.activeElement);

		if (event.key === 'Escape')
			close();
		else if (event.key === 'ArrowDown' || event.key === 'ArrowUp')
			items[(at + (event.key === 'ArrowDown' ? 1 : items.length - 1)) % items.length].focus();
		else
			return;
		event.preventDefault();
		event.stopPropagation();
	});
	addEventListener('pointerdown', event => { if (!menu.hidden && !menu.contains(event.target)) close(); });

	openMenu = (number, x, y, stack) => {
		const fn = model.data.functions[number];

		back = document.activeElement;
		menu.replaceChildren(element('div', {class: 'title', textContent: fn.label, title: fn.label}));
		for (const [name, change] of Object.entries(CHANGES))
			if (name !== 'recursion' && !fn.marker)
				add(change.about, '', () => state.set({zoom: [], changes: [...state.values.changes, [name, fn.name, fn.object]]}));
		add('Search for this function', '', () => state.set({search: '^' + fn.label.replace(/[^\w ]/g, '\\$&') + '$'}));
		const code = model.data.code.findIndex(item => item.function === fn.name && item.object === fn.object);

		if (code >= 0 && !find('tab-code').hidden)
			add('Show the source and instructions', '', () => state.set({tab: 'code', code}));
		add('Copy the stack as text', '', () => copy(stack(), 'stack'));
		add('Copy the name', '', () => copy(fn.label, 'name'));
		menu.hidden = false;
		menu.style.left = Math.max(0, Math.min(x, innerWidth - menu.offsetWidth - 4)) + 'px';
		menu.style.top = Math.max(0, Math.min(y, innerHeight - menu.offsetHeight - 4)) + 'px';
		menu.querySelector('button').focus();
	};
}

/* ---- Tables ---- */

function makeTables(model, state) {
	const unit = () => model.data.events[state.values.event].unit, all = () => model.total(0);
	const number = (id, title, about, value, more) => ({id, title, about, number: true, value, ...more});
	const functions = new Table('functions', [
		number('total', 'Total', 'with what it calls', row => row.total, {text: row => weightText(row.total, unit())}),
		number('share', 'Total %', 'share of the selection', row => row.total,
			{share: true, text: row => percentText(row.total, all()), bar: row => row.total / all()}),
		number('self', 'Self', 'without what it calls', row => row.self, {text: row => weightText(row.self, unit())}),
		number('selfshare', 'Self %', 'share of the selection', row => row.self,
			{share: true, text: row => percentText(row.self, all()), bar: row => row.self / all()}),
		number('samples', 'Samples', 'without what it calls', row => row.samples, {text: row => grouped.format(row.samples)}),
		{id: 'name', title: 'Function', about: '', value: row => row.label},
		{id: 'object', title: 'Object', about: 'file of the code', value: row => row.object},
	], state, {
		order: 'self',
		activate: row => row.number >= 0 && state.set({tab: 'flame', zoom: [], changes: [...state.values.changes, ['focus', row.name, row.object]]}),
		menu: (row, x, y) => row.number >= 0 && openMenu(row.number, x, y, () => row.label + '\n'),
	});
	const shareOf = (id, title, about) => number(id, title, about, row => row[id], {text: row => row[id].toFixed(2) + '%'});
	const changeOf = (id, title, about, bit) => number(id, title, about, row => row[id],
		{text: row => changeText(row[id]), key: row => Math.abs(row[id]), grey: row => row.chance & bit});
	const compare = new Table('compare', [
		changeOf('change', 'Change', 'of the share, with what it calls; grey if it can be chance', 1),
		shareOf('before', 'Before', 'share in the base, with what it calls'),
		shareOf('now', 'Now', 'share of the selection, with what it calls'),
		changeOf('selfChange', 'Self change', 'without what it calls; grey if it can be chance', 2),
		shareOf('selfBefore', 'Self before', 'without what it calls'),
		shareOf('selfNow', 'Self now', 'without what it calls'),
		{id: 'name', title: 'Function', about: '', value: row => row.label},
		{id: 'object', title: 'Object', about: 'file of the code', value: row => row.object},
	], state, {
		order: 'change',
		menu: (row, x, y) => row.number >= 0 && openMenu(row.number, x, y, () => row.label + '\n'),
	});
	const code = new Table('code', [
		number('place', 'Place', 'address, or line of the source', row => row.number, {text: row => row.place, csv: row => row.place}),
		number('share', 'Share', 'of the samples of the function', row => row.weight,
			{share: true, text: row => row.weight ? percentText(row.weight, row.all) : '', bar: row => row.weight / row.all}),
		number('weight', 'Weight', 'of the selection', row => row.weight, {text: row => row.weight ? weightText(row.weight, unit()) : ''}),
		number('samples', 'Samples', 'of the selection', row => row.samples, {text: row => row.samples ? grouped.format(row.samples) : ''}),
		{id: 'text', title: 'Source and instructions', about: '', value: row => row.text},
	], state, {order: 'place', ascending: true, mark: row => row.kind !== INSTRUCTION});
	const spans = new Table('spans', [
		number('start', 'Start', 'since the first sample', row => row.start, {text: row => timeText(row.start)}),
		number('time', 'Time', 'of all spans of the row', row => row.time, {text: row => timeText(row.time)}),
		number('count', 'Spans', 'short spans that are near to each other have one row', row => row.count,
			{text: row => grouped.format(row.count)}),
		{id: 'name', title: 'Name', about: '', value: row => row.name},
		{id: 'event', title: 'Event', about: '', value: row => row.event},
		number('pid', 'Process', 'its number', row => row.pid),
		number('tid', 'Thread', 'its number', row => row.tid),
		{id: 'comm', title: 'Thread name', about: '', value: row => row.comm},
	], state, {order: 'time', activate: row => state.set(model.rangeOf(row.start, row.start + row.length))});
	const threads = new Table('threads', [
		number('weight', 'Weight', '', row => row.weight, {text: row => weightText(row.weight, unit())}),
		number('share', 'Share', 'share of the selection', row => row.weight,
			{share: true, text: row => percentText(row.weight, all()), bar: row => row.weight / all()}),
		number('samples', 'Samples', '', row => row.samples, {text: row => grouped.format(row.samples)}),
		number('pid', 'Process', 'its number', row => row.pid),
		number('tid', 'Thread', 'its number', row => row.tid),
		{id: 'name', title: 'Name', about: '', value: row => row.comm ?? ''},
	], state, {order: 'weight', activate: row => state.set({tid: row.tid})});

	return {
		calls: new TreeTable('calls', model, state, () => model.callers('weight')),
		callers: new TreeTable('callers', model, state, () => model.inverted('weight')),
		functions: {table: functions, update: () => functions.show(functions.sort(functionRows(model)))},
		code: {table: code, update: () => showCode(model, state.values, code)},
		spans: {table: spans, update: () => spans.show(spans.sort(model.marks(state.values)))},
		compare: {table: compare, update: () => compare.show(compare.sort(model.compared(state.values)))},
		threads: {table: threads, update: () => threads.show(threads.sort(model.threads()))},
	};
}

/* The rows of a function: source lines, each before its instructions. A function of an interpreter has only lines. */
function codeRows({fn, weight: all}, {weight, samples}) {
	return fn.rows.map((row, i) => ({...row, kind: fn.interpreted && row.kind === SOURCE ? INSTRUCTION : row.kind, text: row.kind === GAP ? '… ' + row.text : row.text, number: i, all,
		weight: weight[fn.first + 1 + i], samples: samples[fn.first + 1 + i]}));
}

/* The source lines of a function in the order of files and lines, each with the sums of its instructions. */
function lineRows(code, sums) {
	const lines = new Map();
	let place = '', line = null;

	for (const row of codeRows(code, sums)) {
		if (row.kind === PLACE) {
			place = row.text;
		} else if (row.kind === SOURCE) {
			const key = place + ':' + row.place;

			line = lines.get(key) ?? {...row, file: place};
			lines.set(key, line);
		} else if (line) {
			line.weight += row.weight;
			line.samples += row.samples;
		}
	}
	const sorted = [...lines.values()].sort((a, b) => compareText(a.file, b.file) || a.place - b.place), rows = [];

	for (const item of sorted) {
		if (rows.at(-1)?.file !== item.file)
			rows.push({...item, kind: PLACE, place: '', text: item.file, weight: 0, samples: 0});
		rows.push({...item, kind: INSTRUCTION});
	}
	return rows.map((row, number) => ({...row, number}));
}

function showCode(model, values, table) {
	const sums = model.codeSums(values), found = model.codeFunctions(values);
	const code = found.find(({number}) => number === values.code) ?? found[0];
	const title = ({fn, weight}) => fn.function + ' (' + fn.object + ') ' + (percentText(weight, model.total(0)) || '0%');
	const rows = !code ? [] : values.lines && !code.fn.interpreted ? lineRows(code, sums) : codeRows(code, sums);

	find('code-function').replaceChildren(...found.map(item => option(item.number, title(item), item === code)));
	find('code-lines').setAttribute('aria-pressed', values.lines);
	find('code-note').textContent = !code ? 'No function of the list matches the search.' :
		code.fn.reason ? 'No code: ' + code.fn.reason + '.' :
			rows.length ? '' : 'The source lines are not known.';
	table.show(table.sort(rows));
	/* The hottest instruction of another function is in view. */
	if (table.code !== code?.fn && rows.length) {
		table.moveTo(table.rows.reduce((most, row, i, rows) => row.weight > rows[most].weight ? i : most, 0));
		table.body.scrollTop = table.at * TABLE_ROW - table.body.clientHeight / 2;
	}
	table.code = code?.fn;
}

/* Functions with samples, that match the search. */
function functionRows(model) {
	const {self, total, samples} = model.functions(), rows = [], {functions, without_stack} = model.data;

	functions.forEach((fn, i) => {
		if ((total[i] || samples[i]) && (!model.matches || model.matches[i]))
			rows.push({number: i, self: self[i], total: total[i], samples: samples[i], label: fn.label,
				name: fn.name, object: fn.object});
	});
	const last = functions.length;

	if (samples[last] && !model.matches)
		rows.push({number: -1, self: self[last], total: total[last], samples: samples[last],
			label: without_stack ? '[no stack]' : '[no function]', name: '', object: ''});
	return rows;
}

/* ---- The page ---- */

class Page {
	constructor(data) {
		const model = this.model = new Model(data);
		const state = this.state = new State(model, () => this.update());

		find('tab-code').hidden = !data.code_rows;
		find('tab-spans').hidden = !data.marks.length;
		find('tab-compare').hidden = find('colours').parentNode.hidden = !data.base;
		this.timeline = new Timeline(model, state);
		this.flame = new Flame(model, state);
		makeMenu(model, state);
		this.tables = makeTables(model, state);
		showHead(data, model);
		this.connect();
		state.read();
		this.update();
		addEventListener('resize', () => this.update());
		darkSystem.addEventListener('change', () => this.update());
	}

	/* Called after each change. Sums are calculated again only if the selection has changed. */
	update() {
		const {values} = this.state, {model} = this;
		const key = JSON.stringify([values.event, values.pid, values.tid, values.cpu, values.from, values.to, values.changes]);

		if (values.theme)
			document.documentElement.dataset.theme = values.theme;
		else
			delete document.documentElement.dataset.theme;
		if (key !== this.selection) {
			this.selection = key;
			model.select(values);
			showFilters(model, this.state);
			showChanges(model, this.state);
			this.flame.forget();
		}
		this.search();
		this.showSums();
		this.showTab();
		this.timeline.update();
	}

	search() {
		const {model} = this, {search} = this.state.values, match = matcher(search);

		if (find('search').value !== search)
			find('search').value = search;
		model.matches = this.flame.matches = match && model.data.functions.map(fn => match(fn.label));
		if (!match)
			return void (find('found').textContent = '');
		const weight = model.matched(model.matches), {total} = model.functions();
		const count = model.matches.reduce((sum, hit, i) => sum + (hit && total[i] ? 1 : 0), 0);

		find('found').textContent = grouped.format(count) + (count === 1 ? ' function, ' : ' functions, ') +
			(percentText(weight, model.total(0)) || '0%');
	}

	showSums() {
		const {model} = this, event = model.data.events[this.state.values.event];

		find('sums').textContent = event.name + ': ' + grouped.format(model.samples(0)) +
			(model.samples(0) === 1 ? ' sample, ' : ' samples, ') +
			weightText(model.total(0), event.unit);
		find('undo').disabled = !this.state.past.length;
		find('reset').disabled = !this.state.text;
		find('recursion').setAttribute('aria-pressed', this.state.values.changes.some(([change]) => change === 'recursion'));
		find('theme').textContent = isDark() ? 'Light' : 'Dark';
	}

	showTab() {
		const {tab, mode, colours} = this.state.values;

		for (const name of TABS) {
			find('tab-' + name).setAttribute('aria-selected', name === tab);
			find('tab-' + name).tabIndex = name === tab ? 0 : -1;
			find('panel-' + name).hidden = name !== tab;
		}
		if (tab !== this.tab)
			find('tab-' + tab).scrollIntoView({block: 'nearest', inline: 'nearest'});
		this.tab = tab;
		find('mode').value = mode;
		find('colours').value = colours;
		find('csv').hidden = tab === 'flame';
		find('expand').hidden = !(this.tables[tab] instanceof TreeTable);
		(tab === 'flame' ? this.flame : this.tables[tab]).update();
	}

	/* ---- Controls ---- */

	connect() {
		const {state} = this, on = (id, event, action) => find(id).addEventListener(event, action);

		find('mode').append(...Object.entries(MODES).map(([mode, text]) => option(mode, text)));
		find('colours').append(...Object.entries(COLOURS).map(([colours, text]) => option(colours, text)));
		on('colours', 'change', event => state.set({colours: event.target.value}));
		for (const id of ['pid', 'tid', 'cpu'])
			on(id, 'change', event => state.set({[id]: event.target.value === '' ? null : +event.target.value,
				...id === 'pid' ? {tid: null} : {}}));
		on('event', 'change', event => state.set({event: +event.target.value}));
		on('code-function', 'change', event => state.set({code: +event.target.value}));
		on('code-lines', 'click', () => state.set({lines: !state.values.lines}));
		on('mode', 'change', event => state.set({mode: event.target.value, zoom: []}));
		on('search', 'input', event => state.set({search: event.target.value}, false));
		on('search', 'keydown', event => event.key === 'Escape' && state.set({search: ''}));
		on('undo', 'click', () => state.undo());
		on('reset', 'click', () => state.set({...state.initial(), tab: state.values.tab, theme: state.values.theme}));
		on('theme', 'click', () => state.set({theme: isDark() ? 'light' : 'dark'}));
		on('recursion', 'click', () => this.toggleRecursion());
		on('csv', 'click', () => copy(this.tables[state.values.tab].table.csv(), 'table'));
		on('expand', 'click', () => this.tables[state.values.tab].expand());
		on('folded', 'click', () => save(this.model.folded(), 'stacks.folded'));
		for (const tab of TABS)
			on('tab-' + tab, 'click', () => state.set({tab}));
		on('tabs', 'keydown', event => this.tabKey(event));
		addEventListener('keydown', event => this.key(event));
	}

	toggleRecursion() {
		const {changes} = this.state.values, rest = changes.filter(([change]) => change !== 'recursion');

		this.state.set({zoom: [], changes: rest.length < changes.length ? rest : [...changes, ['recursion', '', '']]});
	}

	tabKey(event) {
		const tabs = TABS.filter(tab => !find('tab-' + tab).hidden);
		const step = {ArrowRight: 1, ArrowLeft: tabs.length - 1}[event.key];

		if (!step)
			return;
		const tab = tabs[(tabs.indexOf(this.state.values.tab) + step) % tabs.length];

		event.preventDefault();
		this.state.set({tab});
		find('tab-' + tab).focus();
	}

	key(event) {
		const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName);

		if ((event.ctrlKey || event.metaKey) && event.key === 'z' && !typing) {
			event.preventDefault();
			this.state.undo();
		} else if (event.key === '/' && !typing) {
			event.preventDefault();
			find('search').focus();
		}
	}
}

readData().then(data => {
	new Page(data);
	document.body.dataset.ready = 'true';
}, error => {
	say('The page cannot be shown: ' + error.message);
	document.body.dataset.ready = 'failed';
});
