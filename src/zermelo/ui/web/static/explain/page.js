// The page Explain: what its form and address ask for, the steps of one search or of two, and what is said about them.
import { PRUNE, Search } from "./model.js";
import { choose, fillGames, fromAddress, readForm, toAddress, writeForm } from "./form.js";
import { saveFile, saveNames, standalone } from "./saving.js";
import { View } from "./view.js";
import { codeEvents, happening, inequality, narrowed, number, windowText } from "./words.js";

const $ = (selector) => document.querySelector(selector);
const PACE = 700; // milliseconds for each step while the page plays the search

const page = {
  asked: {}, searches: [null, null], views: [], leader: 0, step: 0, playing: 0, turn: 0,

  async start() {
    this.asked = fromAddress(location.search);
    $("#view1").append(...[...$("#view0").children].map((one) => one.cloneNode(true)));
    this.views = [0, 1].map((place) => new View($(`#view${place}`), {
      picked: (node) => this.pick(place, node), boards: (tree, nodes) => this.boards(tree, nodes) }));
    this.listen();
    this.makeRoom();
    await Promise.all([fillGames($("#asked"), this.asked), this.load()]);
    if (this.searches[0]) writeForm($("#asked"), this.asked, this.searches[0].answer);
    window.explained = this;
    document.body.dataset.ready = "yes";
  },

  // The panel and the trees are as high as the window leaves them.
  makeRoom() {
    const desk = $(".desk"), measure = () => desk.style.setProperty("--room", `${Math.max(440, innerHeight - desk.offsetTop - 14)}px`);
    new ResizeObserver(measure).observe($("#asked"));
    addEventListener("resize", measure);
  },

  // Searches

  query(second = false) { return toAddress(this.asked, second); },

  async load() {
    const turn = ++this.turn;
    this.pause();
    document.body.dataset.busy = "yes";
    $("#error").textContent = "";
    $("#progress").hidden = false;
    try {
      const wanted = [this.query(), this.asked.with ? this.query(true) : null];
      const answers = await Promise.all(wanted.map((one) => one && get(`/explain/tree?${one}`)));
      if (turn !== this.turn) return;
      this.take(answers);
    } catch (error) {
      if (turn === this.turn) { $("#error").textContent = error.message; $(".desk").hidden = !this.searches[0]; }
    } finally {
      if (turn === this.turn) { delete document.body.dataset.busy; $("#progress").hidden = true; }
    }
  },

  take(answers) {
    this.searches = answers.map((answer) => answer && new Search(answer));
    const [first] = this.searches, { plan, title } = first.answer;
    Object.assign(this.asked, { game: first.answer.game && this.asked.game ? this.asked.game : first.answer.source, method: plan.method, depth: String(plan.depth) });
    this.leader = 0;
    $(".desk").hidden = false;
    $("#view1").hidden = $("#differ").hidden = !this.searches[1];
    $(".views").classList.toggle("two", !!this.searches[1]);
    writeForm($("#asked"), this.asked, first.answer);
    document.title = `zermelo: inside the search of ${title}`;
    $(".bar .game").textContent = title;
    for (const [name, path] of [["Play", "/"], ["Exercises", "/exercises"]]) this.carry(name, path);
    this.searches.forEach((search, place) => search && this.title(search, place));
    this.counts();
    this.plotted = false;
    $("#plot").replaceChildren();
    if ($("#plotting").open) this.plot();
    const wanted = this.asked.step === undefined ? first.length - 1 : Number(this.asked.step);
    this.go(Number.isFinite(wanted) ? wanted : 0);
  },

  // Links of the bar keep the position.
  carry(name, path) {
    const link = [...document.querySelectorAll(".bar a.tab")].find((one) => one.textContent === name);
    const position = new URLSearchParams(Object.entries(this.asked).filter(([one]) => /^(game|moves|position|p\..+)$/.test(one)));
    if (link && name === "Play") link.href = `${path}?${position}`;
  },

  title(search, place) {
    const { answer } = search, { plan } = answer, whole = search.trees.every((tree) => tree.stage.complete);
    const names = { minimax: "Minimax", "alpha-beta": "Alpha-beta", decision: "MAX-VALUE and MIN-VALUE", path: "The two methods", timed: "Iterative deepening" };
    const words = [names[plan.method], plan.depth ? `${plan.depth} plies` : "to the end"];
    if (plan.table !== "none") words.push(plan.table === "handout" ? "the handout’s table" : "the sound table");
    if (plan.order !== "left-to-right") words.push("best first");
    if (plan.method === "path") words.push(`${plan.width} moves wide`);
    const nodes = search.trees.reduce((sum, tree) => sum + tree.n, 0);
    $(`#view${place} h2`).textContent = `${words.join(", ")}: ${nodes.toLocaleString("en")} nodes`;
    $(`#view${place} .result`).textContent = whole ? `value ${number(search.trees.at(-1).stage.value)} for MAX` : "broken off at its limit";
    $(`#view${place} .result`).classList.toggle("warn", !whole);
  },

  // Steps

  get search() { return this.searches[this.leader]; },

  go(step) {
    if (!this.search) return;
    this.step = this.search.clamp(step);
    const { tree, time, stage } = this.search.at(this.step);
    this.show(this.leader, tree, time, tree.node[time]);
    const other = this.searches[1 - this.leader];
    if (other) {
      const beside = other.trees[Math.min(stage, other.trees.length - 1)], found = beside.timeOf(tree, time);
      this.show(1 - this.leader, beside, found.time, beside.node[found.time]);
      $(`#view${1 - this.leader} .beside`).textContent = found.isWhole ? "" : "This search never makes that move.";
      $(`#view${this.leader} .beside`).textContent = "";
    }
    this.tell(tree, time, stage);
    this.asked.step = String(this.step);
    clearTimeout(this.writing);
    this.writing = setTimeout(() => history.replaceState(null, "", `/explain?${new URLSearchParams(this.asked)}`), 150);
  },

  show(place, tree, time, node) {
    const view = this.views[place];
    view.setTree(tree);
    view.show(time, node);
  },

  pick(place, node) {
    const search = this.searches[place], stage = search.trees.indexOf(this.views[place].layout.tree), tree = search.trees[stage];
    this.leader = place;
    this.pause();
    this.go(search.starts[stage] + (tree.leaveAt[node] >= 0 ? tree.leaveAt[node] : tree.enterAt[node]));
  },

  // To the next pruning, or the one before; after the last one to the first.
  pruning(direction) {
    const { search } = this, found = [];
    search.trees.forEach((tree, stage) => {
      for (let time = tree.nextOf(PRUNE, -1); time >= 0; time = tree.nextOf(PRUNE, time)) found.push(search.starts[stage] + time);
    });
    if (!found.length) { $("#said").textContent = "This search prunes nothing."; return; }
    const next = direction > 0 ? found.find((one) => one > this.step) : found.findLast((one) => one < this.step);
    this.go(next ?? (direction > 0 ? found[0] : found.at(-1)));
  },

  // Out of the node to its parent, or over it to its end.
  out() {
    const { tree, time } = this.search.at(this.step), up = tree.parent[tree.node[time]];
    if (up >= 0) this.go(this.step - time + (tree.leaveAt[tree.node[time]] >= 0 ? tree.leaveAt[tree.node[time]] + 1 : tree.length - 1));
  },
  over() {
    const { tree, time } = this.search.at(this.step), end = tree.leaveAt[tree.node[time]];
    this.go(end > time ? this.step - time + end : this.step + 1);
  },

  parting() {
    const [a, b] = this.searches;
    const time = a && b ? a.trees[0].parting(b.trees[0]) : -1;
    if (time < 0) { $("#said").textContent = "The two searches do not differ."; return; }
    this.leader = 0;
    this.go(time);
  },

  pause() { clearInterval(this.playing); this.playing = 0; this.button(); },
  play() {
    if (this.playing) { this.pause(); return; }
    if (this.step >= this.search.length - 1) this.go(0);
    this.playing = setInterval(() => { if (this.step >= this.search.length - 1) this.pause(); else this.go(this.step + 1); }, PACE);
    this.button();
  },
  button() { const one = $('[data-do="play"]'); if (one) { one.textContent = this.playing ? "Pause" : "Play"; } },

  // What is said about a step

  tell(tree, time, stage) {
    const { search } = this, node = tree.node[time], { answer } = search, event = time;
    const depth = search.trees.length > 1 ? `, depth ${tree.stage.depth}` : "";
    this.prunings ??= new WeakMap();
    if (!this.prunings.has(search)) this.prunings.set(search, search.prunings());
    $("#step").textContent = `Step ${(this.step + 1).toLocaleString("en")} of ${search.length.toLocaleString("en")}${depth}`;
    $("#gone").textContent = `${this.prunings.get(search).toLocaleString("en")} prunings`;
    Object.assign($("#time"), { max: search.length - 1, value: this.step });
    $("#time").setAttribute("aria-valuetext", $("#step").textContent);
    $("#said").textContent = happening(tree, time);
    const names = answer.sides, side = tree.side(node);
    const moves = tree.path(node).slice(1).map((one) => tree.move(one)).join(" ");
    const rows = [["Node", `${node}, at ply ${tree.ply[node]}`], ["After", moves || "no move: the root"],
      ["To move", side ? roleName(names, side) : "nobody, the game is over"]];
    if (tree.hasWindow) rows.push(["α, β at entry", windowText(tree.flat.alpha[node] ?? -Infinity, tree.flat.beta[node] ?? Infinity)],
      ["α, β now", windowText(tree.alpha[event], tree.beta[event])]);
    rows.push(["Best so far", number(tree.eventValue[event])]);
    if (tree.flat.pruned[node] && tree.kind[time] >= PRUNE) rows.push(["Pruned because", inequality(tree, node)]);
    $("#facts").replaceChildren(...rows.flatMap(([name, said]) => [element("dt", name), element("dd", said)]));
    const from = tree.flat.stored[node];
    $("#stored").hidden = from === undefined;
    $("#stored").onclick = () => this.go(this.step - time + tree.leaveAt[from]);
    this.code(answer, codeEvents(tree, time, answer.plan.method === "path" ? answer.root : 1));
    this.picture(tree, node);
  },

  code(answer, names) {
    const list = $("#code");
    if (this.coded !== answer) {
      this.coded = answer;
      list.replaceChildren(...answer.code.map(([text]) => element("li", narrowed(text))));
    }
    let first = null;
    answer.code.forEach(([, at], place) => {
      const item = list.children[place], isHere = at.some((one) => names.includes(one));
      item.classList.toggle("at", isHere);
      if (isHere) { item.setAttribute("aria-current", "step"); first ??= item; } else item.removeAttribute("aria-current");
    });
    const panel = $(".steps"), cut = list.getBoundingClientRect().bottom - panel.getBoundingClientRect().bottom;
    const seen = list.clientHeight - (getComputedStyle(panel).overflowY === "auto" ? Math.max(0, cut) : 0);
    if (first && (first.offsetTop < list.scrollTop || first.offsetTop + 40 > list.scrollTop + seen)) {
      list.scrollTop = first.offsetTop - seen / 2;
    }
  },

  async picture(tree, node) {
    const key = tree.address(node);
    if (this.pictured === `${this.turn} ${key}`) return;
    this.pictured = `${this.turn} ${key}`;
    await new Promise((done) => setTimeout(done, 30)); // who holds an arrow key passes many nodes
    if (this.pictured !== `${this.turn} ${key}`) return;
    const found = await this.boards(tree, [node]).catch(() => [""]);
    if (this.pictured === `${this.turn} ${key}`) $("#look").innerHTML = found[0];
  },

  // Pictures of nodes, from the server; those of this position are kept.
  async boards(tree, nodes) {
    const turn = this.turn;
    if (this.kept?.turn !== turn) this.kept = { turn, found: new Map() };
    const { found } = this.kept, paths = nodes.map((node) => tree.address(node)), missing = [...new Set(paths.filter((one) => !found.has(one)))];
    if (missing.length) {
      const position = Object.entries(this.asked).filter(([one]) => /^(game|moves|position|p\..+)$/.test(one));
      const answer = await get(`/explain/boards?${new URLSearchParams([...position, ["after", missing.join(",")]])}`);
      missing.forEach((path, place) => found.set(path, answer[place]));
    }
    return paths.map((path) => found.get(path));
  },

  // Counts and plot

  counts() {
    const names = ["nodes", "leaves", "cutoffs", "prunings_max", "prunings_min", "table_hits", "table_states", "max_depth"];
    const searches = this.searches.filter(Boolean), sum = (search, name) => (name === "max_depth"
      ? search.trees.at(-1).stage.counts[name] : search.trees.reduce((all, tree) => all + tree.stage.counts[name], 0));
    const rows = names.map((name) => [name.replaceAll("_", " "), ...searches.map((search) => sum(search, name))]);
    const plies = Math.max(...searches.map((search) => search.trees.at(-1).stage.by_ply.length));
    for (let ply = 0; ply < plies; ply++) rows.push([`nodes at ply ${ply}`, ...searches.map((search) => search.trees.at(-1).stage.by_ply[ply] ?? 0)]);
    const head = element("tr"), body = rows.map(([name, ...counts]) => {
      const row = element("tr");
      row.append(Object.assign(element("th", name), { scope: "row" }), ...counts.map((one) => Object.assign(element("td", one.toLocaleString("en")), { title: name })));
      [...row.children].slice(1).forEach((cell) => { cell.dataset.count = name; });
      return row;
    });
    head.append(element("td"), ...searches.map((search, place) => Object.assign(element("th", place ? "beside it" : "this search"), { scope: "col" })));
    $("#counts").replaceChildren(head, ...body);
  },

  async plot() {
    if (this.plotted) return;
    this.plotted = true;
    const turn = this.turn;
    $("#plot").textContent = "Counting nodes…";
    try {
      const found = await get(`/explain/plot?${this.query()}`);
      if (turn === this.turn) $("#plot").innerHTML = found;
    } catch (error) { if (turn === this.turn) $("#plot").textContent = error.message; }
  },

  async save(kind, place) {
    const view = this.views[place], name = saveNames(this.asked, place);
    if (kind === "svg") saveFile(await view.asSvg($(`#view${place} h2`).textContent), `${name}.svg`, "image/svg+xml");
    else if (kind === "pdf") saveFile(bytes(await view.asPdf()), `${name}.pdf`, "application/pdf");
    else if (kind === "png") saveFile(await view.asPng(), `${name}.png`, "image/png");
    else if (kind === "json") saveFile(JSON.stringify(await get(`/explain/json?${this.query(place === 1)}`)), `${name}.json`, "application/json");
    else if (kind === "plot" && $("#plot svg")) saveFile(standalone($("#plot svg")), "nodes-over-depth.svg", "image/svg+xml");
  },

  // What a visitor does

  commands: {
    first() { this.go(0); }, back() { this.go(this.step - 1); }, forward() { this.go(this.step + 1); }, last() { this.go(this.search.length - 1); },
    play() { this.play(); }, pruning() { this.pruning(1); }, earlier() { this.pruning(-1); }, parting() { this.parting(); }, out() { this.out(); }, over() { this.over(); },
  },
  keys: { ArrowLeft: "back", ArrowRight: "forward", ArrowUp: "out", ArrowDown: "over", Home: "first", End: "last", n: "pruning", N: "earlier", p: "earlier", " ": "play", d: "parting" },

  listen() {
    document.addEventListener("click", (event) => {
      const found = event.target.closest("[data-do], [data-view], [data-save]");
      if (!found) { if (!event.target.closest(".menu")) document.querySelectorAll(".menu[open]").forEach((one) => one.removeAttribute("open")); return; }
      if (found.dataset.do && this.search) { if (found.dataset.do !== "play") this.pause(); this.commands[found.dataset.do].call(this); }
      const place = found.closest(".view")?.id === "view1" ? 1 : 0;
      if (found.dataset.view) this.look(found.dataset.view, place, found);
      if (found.dataset.save && this.search) { this.save(found.dataset.save, place); found.closest(".menu")?.removeAttribute("open"); }
    });
    document.addEventListener("keydown", (event) => this.key(event));
    $("#time").addEventListener("input", (event) => { this.pause(); this.go(Number(event.target.value)); });
    $("#plotting").addEventListener("toggle", () => { if ($("#plotting").open && this.search) this.plot(); });
    $("#asked").addEventListener("submit", (event) => { event.preventDefault(); this.ask(); });
    $("#asked").addEventListener("change", (event) => {
      if (event.target.name === "game") choose($("#asked"), event.target.value);
      this.ask();
    });
  },

  ask() { this.asked = readForm($("#asked")); this.load(); },

  look(kind, place, button) {
    const view = this.views[place];
    if (kind === "fit") view.fit();
    else if (kind === "in") view.zoomBy(1.5);
    else if (kind === "out") view.zoomBy(1 / 1.5);
    else if (kind === "here") view.focus(view.now);
    else if (kind === "boards") {
      for (const one of this.views) { one.withBoards = !view.isMarked; }
      view.isMarked = !view.isMarked;
      for (const one of this.views) { one.isMarked = view.isMarked; if (one.layout && !one.isFitted) one.follow(one.now); one.draw(); }
      for (const one of document.querySelectorAll('[data-view="boards"]')) one.setAttribute("aria-pressed", String(view.isMarked));
    }
  },

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.search) return;
    const target = event.target;
    if (/^(SELECT|TEXTAREA)$/.test(target.tagName) || (target.tagName === "INPUT" && target.id !== "time")) return;
    if (event.key === " " && /^(BUTTON|SUMMARY)$/.test(target.tagName)) return;
    const place = target.closest?.("#view1") ? 1 : 0;
    if (event.key === "+" || event.key === "=") this.look("in", place);
    else if (event.key === "-") this.look("out", place);
    else if (event.key === "f" || event.key === "0") this.look("fit", place);
    else if (event.key === "c") this.look("here", place);
    else if (event.key === "b") this.look("boards", place);
    else if (this.keys[event.key]) { if (event.key !== " ") this.pause(); this.commands[this.keys[event.key]].call(this); }
    else return;
    event.preventDefault();
  },
};

const roleName = (names, side) => { const role = side > 0 ? "MAX" : "MIN", name = names[side > 0 ? 0 : 1]; return name === role ? role : `${name} (${role})`; };
const element = (tag, text = "") => Object.assign(document.createElement(tag), { textContent: text });
const bytes = (text) => Uint8Array.from(text, (one) => one.charCodeAt(0));

async function get(address) {
  const answer = await fetch(address);
  const said = await answer.json();
  if (!answer.ok) throw new Error(said.detail ?? "The server could not answer.");
  return said;
}

page.start();
