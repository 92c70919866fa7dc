// The page of exercises: questions with a score, a tree whose leaves can be changed, and sheets to print.
import { Lesson } from "./lesson.js";
import { inequality, happening, number, windowText } from "../explain/words.js";

const $ = (selector) => document.querySelector(selector);
const KINDS = ["window", "value", "pruned"];

const page = {
  mode: "practise", seed: 1, question: null, score: { right: 0, asked: 0, row: 0 }, turn: 0,

  async start() {
    const said = Object.fromEntries(new URLSearchParams(location.search));
    this.seed = Number(said.seed) || 1 + Math.floor(Math.random() * 99999);
    this.leaves = said.leaves;
    this.score = JSON.parse(sessionStorage.getItem("zermelo score") ?? "null") ?? this.score;
    await this.fill();
    if (isNarrow()) $("#widths").value = "3,3"; // a tree that a telephone shows whole
    for (const name of ["kind", "widths", "game"]) if (said[name] && [...$(`#${name}`).options].some((one) => one.value === said[name])) $(`#${name}`).value = said[name];
    this.listen();
    await this.turnTo(said.mode === "edit" ? "edit" : "practise");
    window.exercise = this;
    document.body.dataset.ready = "yes";
  },

  async fill() {
    const games = await get("/api/games");
    for (const select of [$("#game"), $("#sheetgame")]) {
      select.append(...games.map((one) => new Option(one.title, one.name)));
    }
    $("#sheetgame").value = "tictactoe";
  },

  async turnTo(mode) {
    this.mode = mode;
    for (const one of document.querySelectorAll("[data-mode]")) one.setAttribute("aria-pressed", String(one.dataset.mode === mode));
    $("#practise").hidden = mode !== "practise";
    $("#edit").hidden = mode !== "edit";
    this.showWidths();
    if (mode === "edit") await this.edit(); else await this.next(false);
  },

  // Only invented trees have widths that can be chosen.
  showWidths() { $("#widths").parentElement.hidden = this.mode === "practise" && $("#game").value !== ""; },

  address() {
    const own = this.mode === "edit" ? { mode: "edit", seed: this.seed, leaves: this.leaves } : { seed: this.seed, kind: $("#kind").value, game: $("#game").value };
    const said = { ...own, widths: own.game ? "" : $("#widths").value };
    history.replaceState(null, "", `/exercises?${new URLSearchParams(Object.entries(said).filter(([, value]) => value))}`);
  },

  // Questions

  async next(isNew = true) {
    if (isNew) this.seed++;
    const turn = ++this.turn, game = $("#game").value;
    $("#error").textContent = "";
    for (let tries = 0; tries < 40; tries++) {
      let task;
      try { task = await get(`/exercises/task?${new URLSearchParams(game ? { seed: this.seed, game } : { seed: this.seed, widths: $("#widths").value })}`); }
      catch (error) { $("#error").textContent = error.message; return; }
      if (turn !== this.turn) return;
      const lesson = new Lesson(task, { isNarrow: isNarrow() }), kind = $("#kind").value || KINDS[this.seed % KINDS.length], found = lesson.questions(kind);
      if (!found.length) { this.seed++; continue; } // a tree without prunings
      this.lesson = lesson;
      this.question = found[(this.seed * 7919) % found.length];
      this.ask();
      return;
    }
    $("#error").textContent = "No such question was found in these trees; choose larger trees or another game.";
  },

  ask() {
    const { lesson, question } = this, { task } = lesson, where = lesson.name(question.node);
    $("#title").textContent = `${task.title}, number ${this.seed}`;
    $("#board").innerHTML = task.board ?? "";
    $("#stepthrough").hidden = true;
    $("#asked").textContent = {
      window: `Alpha-beta, from left to right, has just entered the node that is circled (${where}). What are alpha and beta there?`,
      value: `The search has finished with the circled node (${where}), or prunes the rest of it. Which value does it return?`,
      pruned: "The search stands at the circled node. Which branch is the next that alpha-beta prunes? Choose the first branch that it never searches.",
    }[question.kind];
    this.isAnswered = false;
    $("#answer").hidden = question.kind === "pruned";
    for (const one of document.querySelectorAll("[data-kind]")) one.hidden = one.dataset.kind !== question.kind;
    for (const name of ["alpha", "beta", "value"]) { $(`#${name}`).value = ""; $(`#${name}`).required = (question.kind === "value") === (name === "value"); }
    $("#verdict").textContent = "";
    $("#verdict").className = "";
    $("#why").textContent = "";
    $("#choices").replaceChildren();
    const pickable = new Set();
    if (question.kind === "pruned") {
      const { full, run } = lesson;
      for (let node = 1; node < full.n; node++) {
        const own = lesson.here[node], parent = lesson.here[full.parent[node]];
        const isAhead = own < 0 || !run.isEntered(own, question.time);
        if (isAhead && !(parent >= 0 && run.isClosed(parent, question.time)) && !this.isBelowPruned(full.parent[node])) pickable.add(node);
      }
    }
    this.draw(question.time, pickable, true);
    this.address();
    this.tellScore();
  },

  // Whether the search has pruned a node above already.
  isBelowPruned(node) {
    const { full, run, here } = this.lesson;
    return full.path(node).some((one) => here[one] < 0 && one && here[full.parent[one]] >= 0 && run.isClosed(here[full.parent[one]], this.question.time));
  },

  draw(time, pickable = new Set(), hidesNow = false) {
    const isWindow = this.question.kind === "window";
    $("#tree").innerHTML = this.lesson.svg(time, { pickable, hidesNow: hidesNow && this.question.kind !== "pruned", withWindows: !isWindow || !hidesNow });
    this.turnToNow(time);
  },

  // Make the picture as wide as it needs, and bring the circled node into sight.
  turnToNow(time) {
    const { lesson } = this, tree = $("#tree"), scroll = tree.parentElement;
    Object.assign(tree.style, { minWidth: `${lesson.least}px`, maxWidth: `min(1080px, ${lesson.most}px)` });
    const now = (lesson.x(lesson.there[lesson.run.node[time]]) / lesson.width) * tree.clientWidth, margin = 30;
    if (now < scroll.scrollLeft + margin || now > scroll.scrollLeft + scroll.clientWidth - margin) scroll.scrollLeft = now - scroll.clientWidth / 2;
  },

  check(said) {
    if (this.isAnswered) return;
    const { question, lesson } = this, { run } = lesson;
    let isRight, right;
    if (question.kind === "window") {
      isRight = read(said.alpha) === question.alpha && read(said.beta) === question.beta;
      right = windowText(question.alpha, question.beta);
    } else if (question.kind === "value") {
      isRight = read(said.value) === question.value;
      right = number(question.value);
    } else {
      isRight = said.node === question.node;
      right = `the branch ${lesson.name(question.node)}`;
    }
    this.isAnswered = true;
    this.score.asked++;
    if (isRight) { this.score.right++; this.score.row++; } else this.score.row = 0;
    sessionStorage.setItem("zermelo score", JSON.stringify(this.score));
    $("#verdict").textContent = isRight ? `Right: ${right}.` : `No: it is ${right}.`;
    $("#verdict").className = isRight ? "right" : "wrong";
    $("#why").textContent = this.reason(question, run);
    $("#answer").hidden = true;
    const { task } = lesson;
    $("#stepthrough").hidden = task.moves === undefined;
    $("#stepthrough").href = `/explain?${new URLSearchParams({ game: $("#game").value, moves: task.moves ?? "", depth: task.depth ?? 0, method: "alpha-beta", step: question.time })}`;
    this.draw(question.end);
    this.tellScore();
    $("#next").focus();
  },

  reason(question, run) {
    const { lesson } = this;
    if (question.kind === "pruned") return `At ${lesson.name(question.at)}: ${inequality(run, lesson.here[question.at])}.`;
    if (question.kind === "value") return happening(run, question.end);
    return "A node is entered with the window of its parent as it stands: alpha is the best that MAX, and beta the best that MIN, has for sure on the way here.";
  },

  tellScore() {
    const { right, asked, row } = this.score;
    $("#score").textContent = asked ? `${right} of ${asked} right${row > 1 ? `, ${row} in a row` : ""}` : "No answer yet";
  },

  // A tree whose leaves can be changed

  async edit(keep = false) {
    const turn = ++this.turn;
    $("#error").textContent = "";
    const asked = this.leaves === undefined ? { seed: this.seed } : { leaves: this.leaves };
    let task;
    try { task = await get(`/exercises/task?${new URLSearchParams({ widths: $("#widths").value, ...asked })}`); }
    catch (error) { $("#error").textContent = error.message; return; }
    if (turn !== this.turn) return;
    this.lesson = new Lesson(task, { isNarrow: isNarrow() });
    this.question = { kind: "edit" };
    this.leaves = this.lesson.leaves().map((node) => this.lesson.full.value[node]).join(",");
    const { run } = this.lesson;
    Object.assign($("#time"), { max: run.length - 1, value: run.length - 1 });
    this.step(run.length - 1, keep, !keep);
    this.address();
  },

  step(time, keep = false, follow = true) {
    const { lesson } = this, { run, full } = lesson, svg = lesson.svg(time, { blank: true });
    this.time = time;
    $("#said").textContent = `Step ${time + 1} of ${run.length}. ${happening(run, time)}`;
    const visited = run.stage.counts.leaves, all = full.stage.counts.leaves;
    $("#result").textContent = `Value ${number(run.stage.value)}, move ${run.stage.action}. Alpha-beta visits ${visited} of ${all} leaves.`;
    if (keep) { const old = $("#tree svg"); old.outerHTML = svg; if (follow) this.turnToNow(time); return; }
    $("#tree").innerHTML = svg;
    const inputs = lesson.leaves().map((node) => {
      const input = Object.assign(document.createElement("input"), { type: "number", min: -99, max: 99, value: full.value[node], className: "leaf" });
      input.setAttribute("aria-label", `The value of leaf ${lesson.name(node)}`);
      input.style.cssText = `left:${(lesson.x(node) / lesson.width) * 100}%;top:${((lesson.y(node) + 16) / lesson.height) * 100}%;width:${((lesson.slot - 2) / lesson.width) * 100}%`;
      return input;
    });
    $("#tree").append(...inputs);
    this.turnToNow(time);
  },

  changed() {
    const values = [...document.querySelectorAll("#tree .leaf")].map((one) => one.value);
    if (values.some((one) => !/^-?\d+$/.test(one))) { $("#error").textContent = "Each leaf needs a whole number."; return; }
    this.leaves = values.join(",");
    this.edit(true);
  },

  listen() {
    document.addEventListener("click", (event) => {
      const mode = event.target.closest("[data-mode]"), node = event.target.closest(".pick"), sign = event.target.closest("[data-sign]");
      if (mode) this.turnTo(mode.dataset.mode);
      else if (node && this.mode === "practise") this.check({ node: Number(node.dataset.node) });
      else if (sign) { $(`#${sign.dataset.sign}`).value = sign.textContent.trim(); $(`#${sign.dataset.sign}`).focus(); }
    });
    document.addEventListener("keydown", (event) => {
      const node = event.target.closest?.(".pick");
      if (node && (event.key === "Enter" || event.key === " ")) { event.preventDefault(); this.check({ node: Number(node.dataset.node) }); }
    });
    $("#answer").addEventListener("submit", (event) => {
      event.preventDefault();
      this.check({ alpha: $("#alpha").value, beta: $("#beta").value, value: $("#value").value });
    });
    $("#next").addEventListener("click", () => this.next());
    $("#again").addEventListener("click", () => { this.score = { right: 0, asked: 0, row: 0 }; sessionStorage.removeItem("zermelo score"); this.tellScore(); });
    for (const name of ["kind", "game"]) $(`#${name}`).addEventListener("change", () => { this.showWidths(); this.next(false); });
    $("#widths").addEventListener("change", () => { this.leaves = undefined; if (this.mode === "edit") this.edit(); else this.next(false); });
    $("#other").addEventListener("click", () => { this.leaves = undefined; this.seed++; this.edit(); });
    $("#time").addEventListener("input", (event) => this.step(Number(event.target.value), true));
    for (const [name, by] of [["back", -1], ["on", 1]]) $(`#${name}`).addEventListener("click", () => {
      $("#time").value = Number($("#time").value) + by;
      this.step(Number($("#time").value), true);
    });
    $("#tree").addEventListener("change", (event) => { if (event.target.matches(".leaf")) this.changed(); });
  },
};

// What a student writes: a number, or infinity in one of the ways in which people type it.
export function read(text) {
  const plain = text.trim().toLowerCase().replaceAll("−", "-").replaceAll("+", "").replace(/∞|infinity|inf|oo/, "Infinity");
  return /^-?(\d+|Infinity)$/.test(plain) ? Number(plain) : NaN;
}

function isNarrow() { return innerWidth < 600; }

async function get(address) {
  const answer = await fetch(address), said = await answer.json();
  if (!answer.ok) throw new Error(said.detail ?? "The server could not answer.");
  return said;
}

page.start();
