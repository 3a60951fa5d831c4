// SPDX-License-Identifier: BSD-2-Clause
/* The state of the page. It is in the fragment of the address, so that a link leads to what the
 * sender saw, and the browser's "back" works. */

const TABS = ['flame', 'calls', 'callers', 'functions', 'code', 'threads', 'spans', 'compare'];
const MODES = {callers: 'by caller', inverted: 'inverted', heavy: 'left heavy', time: 'in order of time'};
const COLOURS = {change: 'change', kind: 'kind'};

class State {
	constructor(model, changed) {
		this.model = model;
		this.changed = changed;
		this.past = [];
		this.values = this.initial();
		this.text = '';
		addEventListener('hashchange', () => this.read());
	}

	initial() {
		return {event: this.model.data.usual, pid: null, tid: null, cpu: null, from: null, to: null,
			search: '', changes: [], tab: 'flame', mode: 'callers', colours: 'change', zoom: [], code: null, lines: false, sort: {}, theme: ''};
	}

	/* Values that differ from the initial ones, as the fragment. */
	write() {
		const {values} = this, initial = this.initial(), parts = new URLSearchParams();

		if (values.event !== initial.event)
			parts.set('event', this.model.data.events[values.event].name);
		for (const name of ['pid', 'tid', 'cpu'])
			if (values[name] !== null)
				parts.set(name, values[name]);
		if (values.from !== null)
			parts.set('slots', values.from + '-' + values.to);
		for (const name of ['search', 'tab', 'mode', 'colours', 'code', 'lines', 'theme'])
			if (values[name] !== initial[name])
				parts.set(name, values[name]);
		for (const name of ['changes', 'zoom'])
			if (values[name].length)
				parts.set(name, JSON.stringify(values[name]));
		if (Object.keys(values.sort).length)
			parts.set('sort', JSON.stringify(values.sort));
		return parts.toString();
	}

	/* Takes over the fragment. What is not valid there is ignored: anyone can make a link. */
	read() {
		const parts = new URLSearchParams(location.hash.slice(1)), values = this.initial();
		const {model} = this, {data} = model;
		const number = name => /^-?\d+$/.test(parts.get(name) ?? '') ? +parts.get(name) : null;
		const range = /^(\d+)-(\d+)$/.exec(parts.get('slots') ?? '');
		const event = data.events.findIndex(item => item.name === parts.get('event'));

		if (location.hash.slice(1) === this.text)
			return;
		values.event = event >= 0 ? event : values.event;
		for (const name of ['pid', 'tid', 'cpu'])
			values[name] = number(name);
		if (range && +range[1] < +range[2] && +range[2] <= model.slots)
			[values.from, values.to] = [+range[1], +range[2]];
		values.search = parts.get('search') ?? '';
		values.tab = TABS.includes(parts.get('tab')) && !find('tab-' + parts.get('tab')).hidden ? parts.get('tab') : values.tab;
		values.mode = Object.hasOwn(MODES, parts.get('mode') ?? '') ? parts.get('mode') : values.mode;
		values.colours = Object.hasOwn(COLOURS, parts.get('colours') ?? '') ? parts.get('colours') : values.colours;
		values.theme = ['light', 'dark'].includes(parts.get('theme')) ? parts.get('theme') : '';
		values.code = data.code[number('code')] ? number('code') : null;
		values.lines = parts.get('lines') === 'true';
		values.changes = list(parts.get('changes'), item => Array.isArray(item) && item.length === 3 &&
			Object.hasOwn(CHANGES, item[0]) && (item[0] === 'recursion' ||
				model.findFunction(item[1], item[2]) >= 0));
		values.zoom = list(parts.get('zoom'), item => Number.isInteger(item) && item >= 0 &&
			item < data.frames.function.length);
		values.sort = sortings(parts.get('sort'));
		this.text = location.hash.slice(1);
		this.values = values;
		this.changed();
	}

	/* Changes values. With keep false, the step cannot be undone alone: for typing. */
	set(changes, keep = true) {
		const before = this.text;

		Object.assign(this.values, changes);
		this.text = this.write();
		if (this.text !== before && keep)
			this.past.push(before);
		if (keep)
			history.pushState(null, '', '#' + this.text);
		else
			history.replaceState(null, '', '#' + this.text);
		this.changed();
	}

	undo() {
		if (!this.past.length)
			return;
		history.pushState(null, '', '#' + this.past.pop());
		this.text = null;
		this.read();
	}
}

/* The items of a JSON list that are valid. */
function list(text, valid) {
	try {
		const items = JSON.parse(text ?? '[]');

		return Array.isArray(items) && items.length <= 4096 ? items.filter(valid) : [];
	} catch {
		return [];
	}
}

/* The columns by which tables are sorted: {tab: [column, descending]}. */
function sortings(text) {
	const result = {};

	for (const item of list(text && '[' + text + ']', item => item && typeof item === 'object'))
		for (const tab of TABS)
			if (Array.isArray(item[tab]) && typeof item[tab][0] === 'string')
				result[tab] = [item[tab][0], !!item[tab][1]];
	return result;
}
