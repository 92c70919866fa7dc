// A small tree with a search in the middle of it: the whole tree, and how far alpha-beta has come. It draws plain SVG.
import { ENTER, LEAVE, PRUNE, RETURN, Search } from "../explain/model.js";
import { Layout } from "../explain/layout.js";
import { SvgPen } from "../explain/pens.js";
import { shape } from "../explain/scene.js";
import { inequality, number, valueText, windowText } from "../explain/words.js";

const ROW = 92, TOP = 34, SIDE = 46;
const colour = (name) => `var(--t-${name})`;

export class Lesson {
  constructor(task) {
    this.task = task;
    this.full = new Search(task.full).trees[0];
    this.run = new Search(task.run).trees[0];
    this.layout = new Layout(this.full);
    this.width = this.layout.width + 2 * SIDE;
    this.height = (this.full.plies - 1) * ROW + TOP + 58;
    // The node of the search at each node of the whole tree, or -1 where the search never came.
    this.here = new Int32Array(this.full.n).fill(-1);
    this.there = new Int32Array(this.run.n);
    for (let node = 0; node < this.run.n; node++) {
      this.there[node] = this.full.counterpart(this.run, node).node;
      this.here[this.there[node]] = node;
    }
  }

  x(node) { return this.layout.x[node] + SIDE; }
  y(node) { return this.full.ply[node] * ROW + TOP; }

  // The moves that lead to a node, which are its name.
  name(node) { return node ? this.full.path(node).slice(1).map((one) => this.full.move(one)).join(" ") : "the root"; }
  isLeaf(node) { return this.full.first[node] < 0; }
  leaves() { return Array.from({ length: this.full.n }, (_, node) => node).filter((node) => this.isLeaf(node)); }

  // The nodes that the search passes over at a pruning: the first of them, and whether a node is below one of them.
  prunedAt(time) {
    const node = this.run.node[time], count = (this.run.flat.pruned[node] ?? []).length;
    return count ? [...this.full.children(this.there[node])].slice(-count) : [];
  }

