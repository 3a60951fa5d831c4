// SPDX-License-Identifier: BSD-2-Clause
/* From the state to numbers: which samples are selected, the tree of their stacks, the sums. */

/* ---- Trees ---- */

/* A tree {count, parent, frame} of nodes, of which each has a greater number than its parent. A chain
 * is a node with the only child below it, and so on, as long as no stack ends in between: the samples
 * of all nodes of a chain are the same, so sums are those of chains. */
class Tree {
	/* `first` and `next`, the first child of each node and its next sibling, are found if they are not given. */
	constructor({count, parent, frame, first, next}, stackNodes, frames) {
		Object.assign(this, {count, parent, frame, frames, first, next});
		if (!first)
			this.findChildren();
		this.findChains(stackNodes);
	}

	findChildren() {
		const {count, parent} = this, first = this.first = new Int32Array(count).fill(-1);
		const next = this.next = new Int32Array(count).fill(-1);

		for (let i = count - 1; i > 0; i--) {
			next[i] = first[parent[i]];
			first[parent[i]] = i;
		}
	}

	findChains(stackNodes) {
		const {count, parent, first, next} = this, ends = new Uint8Array(count);
		const chain = this.chain = new Int32Array(count), above = new Int32Array(count), last = new Int32Array(count);
		let chains = 1;

		for (const node of stackNodes)
			if (node >= 0)
				ends[node] = 1;
		above[0] = -1;
		for (let i = 1; i < count; i++) {
			const up = parent[i];

			if (up && first[up] === i && next[i] < 0 && !ends[up]) {
				chain[i] = chain[up];
			} else {
				chain[i] = chains++;
				above[chain[i]] = chain[up];
			}
			last[chain[i]] = i;
		}
		/* For each chain, the chain above it and its last node. A chain has a greater number than the one above it. */
		this.chains = chains;
		this.above = above.slice(0, chains);
		this.last = last.slice(0, chains);
		/* For each stack, its chain, or -1 if the changes have left it out. */
		this.stackChains = stackNodes.map(node => node < 0 ? -1 : chain[node]);
	}

	/* Sets the sums of each chain with all below it. `ends` has those of the stacks that end there. Both have two
	 * numbers for each chain. */
	addUp(ends, all) {
		const {above} = this;

		all.set(ends);
		for (let i = this.chains - 1; i > 0; i--) {
			const up = 2 * above[i];

			all[up] += all[2 * i];
			all[up + 1] += all[2 * i + 1];
		}
	}

	/* For each node its function, or -1 if a caller is of the same function: a sample counts once for each
	 * function. A marker, such as that of missing callers, is no caller. */
	counted(functions) {
		if (this.countedFunctions)
			return this.countedFunctions;
		const {count, parent, frame, first, next, frames} = this, open = new Int32Array(functions.length);
		const counted = this.countedFunctions = new Int32Array(count).fill(-1);
		const marker = Uint8Array.from(functions, fn => fn.marker ? 1 : 0);

		for (let at = first[0]; at > 0;) {
			const fn = frames.function[frame[at]];

			if (!open[fn]++ && !marker[fn])
				counted[at] = fn;
			if (first[at] > 0) {
				at = first[at];
				continue;
			}
			for (; at > 0; at = parent[at]) {
				open[frames.function[frame[at]]]--;
				if (next[at] > 0)
					break;
			}
			at = at > 0 ? next[at] : 0;
		}
		return counted;
	}

	/* The frames of a node, the root's first. */
	way(node) {
		const way = [];

		for (let at = node; at > 0; at = this.parent[at])
			way.push(this.frame[at]);
		return way.reverse();
	}
}

/* Changes of the tree. Each gets the function of a frame, the node that the parent has become, and
 * the new tree; it returns the node, or OUTSIDE or DROPPED. */
