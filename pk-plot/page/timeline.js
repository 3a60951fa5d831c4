// SPDX-License-Identifier: BSD-2-Clause
/* The timeline: the weight of threads over time as density, and the selection of a range. */

const LANE = 16, ALL = 44, AXIS = 18, MARK = 4; // heights in CSS pixels

class Timeline {
	constructor(model, state) {
		this.model = model;
		this.state = state;
		this.canvas = find('timeline');
		this.box = find('timeline-box');
		this.drag = null;
		this.box.addEventListener('scroll', () => this.draw());
		this.canvas.addEventListener('pointerdown', event => this.press(event));
		this.canvas.addEventListener('pointermove', event => this.move(event));
		this.canvas.addEventListener('pointerup', event => this.release(event));
		this.canvas.addEventListener('pointercancel', () => this.release(null));
		this.canvas.addEventListener('dblclick', () => this.state.set({from: null, to: null}));
		this.canvas.addEventListener('keydown', event => this.key(event));
	}

	/* The threads that the filters select: those of a process follow each other. */
	findLanes() {
		const {data} = this.model, {values} = this.state, lanes = new Map(), weights = new Map();
		const mask = this.mask = this.model.selectRows({...values, tid: null});

		this.laneOf = new Int32Array(data.rows.length).fill(-1);
		data.rows.forEach((row, i) => {
			if (mask[i]) {
				if (!lanes.has(row.tid))
					lanes.set(row.tid, {tid: row.tid, pid: row.pid, comm: row.comm, rows: [], weight: 0});
				lanes.get(row.tid).rows.push(i);
				lanes.get(row.tid).comm = row.comm;
			}
		});
		for (const lane of lanes.values()) {
			for (const row of lane.rows)
				lane.weight += data.rows[row].weight;
			weights.set(lane.pid, (weights.get(lane.pid) || 0) + lane.weight);
		}
		this.lanes = [...lanes.values()].sort((a, b) => weights.get(b.pid) - weights.get(a.pid) ||
			a.pid - b.pid || b.weight - a.weight || a.tid - b.tid);
		if (weights.size > 1)
			this.addProcesses();
		this.lanes.forEach((lane, i) => lane.rows.forEach(row => this.laneOf[row] = i));
		this.findMarks();
	}

	/* The spans of each lane: of a thread, whatever their event and CPU. */
	findMarks() {
		const byTid = new Map(this.lanes.map(lane => [lane.tid, lane])), {rows, marks} = this.model.data;

		for (const lane of this.lanes)
			lane.marks = [];
		for (const mark of marks)
			byTid.get(rows[mark.row].tid)?.marks.push(mark);
	}

	/* Several processes have lanes of their own, each before those of its threads. */
	addProcesses() {
		const lanes = [];
		let process = null;

		for (const lane of this.lanes) {
			if (!process || lane.pid !== process.pid) {
				process = {pid: lane.pid, tid: null, comm: lane.comm, rows: [], at: lanes.length};
				lanes.push(process);
			}
			lane.process = process.at;
			lanes.push(lane);
		}
		this.lanes = lanes;
	}

	/* The weight of each lane in each bin. A bin is two pixels wide, or wider if there are few samples. */
	findBins() {
		const {model} = this, {sums} = model.data;
		const bins = this.bins = Math.max(1, Math.min(this.plot >> 1, Math.max(60, sums.count >> 2)));
		const cells = this.cells = new Float32Array((this.lanes.length + 1) * bins);
		const all = this.lanes.length * bins, scale = bins / model.slots;

		this.laneOf.forEach((lane, row) => {
			if (lane < 0)
				return;
			const process = this.lanes[lane].process ?? -1;

			for (let i = sums.start[row]; i < sums.timed[row]; i++) {
				const bin = Math.floor(sums.slot[i] * scale);

				cells[lane * bins + bin] += sums.weight[i];
				cells[all + bin] += sums.weight[i];
				if (process >= 0)
					cells[process * bins + bin] += sums.weight[i];
			}
		});
		this.mostAll = this.mostLane = this.mostProcess = 0;
		for (let i = all; i < cells.length; i++)
			this.mostAll = Math.max(this.mostAll, cells[i]);
		this.lanes.forEach((lane, at) => {
			const name = lane.tid === null ? 'mostProcess' : 'mostLane';

			for (let i = at * bins; i < (at + 1) * bins; i++)
				this[name] = Math.max(this[name], cells[i]);
		});
	}

	/* Called when the filters or the size have changed. */
	update() {
		const {values} = this.state, width = this.box.clientWidth;
		const key = [values.event, values.pid, values.cpu, width].join();

		this.box.hidden = !this.model.slots;
		if (!this.model.slots)
			return;
		this.label = Math.min(170, Math.round(width * 0.25));
		this.plot = width - this.label - 8;
		if (key !== this.shown) {
			this.shown = key;
			this.findLanes();
			this.findBins();
		}
		const height = ALL + AXIS + LANE * this.lanes.length + 4;

		const drawn = [key, values.tid, values.from, values.to, isDark(), innerHeight].join();

		/* A search, for example, does not change it. */
		if (drawn === this.drawn)
			return;
		this.drawn = drawn;
		find('timeline-size').style.height = height - 4 + 'px';
		this.box.style.height = Math.min(height, Math.max(100, innerHeight * 0.25)) + 'px';
		this.draw();
	}