  // The tree after `time` events. `pickable`: nodes that can be chosen. `blank`: leaves are drawn without values.
  svg(time, { pickable = new Set(), blank = false, withWindows = true, hidesNow = false } = {}) {
    const { full, run } = this, pen = new SvgPen(this.width, this.height), now = this.there[run.node[time]];
    const path = new Set(full.path(now)), gone = this.#gone(time), parts = pen.parts;
    for (let node = 1; node < full.n; node++) {
      const parent = full.parent[node], own = this.here[node], isPath = path.has(node), isGone = gone.has(node);
      const isBest = this.#isClosed(parent, time) && this.here[parent] >= 0 && run.bestChild(this.here[parent]) === own && own >= 0;
      const [x1, y1, x2, y2] = [this.x(parent), this.y(parent) + 12, this.x(node), this.y(node) - 13];
      pen.path([[x1, y1], [x2, y2]], { stroke: colour(isPath ? "now" : isGone ? "ghost" : isBest ? "best" : "line"),
        width: isPath || isBest ? 3 : 1.3, dash: isGone ? [4, 4] : [] }, false);
      pen.text(x1 + (x2 - x1) * 0.6, y1 + (y2 - y1) * 0.6 + 4, full.move(node), { size: 12, fill: colour("ink"), halo: colour("paper") });
    }
    for (let node = 0; node < full.n; node++) {
      const own = this.here[node], isGone = gone.has(node), isOpen = path.has(node) && own >= 0 && !this.#isClosed(node, time);
      const stroke = colour(isGone ? "ghost" : full.side(node) > 0 ? "max" : full.side(node) < 0 ? "min" : "line");
      const canPick = pickable.has(node);
      parts.push(`<g data-node="${node}"${canPick ? ` role="button" tabindex="0" class="pick" aria-label="The branch ${this.name(node)}"` : ""}>`);
      if (canPick) pen.circle(this.x(node), this.y(node), 21, { fill: colour("open"), alpha: 0.5 });
      shape(pen, full.source(node), full.side(node), this.x(node), this.y(node), 13,
        { stroke, width: 2, dash: isGone ? [4, 3] : [], fill: colour(isOpen ? "open" : "fill") });
      const said = this.#value(node, time, blank, hidesNow && node === now);
      if (said) pen.text(this.x(node), this.y(node) + 30, said, { size: 13, weight: 650, fill: colour(isGone ? "soft" : "ink"), halo: colour("paper") });
      parts.push("</g>");
      if (own >= 0 && run.flat.pruned[own] && this.#isClosed(node, time) && run.unsearched(own).length) {
        pen.text(this.x(node), this.y(node) - 18, inequality(run, own), { size: 11.5, weight: 650, fill: colour("cut"), halo: colour("paper") });
      }
    }
    for (const node of path) {
      const own = this.here[node];
      if (!withWindows || own < 0 || this.#isClosed(node, time) || (hidesNow && node === now)) continue;
      const event = run.lastEvent(own, time);
      pen.text(this.x(node) + 20, this.y(node) + 5, windowText(run.alpha[event], run.beta[event]), { size: 12, weight: 600, fill: colour("now"), halo: colour("paper"), align: "left" });
    }
    pen.circle(this.x(now), this.y(now), 20, { stroke: colour("now"), width: 3 });
    return pen.svg("", "A search tree; the question at its side names its nodes")
      .replace('role="img"', 'role="group"').replace("<svg ", `<svg style="max-width:${Math.round(this.width * 1.3)}px;min-width:${Math.min(620, Math.round(this.width * 0.7))}px" `);
  }

  #isClosed(node, time) { const own = this.here[node]; return own >= 0 && this.run.isClosed(own, time); }

  // Nodes that are pruned by now, with all below them.
  #gone(time) {
    const found = new Set();
    for (let node = 1; node < this.full.n; node++) {
      const parent = this.full.parent[node];
      if (found.has(parent) || (this.here[node] < 0 && this.#isClosed(parent, time + 1))) found.add(node);
    }
    return found;
  }

  #value(node, time, blank, isHidden) {
    if (this.isLeaf(node)) return blank ? "" : number(this.full.value[node]);
    const own = this.here[node];
    if (isHidden || own < 0 || !this.run.isEntered(own, time)) return "";
    if (this.run.isClosed(own, time)) return valueText(this.run, own);
    const so = this.run.eventValue[this.run.lastEvent(own, time)];
    return Number.isNaN(so) ? "" : `${number(so)} so far`;
  }

  // The questions of each kind that this search can be asked: the time at which it stands, and what is right.
  questions(kind) {
    const { run } = this, found = [];
    for (let time = 0; time < run.length; time++) {
      const node = run.node[time], isInner = run.first[node] >= 0;
      if (kind === "window" && run.kind[time] === ENTER && isInner && node) found.push({ kind, time, node: this.there[node], alpha: run.alpha[time], beta: run.beta[time], end: time });
      if (kind === "value" && run.kind[time] === LEAVE && isInner) {
        const last = run.kind[time - 1] === PRUNE ? time - 2 : time - 1;
        found.push({ kind, time: last, node: this.there[node], value: run.eventValue[time], end: time });
      }
      if (kind === "pruned" && run.kind[time] === PRUNE && this.prunedAt(time).length) found.push(this.#pruning(time));
    }
    return found;
  }

  // The question which branch is pruned next, asked some events before it happens, after the pruning before.
  #pruning(time) {
    const { run } = this;
    let before = time - 1;
    while (before > 0 && !(run.kind[before] === PRUNE && this.prunedAt(before).length)) before--;
    let start = before + Math.ceil((time - before) * 0.4);
    while (start < time - 1 && !(run.kind[start] === RETURN || (run.kind[start] === ENTER && run.first[run.node[start]] >= 0))) start++;
    return { kind: "pruned", time: start, node: this.prunedAt(time)[0], at: this.there[run.node[time]], end: time + 1 };
  }
}