const OUTSIDE = -1, DROPPED = -2;
const CHANGES = {
	focus: {
		text: 'only', about: 'Show only stacks with this function, from it on',
		root: OUTSIDE,
		node: (tree, at, fn, frame, of) => at === OUTSIDE ? fn === of ? tree.child(0, frame) : OUTSIDE :
			tree.child(at, frame),
	},
	drop: {
		text: 'without', about: 'Leave out the samples with this function',
		root: 0,
		node: (tree, at, fn, frame, of) => fn === of ? DROPPED : tree.child(at, frame),
	},
	hide: {
		text: 'hide', about: 'Leave out the frames of this function: its callers have the weight',
		root: 0,
		node: (tree, at, fn, frame, of) => fn === of ? at : tree.child(at, frame),
	},
	collapse: {
		text: 'collapse', about: 'Leave out what this function calls: it has the weight',
		root: 0,
		node: (tree, at, fn, frame, of) => tree.closed.has(at) ? at :
			tree.child(at, frame, fn === of),
	},
	recursion: {
		text: 'join recursion', about: 'Join calls of a function by itself',
		root: 0,
		node: (tree, at, fn, frame, of, functions) =>
			at > 0 && functions[tree.frames[at]] === fn ? at : tree.child(at, frame),
	},
};

/* Children by parent and frame. The node of a pair is at its hash or, if other pairs are there, behind it. */
class Children {
	constructor(most) {
		const size = 2 ** Math.ceil(Math.log2(2 * most + 2));

		this.mask = size - 1;
		this.table = new Int32Array(size);
		this.parents = new Int32Array(most);
		this.frames = new Int32Array(most);
		this.parents[0] = this.frames[0] = -1;
		this.count = 1;
		this.closed = new Set();
	}

	child(parent, frame, close) {
		let at = Math.imul(Math.imul(parent, 0x9e3779b1) ^ frame, 0x85ebca6b), node;

		for (at = (at ^ at >>> 15) & this.mask; (node = this.table[at]); at = at + 1 & this.mask)
			if (this.parents[node] === parent && this.frames[node] === frame)
				break;
		if (!node) {
			node = this.table[at] = this.count++;
			this.parents[node] = parent;
			this.frames[node] = frame;
		}
		if (close)
			this.closed.add(node);
		return node;
	}
}

function changeTree({tree, stackNodes}, frames, change, of) {
	const {root, node} = CHANGES[change], became = new Int32Array(tree.count), made = new Children(tree.count);

	became[0] = root;
	for (let i = 1; i < tree.count; i++) {
		const at = became[tree.parent[i]];

		became[i] = at === DROPPED ? at :
			node(made, at, frames.function[tree.frame[i]], tree.frame[i], of, frames.function);
	}
	const nodes = stackNodes.map(at => at < 0 ? at : became[at]);

	return {
		tree: new Tree({count: made.count, parent: made.parents.slice(0, made.count), frame: made.frames.slice(0, made.count)},
			nodes, frames),
		stackNodes: nodes,
	};
}

/* ---- Selections ---- */