	x(slot) {
		return this.label + slot * this.plot / this.model.slots;
	}

	slotAt(x) {
		const slot = (x - this.label) * this.model.slots / this.plot;

		return Math.max(0, Math.min(this.model.slots, slot));
	}

	draw() {
		if (!this.lanes)
			return;
		const width = this.box.clientWidth, height = this.box.clientHeight, top = this.box.scrollTop;
		const context = this.context = prepare(this.canvas, width, height);

		this.canvas.style.top = top + 'px';
		context.font = '11px ' + cssColour('mono');
		context.textBaseline = 'middle';
		this.drawLanes(context, top, height);
		context.fillStyle = cssColour('back');
		context.fillRect(0, 0, width, ALL + AXIS);
		this.drawAll(context);
		this.drawAxis(context);
		this.drawRange(context, height);
		this.describe();
	}

	drawAll(context) {
		const {bins, plot, label} = this, start = this.lanes.length * bins, step = plot / bins;

		context.fillStyle = cssColour('text');
		context.fillText('all threads', 6, ALL / 2);
		context.fillStyle = cssColour('bar');
		for (let bin = 0; bin < bins; bin++) {
			const part = this.cells[start + bin] / this.mostAll * (ALL - 6);

			if (part)
				context.fillRect(label + bin * step, ALL - part, step + 0.3, part);
		}
	}

	drawLanes(context, top, height) {
		const first = Math.floor(top / LANE), {bins, plot, label} = this, step = plot / bins;
		const last = Math.min(this.lanes.length, Math.ceil((top + height) / LANE)), letter = 6.7;
		const text = cssColour('text'), bar = cssColour('bar'), chosen = cssColour('chosen');

		for (let i = first; i < last; i++) {
			const y = ALL + AXIS + i * LANE - top, lane = this.lanes[i];

			const process = lane.tid === null, most = process ? this.mostProcess : this.mostLane;

			if (process ? lane.pid === this.state.values.pid : lane.tid === this.state.values.tid) {
				context.fillStyle = chosen;
				context.fillRect(0, y, label + plot, LANE);
			}
			context.fillStyle = text;
			context.fillText(fit(this.nameOf(lane), label - 14, letter), process ? 6 : 12, y + LANE / 2);
			this.drawMarks(context, lane, y);
			context.fillStyle = bar;
			const room = LANE - 3 - (lane.marks.length ? MARK + 1 : 0);

			for (let bin = 0; bin < bins; bin++) {
				const weight = this.cells[i * bins + bin];

				if (!weight)
					continue;
				const part = Math.max(2, Math.sqrt(weight / most) * room);

				context.fillRect(label + bin * step, y + LANE - 1 - part, step + 0.3, part);
			}
		}
	}

	/* Spans are above the samples of their thread. The name of a span is in the tooltip and in the table of spans. */
	drawMarks(context, lane, y) {
		const {rows} = this.model.data, dark = isDark();

		for (const mark of lane.marks) {
			const [x, width] = this.markExtent(mark);

			context.fillStyle = markColour(rows[mark.row].event, dark);
			context.fillRect(x, y + 1, width, MARK);
		}
	}

	/* The x of a span in the timeline, and its width. */
	markExtent({start, length}) {
		const scale = this.plot / (this.model.slots * 2 ** this.model.data.shift);
		const x = Math.max(0, Math.min(this.plot - 1, start * scale));

		return [this.label + x, Math.max(1.5, Math.min(this.plot, (start + length) * scale) - x)];
	}

	/* The text of the shortest span at a place of a lane. */
	markText(lane, x) {
		const near = lane.marks.filter(mark => {
			const [left, width] = this.markExtent(mark);

			return x >= left - 2 && x <= left + width + 2;
		});
		const mark = near.reduce((least, mark) => !least || mark.length < least.length ? mark : least, null);

		return mark ? ': ' + mark.name + ', ' + timeText(mark.time) + (mark.count > 1 ? ' in ' + grouped.format(mark.count) + ' spans' : '') : '';
	}

	nameOf(lane) {
		return lane.tid === null ? 'process ' + this.model.processText(lane.pid, lane.comm) : taskText(lane.comm, lane.tid);
	}

	/* Times since the first sample. */
	drawAxis(context) {
		const {model} = this, length = Number(model.time(model.slots) - model.time(0));
		const step = roundStep(length, Math.max(1, Math.floor(this.plot / 80)));

		context.fillStyle = cssColour('faint');
		for (let time = 0; time <= length; time += step) {
			const x = this.label + time / length * this.plot;

			context.fillRect(x, ALL, 1, 5);
			if (x < this.label + this.plot - 45)
				context.fillText(timeText(time).replace(/(\.\d)0 /, '$1 '), x + 3, ALL + 9);
		}
	}

	/* What is not selected is dim, with lines at the ends. */
	drawRange(context, height) {
		const [from, to] = this.drag ? this.drag.range : [this.state.values.from, this.state.values.to];

		if (from === null)
			return;
		context.fillStyle = cssColour('dim');
		context.fillRect(this.label, 0, this.x(from) - this.label, height);
		context.fillRect(this.x(to), 0, this.label + this.plot - this.x(to), height);
		context.fillStyle = cssColour('text');
		context.fillRect(this.x(from) - 1, 0, 2, height);
		context.fillRect(this.x(to) - 1, 0, 2, height);
	}

	/* The range as text, also for screen readers. */
	describe() {
		const {from, to} = this.state.values, {model} = this, start = model.time(0);
		const part = from === null ? 'all of the time' :
			timeText(Number(model.time(from) - start)) + ' to ' + timeText(Number(model.time(to) - start)) +
			' (' + timeText(Number(model.time(to) - model.time(from))) + ')';

		find('range').textContent = part;
		find('range').title = from === null ? '' :
			'pk-report --time=' + secondsText(model.time(from)) + ',' + secondsText(model.time(to) - 1n);
		this.canvas.setAttribute('aria-valuetext', part);
		this.canvas.setAttribute('aria-valuenow', from ?? 0);
		this.canvas.setAttribute('aria-valuemax', model.slots);
	}

	/* ---- Mouse ---- */

	press(event) {
		if (event.button)
			return;
		const slot = this.slotAt(event.offsetX);

		if (event.offsetX < this.label)
			return void this.pick(event.offsetY);
		this.canvas.setPointerCapture(event.pointerId);
		this.drag = {start: slot, x: event.offsetX, range: [this.state.values.from, this.state.values.to]};
	}

	/* A click on the name of a process or thread selects it, or all again. */
	pick(y) {
		const lane = this.lanes[Math.floor((y - ALL - AXIS + this.box.scrollTop) / LANE)];

		if (y < ALL)
			this.state.set({pid: null, tid: null});
		else if (y > ALL + AXIS && lane && lane.tid === null)
			this.state.set({pid: lane.pid, tid: null});
		else if (y > ALL + AXIS && lane)
			this.state.set({tid: this.state.values.tid === lane.tid ? null : lane.tid});
	}

	move(event) {
		const lane = this.lanes && this.lanes[Math.floor((event.offsetY - ALL - AXIS + this.box.scrollTop) / LANE)];

		this.canvas.title = event.offsetY > ALL + AXIS && lane ? this.nameOf(lane) + (lane.tid === null ? '' : ' of process ' + lane.pid) +
			this.markText(lane, event.offsetX) : '';
		if (!this.drag || Math.abs(event.offsetX - this.drag.x) < 3)
			return;
		const slot = this.slotAt(event.offsetX), {start} = this.drag;

		this.drag.range = [Math.floor(Math.min(start, slot)),
			Math.max(Math.ceil(Math.max(start, slot)), Math.floor(Math.min(start, slot)) + 1)];
		this.draw();
	}

	release(event) {
		const drag = this.drag;

		this.drag = null;
		if (event && drag && Math.abs(event.offsetX - drag.x) >= 3)
			this.select(...drag.range);
		else
			this.draw();
	}

	select(from, to) {
		const {slots} = this.model;

		from = Math.max(0, Math.min(slots - 1, from));
		to = Math.max(from + 1, Math.min(slots, to));
		this.state.set(from === 0 && to === slots ? {from: null, to: null} : {from, to});
	}

	/* ---- Keys ---- */

	key(event) {
		const {slots} = this.model, step = Math.max(1, Math.round(slots / 50));
		let {from, to} = this.state.values;

		[from, to] = from === null ? [0, slots] : [from, to];
		const size = to - from, back = Math.min(step, from), forth = Math.min(step, slots - to);
		const actions = {
			ArrowLeft: () => event.shiftKey ? [from, Math.max(from + 1, to - step)] : [from - back, to - back],
			ArrowRight: () => event.shiftKey ? [from, to + forth] : [from + forth, to + forth],
			'+': () => [from + Math.floor(size / 4), to - Math.floor(size / 4)],
			'-': () => [from - Math.ceil(size / 2), to + Math.ceil(size / 2)],
			Home: () => [0, size],
			End: () => [slots - size, slots],
			Escape: () => [0, slots],
		};

		if (!Object.hasOwn(actions, event.key) || event.ctrlKey || event.altKey || event.metaKey)
			return;
		event.preventDefault();
		this.select(...actions[event.key]());
	}
}

/* A round step with at most `most` steps in the length. */
function roundStep(length, most) {
	const least = length / most, power = 10 ** Math.floor(Math.log10(least || 1));

	return power * [1, 2, 5, 10].find(factor => power * factor >= least);
}