/* Index of the first sum of a row with at least this slot. */
function findSlot(sums, row, slot) {
	let low = sums.start[row], high = sums.timed[row];

	while (low < high) {
		const middle = (low + high) >> 1;

		if (sums.slot[middle] < slot)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

class Model {
	constructor(data) {
		this.data = data;
		this.slots = data.rows.reduce((most, _, row) => data.sums.timed[row] > data.sums.start[row] ?
			Math.max(most, data.sums.slot[data.sums.timed[row] - 1] + 1) : most, 0);
		this.plain = {tree: new Tree(data.tree, data.stackNodes, data.frames), stackNodes: data.stackNodes};
		this.ranks = rankLabels(data.functions);
		/* The name of a process is that of its first thread, which can have samples of another event only. */
		this.processes = new Map(data.rows.filter(row => row.tid === row.pid).map(row => [row.pid, row.comm]));
		this.changed = this.plain;
		this.changes = '[]';
	}

	/* A process as text. If the name is not known, that of one of its threads says which process it is. */
	processText(pid, comm) {
		return this.processes.has(pid) ? taskText(this.processes.get(pid), pid) : pid + (comm ? ', of ' + comm : '');
	}

	/* Absolute time in ns of the start of a slot. */
	time(slot) {
		return (this.data.slot + BigInt(slot)) << BigInt(this.data.shift);
	}

	/* The range of slots that contains two times, in ns since the first slot. */
	rangeOf(start, end) {
		const slot = time => Math.max(0, Math.min(this.slots - 1, Math.floor(time / 2 ** this.data.shift)));

		return {from: slot(start), to: slot(end) + 1};
	}

	/* Whether samples of an event are of the selected one, which can be a sum of events. */
	isOf(event, selected) {
		return this.data.events[selected].members?.includes(event) ?? event === selected;
	}

	/* Rows that the filters select. The event null is all events. */
	selectRows(state, event = state.event) {
		return Uint8Array.from(this.data.rows, row => (event === null || this.isOf(row.event, event)) &&
			(state.pid === null || row.pid === state.pid) &&
			(state.tid === null || row.tid === state.tid) &&
			(state.cpu === null || row.cpu === state.cpu));
	}

	/* The function of a change, or -1. */
	findFunction(name, object) {
		return this.data.functions.findIndex(fn => fn.name === name && fn.object === object && !fn.marker);
	}

	changeStacks(changes) {
		const text = JSON.stringify(changes);

		if (text === this.changes)
			return;
		this.changes = text;
		this.changed = this.plain;
		for (const [change, name, object] of changes)
			this.changed = changeTree(this.changed, this.data.frames, change, this.findFunction(name, object));
	}

	/* The sums in the range of time: [row, start, end] of each row that rows selects, as indices. */
	ranges(state, rows) {
		const {sums} = this.data, list = [];

		for (let row = 0; row < rows.length; row++) {
			if (!rows[row])
				continue;
			list.push(state.from === null ? [row, sums.start[row], sums.start[row + 1]] :
				[row, findSlot(sums, row, state.from), findSlot(sums, row, state.to)]);
		}
		return list;
	}

	/* All sums of the selection: for each chain the weight and the samples that end there, and those
	 * with all below. Both numbers of a chain are neighbours, so that they are in the same line of the cache. */
	select(state) {
		const {data} = this, {stack, samples, weight} = data.sums;

		this.changeStacks(state.changes);
		this.tree = this.changed.tree;
		this.mask = this.selectRows(state);
		this.rowWeight = new Float64Array(data.rows.length);
		this.rowSamples = new Float64Array(data.rows.length);
		this.functionsKnown = this.codeKnown = null;
		const {stackChains, chains} = this.tree;

		/* New arrays would take longer than the sums. */
		if (!this.ends || this.ends.length !== 2 * chains) {
			this.ends = new Float64Array(2 * chains);
			this.all = new Float64Array(2 * chains);
		}
		const {ends, all} = this;

		ends.fill(0);
		for (const [row, start, end] of this.ranges(state, this.mask)) {
			let rowWeight = 0, rowSamples = 0;

			for (let i = start; i < end; i++) {
				const at = 2 * stackChains[stack[i]];

				if (at < 0)
					continue;
				ends[at] += weight[i];
				ends[at + 1] += samples[i];
				rowWeight += weight[i];
				rowSamples += samples[i];
			}
			this.rowWeight[row] = rowWeight;
			this.rowSamples[row] = rowSamples;
		}
		this.tree.addUp(ends, all);
		this.baseKnown = null;
	}

	/* The recording to compare with: {ends, all, functions} of all its samples of the event, with the same
	 * changes of the stacks. It has no processes, threads or times in common with the selection. */
	base(state) {
		if (this.baseKnown)
			return this.baseKnown;
		const {stackChains, chains} = this.tree, ends = new Float64Array(2 * chains), all = new Float64Array(2 * chains);

		for (const {event, stack, samples, weight} of this.data.baseSums) {
			const at = 2 * stackChains[stack];

			if (!this.isOf(event, state.event) || at < 0)
				continue;
			ends[at] += weight;
			ends[at + 1] += samples;
		}
		this.tree.addUp(ends, all);
		return this.baseKnown = {ends, all, functions: this.sumFunctions(ends, all)};
	}

	/* How much the share of a node is more than in the recording to compare with, in percent. */
	change(node, state) {
		const {all} = this.base(state);

		return percent(this.total(node), this.total(0)) - percent(all[2 * this.tree.chain[node]], all[0]);
	}

	/* ---- Sums of a node ---- */

	total(node) {
		return this.all[2 * this.tree.chain[node]];
	}

	samples(node) {
		return this.all[2 * this.tree.chain[node] + 1];
	}

	has(node) {
		const at = 2 * this.tree.chain[node];

		return this.all[at] !== 0 || this.all[at + 1] !== 0;
	}

	/* The weight of the samples that end at the node: at the last one of its chain. */
	self(node) {
		const chain = this.tree.chain[node];

		return this.tree.last[chain] === node ? this.ends[2 * chain] : 0;
	}

	/* Self, total and samples of each function; the last one is of samples without a stack. */
	functions() {
		return this.functionsKnown ??= this.sumFunctions(this.ends, this.all);
	}

	sumFunctions(ends, all) {
		const {tree} = this, {functions, frames} = this.data, count = functions.length;
		const counted = tree.counted(functions), {chain} = tree;
		const self = new Float64Array(count + 1), total = new Float64Array(count + 1), samples = new Float64Array(count + 1);

		for (let node = 1; node < tree.count; node++)
			if (counted[node] >= 0)
				total[counted[node]] += all[2 * chain[node]];
		for (let i = 0; i < tree.chains; i++) {
			const node = tree.last[i], fn = node ? frames.function[tree.frame[node]] : count;

			self[fn] += ends[2 * i];
			samples[fn] += ends[2 * i + 1];
			if (!node || functions[fn].marker)
				total[fn] += ends[2 * i];
		}
		return {self, total, samples};
	}

	/* The weight of samples with a function that matches: once for each sample. */
	matched(matches) {
		const {tree, all} = this, {chain, frame, above} = tree, hit = new Uint8Array(tree.chains);
		const frames = Uint8Array.from(this.data.frames.function, fn => matches[fn] ? 1 : 0);
		let weight = 0;

		for (let node = 1; node < tree.count; node++)
			if (frames[frame[node]])
				hit[chain[node]] = 1;
		for (let i = 1; i < tree.chains; i++) {
			if (hit[above[i]])
				hit[i] = 1;
			else if (hit[i])
				weight += all[2 * i];
		}
		return weight;
	}

	/* ---- Nodes of views ---- */

	/* The root of the nodes by their callers. order: 'name' or 'weight'. */
	callers(order) {
		return new CallerNode(this, 0, null, order);
	}

	/* From the leaf: a node has the stacks that end in the same way. `leaves` are their chains, `nodes` those
	 * of their nodes that the frame is of. */
	inverted(order) {
		const {tree, ends} = this, {parent: up, frame: frames} = tree, model = this;
		const root = {leaves: [], nodes: []};

		for (let i = 0; i < tree.chains; i++) {
			if (ends[2 * i] || ends[2 * i + 1]) {
				root.leaves.push(i);
				root.nodes.push(tree.last[i]);
			}
		}
		const make = (frame, {leaves, nodes}, parent) => {
			let total = 0, samples = 0;

			for (const leaf of leaves) {
				total += ends[2 * leaf];
				samples += ends[2 * leaf + 1];
			}
			return {frame, total, self: parent && !parent.parent ? total : 0, samples, parent,
				hasChildren: () => nodes.some(node => up[node] > 0),
				children: once(function () {
					const groups = new Map();

					for (let i = 0; i < leaves.length; i++) {
						const node = parent ? up[nodes[i]] : nodes[i];

						if (node <= 0)
							continue;
						let group = groups.get(frames[node]);

						if (!group)
							groups.set(frames[node], group = {leaves: [], nodes: []});
						group.leaves.push(leaves[i]);
						group.nodes.push(node);
					}
					return model.sort([...groups].map(([frame, group]) => make(frame, group, this)), order);
				})};
		};

		return make(-1, root, null);
	}

	/* The stacks of a thread in the order of time: nodes are joined with the last one only. A node is
	 * a range of sums whose stacks begin in the same way. */
	inTime(state, tid) {
		const {data} = this, {sums} = data, {tree, stackNodes} = this.changed;
		const rows = this.mask.map((selected, row) => selected && data.rows[row].tid === tid);
		const ranges = this.ranges(state, rows), {count} = sums, keys = [];

		/* Those without time stay behind the others. */
		for (const [row, start, end] of ranges)
			for (let i = start; i < end; i++)
				if (stackNodes[sums.stack[i]] >= 0)
					keys.push((i < sums.timed[row] ? sums.slot[i] : this.slots) * count + i);
		const list = Int32Array.from(Float64Array.from(keys).sort(), key => key % count);
		const leaves = list.map(i => stackNodes[sums.stack[i]]);
		const weights = addUp(list, sums.weight), samples = addUp(list, sums.samples);
		const ways = new Map(), wayOf = leaf => {
			if (!ways.has(leaf))
				ways.set(leaf, tree.way(leaf));
			return ways.get(leaf);
		};
		const make = (frame, start, end, depth, parent) => ({
			frame, total: weights[end] - weights[start], samples: samples[end] - samples[start], parent, start, end,
			get self() {
				let self = 0;

				for (let i = start; i < end; i++)
					if (wayOf(leaves[i]).length === depth)
						self += weights[i + 1] - weights[i];
				return self;
			},
			children: once(function () {
				const found = [];

				for (let i = start, from = start; i < end; from = i) {
					const frame = wayOf(leaves[i])[depth];

					while (++i < end && (leaves[i] === leaves[from] || wayOf(leaves[i])[depth] === frame))
						continue;
					if (frame !== undefined)
						found.push(make(frame, from, i, depth + 1, this));
				}
				return found;
			}),
		});

		return make(-1, 0, list.length, 0, null);
	}

	sort(list, order) {
		if (order === 'name')
			return list.sort((a, b) => this.rank(a.frame) - this.rank(b.frame) || a.frame - b.frame);
		return list.sort((a, b) => b.total - a.total || a.frame - b.frame);
	}

	/* The place of a frame's label among all labels. */
	rank(frame) {
		return this.ranks[this.data.frames.function[frame]];
	}

	label(frame) {
		return frame < 0 ? 'all' : this.data.functions[this.data.frames.function[frame]].label;
	}

	object(frame) {
		return frame < 0 ? '' : this.data.functions[this.data.frames.function[frame]].object;
	}

	/* ---- Rows ---- */

	/* Threads of the selection: by process, thread and name. */
	threads() {
		const found = new Map();

		this.data.rows.forEach((row, i) => {
			const key = JSON.stringify([row.pid, row.tid, row.comm]);

			if (!this.rowSamples[i])
				return;
			if (!found.has(key))
				found.set(key, {pid: row.pid, tid: row.tid, comm: row.comm, weight: 0, samples: 0});
			found.get(key).weight += this.rowWeight[i];
			found.get(key).samples += this.rowSamples[i];
		});
		return [...found.values()];
	}

	/* The functions of the selection and of the recording to compare with: their shares in percent. */
	compared(state) {
		const now = this.functions(), base = this.base(state), {functions, without_stack} = this.data, rows = [];
		const all = this.total(0), before = base.all[0], changed = this.data.changed[state.event];

		for (let i = 0; i <= functions.length; i++) {
			if (!now.total[i] && !base.functions.total[i] || this.matches && !this.matches[i])
				continue;
			const fn = functions[i] ?? {label: without_stack ? '[no stack]' : '[no function]', name: '', object: ''};
			const row = {number: i < functions.length ? i : -1, label: fn.label, name: fn.name, object: fn.object,
				before: percent(base.functions.total[i], before), now: percent(now.total[i], all),
				selfBefore: percent(base.functions.self[i], before), selfNow: percent(now.self[i], all), chance: changed && i < functions.length ? ~changed[i] & 3 : 0};

			rows.push({...row, change: row.now - row.before, selfChange: row.selfNow - row.selfBefore});
		}
		return rows;
	}

	/* The spans of the selected processes, threads and CPUs that are in the range of time, at least with a part.
	 * They can be of another event than the samples. With a search, those with a name that matches. */
	marks(state) {
		const {data} = this, {shift} = data, match = matcher(state.search), rows = this.selectRows(state, null);

		return data.marks.filter(({row, start, length, name}) => rows[row] && (!match || match(name)) && (state.from === null ||
			start < state.to * 2 ** shift && start + length >= state.from * 2 ** shift)).map(mark => ({...mark, ...data.rows[mark.row],
			comm: data.rows[mark.row].comm ?? '', event: data.events[data.rows[mark.row].event].name}));
	}

	/* The weight and the samples of the selection at each row of code, by number of the row. Row 0 has the others. */
	codeSums(state) {
		if (this.codeKnown)
			return this.codeKnown;
		const {stackRows, code_rows: count, sums: {stack, weight, samples}} = this.data, {stackChains} = this.tree;
		const known = this.codeKnown = {weight: new Float64Array(count + 1), samples: new Float64Array(count + 1)};

		for (const [, start, end] of this.ranges(state, this.mask)) {
			for (let i = start; i < end; i++) {
				if (stackChains[stack[i]] < 0)
					continue;
				known.weight[stackRows[stack[i]]] += weight[i];
				known.samples[stackRows[stack[i]]] += samples[i];
			}
		}
		return known;
	}

	/* The functions with code that match the search, each with the weight of its instructions, the hottest one first. */
	codeFunctions(state) {
		const {weight} = this.codeSums(state), match = matcher(state.search);

		return this.data.code.map((fn, number) => ({fn, number, weight: fn.rows.reduce((sum, _, i) => sum + weight[fn.first + 1 + i], 0)}))
			.filter(({fn}) => !match || match(fn.function)).sort((a, b) => b.weight - a.weight);
	}

	/* The samples of all events whose stacks lack frames, by the text of the frame that says so. */
	brokenStacks() {
		const {data: {functions, frames, stackNodes, tree, sums}} = this, broken = new Map();
		const marked = new Int32Array(tree.count).fill(-1);

		if (!functions.some(fn => fn.marker & TRUNCATED))
			return broken;
		for (let node = 1; node < tree.count; node++) {
			const fn = frames.function[tree.frame[node]];

			marked[node] = functions[fn].marker & TRUNCATED ? fn : marked[tree.parent[node]];
		}
		for (let i = 0; i < sums.count; i++) {
			const fn = marked[stackNodes[sums.stack[i]]];

			if (fn >= 0)
				broken.set(functions[fn].label, (broken.get(functions[fn].label) ?? 0) + sums.samples[i]);
		}
		return broken;
	}

	/* Stacks of the selection as folded text. */
	folded() {
		const {tree} = this, lines = new Map();

		for (let chain = 0; chain < tree.chains; chain++) {
			const node = tree.last[chain], weight = this.ends[2 * chain];

			if (!weight)
				continue;
			const names = [];

			for (let at = node; at > 0; at = tree.parent[at])
				names.push(this.label(tree.frame[at]).replace(/;/g, ':'));
			const line = names.reverse().join(';') || '[no stack]';

			lines.set(line, (lines.get(line) || 0) + weight);
		}
		return [...lines].map(([line, weight]) => line + ' ' + weight + '\n').sort().join('');
	}
}

/* A node of a view by callers. Its children are made when they are needed. The nodes of the other views have the same
 * properties, except `node`. */
class CallerNode {
	constructor(model, node, parent, order) {
		const at = 2 * model.tree.chain[node];

		this.model = model;
		this.node = node;
		this.parent = parent;
		this.order = order;
		this.frame = model.tree.frame[node];
		this.total = model.all[at];
		this.samples = model.all[at + 1];
		this.list = null;
	}

	get self() {
		return this.model.self(this.node);
	}

	hasChildren() {
		const {model, model: {tree}} = this;

		for (let at = tree.first[this.node]; at > 0; at = tree.next[at])
			if (model.has(at))
				return true;
		return false;
	}

	children() {
		if (this.list)
			return this.list;
		const {model, order, model: {tree}} = this, list = [];

		for (let at = tree.first[this.node]; at > 0; at = tree.next[at])
			if (model.has(at))
				list.push(new CallerNode(model, at, this, order));
		return this.list = list.length > 1 ? model.sort(list, order) : list;
	}
}

/* The sums of the first values of an array, at the indices of a list. */
function addUp(list, values) {
	const result = new Float64Array(list.length + 1);

	list.forEach((index, i) => result[i + 1] = result[i] + values[index]);
	return result;
}

/* For each function, the place of its label in the order of texts. Equal labels have the same place. */
function rankLabels(functions) {
	const labels = functions.map(fn => fn.label), ranks = new Int32Array(labels.length);
	const order = labels.map((_, i) => i).sort((a, b) => compareText(labels[a], labels[b]));

	for (let i = 1; i < order.length; i++)
		ranks[order[i]] = ranks[order[i - 1]] + (labels[order[i]] === labels[order[i - 1]] ? 0 : 1);
	return ranks;
}

function percent(part, all) {
	return all ? 100 * part / all : 0;
}

function compareText(a, b) {
	return a < b ? -1 : a > b ? 1 : 0;
}

/* A method that calculates its result once. */
function once(method) {
	let result;

	return function () {
		return result ??= method.call(this);
	};
}
