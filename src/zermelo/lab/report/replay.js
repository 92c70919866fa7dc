// Lists the games of a tournament and replays them. The page holds one picture of the board and, for each move,
// what it changes there; this script puts positions together.
"use strict";
(() => {
  const FIELDS = ["number", "first", "second", "opening", "plies", "points", "ending", "reason", "length", "steps",
    "movers", "seconds", "scores", "nodes"];
  const ROWS = 20, PACE = 700, WON = 90000;
  const data = JSON.parse(document.getElementById("data").textContent);
  const games = data.games.map((row) => Object.fromEntries(FIELDS.map((name, place) => [name, row[place]])));
  const find = (id) => document.getElementById(id);
  const made = (tag, text, kind) => {
    const element = document.createElement(tag);
    if (text !== undefined) element.textContent = text;
    if (kind) element.className = kind;
    return element;
  };
  const result = (points) => points === 1 ? "1 – 0" : points === 0 ? "0 – 1" : "½ – ½";

  // The list of games.
  let listed = games, offset = 0;

  function filter() {
    const wanted = Object.fromEntries([...document.querySelectorAll("[data-filter]")].map((one) => [one.dataset.filter, one.value]));
    const plays = (game, player) => player === "" || game.first === Number(player) || game.second === Number(player);
    listed = games.filter((game) => plays(game, wanted.player)
      && (wanted.opponent === "" || wanted.opponent === wanted.player || plays(game, wanted.opponent))
      && (wanted.result === "" || game.points === Number(wanted.result))
      && (wanted.ending === "" || game.ending === wanted.ending));
    offset = 0;
    list();
  }

  function list() {
    const rows = listed.slice(offset, offset + ROWS).map((game) => {
      const row = made("tr"), head = made("th");
      head.scope = "row";
      if (game.steps) {
        const link = made("a", `game ${game.number}`);
        link.href = `#game-${game.number}`;
        head.append(link);
      } else head.textContent = `game ${game.number}`;
      row.append(head, made("td", data.players[game.first]), made("td", data.players[game.second]),
        made("td", result(game.points)), made("td", game.length), made("td", data.endings[game.ending]));
      if (shown && game.number === shown.number) row.className = "here";
      return row;
    });
    find("list").replaceChildren(...rows);
    find("listed").textContent = listed.length
      ? `${offset + 1} to ${Math.min(offset + ROWS, listed.length)} of ${listed.length}` : "There is no such game.";
    find("earlier").disabled = offset === 0;
    find("later").disabled = offset + ROWS >= listed.length;
  }

  // The board: slots, what they hold now, and the marks of the last move.
  const board = find("board").firstElementChild, slots = [], outlines = [];
  let holds = [];
  if (board.tagName.toLowerCase() === "svg") {
    for (const cell of board.querySelectorAll("[data-cell]")) {
      const slot = document.createElementNS("http://www.w3.org/2000/svg", "g"), outline = cell.querySelector(".focus");
      cell.insertBefore(slot, outline);
      slots[cell.dataset.cell] = slot;
      outlines[cell.dataset.cell] = outline;
      cell.removeAttribute("tabindex");
    }
    slots.push(board.querySelector(".labels"));
  } else slots.push(...board.querySelectorAll("[data-line]"));

  function draw(position, step) {
    position.forEach((content, slot) => {
      if (holds[slot] === content) return;
      const [picture, words] = data.contents[content];
      slots[slot].innerHTML = outlines.length ? picture : picture + "\n";
      if (outlines[slot]) slots[slot].parentNode.setAttribute("aria-label", `${data.names[slot]}, ${words}`);
      holds[slot] = content;
    });
    for (const outline of outlines) outline.setAttribute("class", "focus");
    for (const mark of board.querySelectorAll(".captured")) mark.remove();
    if (!step || !outlines.length) return;
    const [, , placed = [], changed = [], captured = []] = step;
    for (const slot of changed) outlines[slot].setAttribute("class", "focus changed");
    for (const slot of placed) outlines[slot].setAttribute("class", "focus last");
    for (const slot of captured) outlines[slot].insertAdjacentHTML("beforebegin", data.captured);
  }

  // The game on the board.
  let shown = null, positions = [], ply = 0, timer = null;

  const isFirst = (game, place) => game.movers ? game.movers[place] === "1" : place % 2 === 0;

  function open(number, at) {
    const game = games.find((one) => one.number === number);
    if (!game || !game.steps) return false;
    stop();
    shown = game;
    positions = [data.start];
    for (const step of game.steps) {
      const next = [...positions[positions.length - 1]], changes = data.steps[step][1] || [];
      for (let place = 0; place < changes.length; place += 2) next[changes[place]] = changes[place + 1];
      positions.push(next);
    }
    find("viewer").hidden = false;
    find("title").textContent = `Game ${game.number}: ${data.players[game.first]} against ${data.players[game.second]}`;
    find("outcome").textContent = `${result(game.points)}, ${data.endings[game.ending]}.` + (game.reason ? ` ${game.reason}` : "");
    find("ply").max = game.steps.length;
    seat("below", 0, game.first);
    seat("above", 1, game.second);
    moves();
    plot();
    go(at === undefined ? game.plies : at);
    list();
    return true;
  }

  function seat(id, place, player) {
    const side = data.sides[place], dot = made("span", "", "dot"), name = made("b", data.players[player]);
    dot.style.background = side.fill;
    dot.style.borderColor = side.edge;
    find(id).replaceChildren(dot, name, made("span", `${side.name}, ${place ? "second" : "first"}`, "soft"));
  }

  function moves() {
    const buttons = [moveButton("Start", 0)];
    shown.steps.forEach((step, place) => {
      buttons.push(moveButton(`${place + 1}. ${data.steps[step][0]}`, place + 1, place < shown.plies ? "opening" : ""));
    });
    find("moves").replaceChildren(...buttons);
  }

  function moveButton(text, at, kind) {
    const button = made("button", text, kind);
    button.type = "button";
    button.dataset.ply = at;
    return button;
  }

  function go(at) {
    ply = Math.max(0, Math.min(shown.steps.length, at));
    draw(positions[ply], ply ? data.steps[shown.steps[ply - 1]] : null);
    find("ply").value = ply;
    for (const button of find("moves").children) {
      const here = Number(button.dataset.ply) === ply;
      if (here) button.setAttribute("aria-current", "step"); else button.removeAttribute("aria-current");
      if (here) find("moves").scrollTop = button.offsetTop - find("moves").offsetTop - 60;
    }
    find("said").textContent = said();
    const line = document.querySelector("#plot .here");
    if (line) for (const end of ["x1", "x2"]) line.setAttribute(end, across(ply));
    if (ply === shown.steps.length) stop();
  }

  function said() {
    if (ply === 0) return "The start.";
    const place = ply - 1, own = place - shown.plies, who = isFirst(shown, place) ? shown.first : shown.second;
    const move = `Move ${ply} of ${shown.steps.length}: ${data.steps[shown.steps[place]][0]}`;
    if (own < 0) return `${move}, of the opening.`;
    const parts = [`${move} by ${data.players[who]}`];
    const seconds = shown.seconds[own], score = shown.scores && shown.scores[own], nodes = shown.nodes && shown.nodes[own];
    if (seconds !== undefined) parts.push(seconds >= 1 ? `${seconds.toFixed(2)} s` : `${Number((1000 * seconds).toPrecision(3))} ms`);
    if (typeof nodes === "number") parts.push(`${nodes.toLocaleString("en")} nodes`);
    if (typeof score === "number") parts.push(`score ${scored(score)}`);
    return parts.join(", ") + ".";
  }

  function scored(score) {
    if (Math.abs(score) < WON) return (score > 0 ? "+" : "") + String(score).replace("-", "−");
    return `${score > 0 ? "wins" : "loses"} in ${100000 - Math.abs(score)}`;
  }

  // Both players' scores along the game, from the first player's point of view; each in units of its own.
  const WIDTH = 400, HEIGHT = 120;
  const across = (at) => 8 + (WIDTH - 16) * at / Math.max(1, shown.steps.length);

  function plot() {
    find("plot").replaceChildren();
    if (!shown.scores) return;
    const lines = [[], []];
    shown.scores.forEach((score, own) => {
      const place = own + shown.plies, first = isFirst(shown, place);
      if (typeof score === "number") lines[first ? 0 : 1].push([place + 1, first ? score : -score]);
    });
    const drawn = lines.map((line, side) => {
      const sizes = line.map(([, score]) => Math.abs(score)).filter((size) => size < WON).sort((a, b) => a - b);
      const usual = Math.max(1, sizes[Math.floor(sizes.length / 2)] || 1);
      const height = (score) => HEIGHT / 2 - (HEIGHT / 2 - 10) * score / (Math.abs(score) + usual);
      const points = line.map(([at, score]) => `${across(at).toFixed(1)},${height(score).toFixed(1)}`).join(" ");
      return `<polyline class="line s${side}" points="${points}"/>`;
    }).join("");
    find("plot").innerHTML = `<svg class="scores" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Scores along the game">`
      + `<rect x="0" y="0" width="${WIDTH}" height="${HEIGHT}"/><line class="zero" x1="0" x2="${WIDTH}" y1="${HEIGHT / 2}" y2="${HEIGHT / 2}"/>`
      + `<line class="here" y1="0" y2="${HEIGHT}"/>${drawn}</svg>`;
    const legend = made("p", "", "soft");
    legend.innerHTML = '<span class="key s0">—</span> first player, <span class="key s1">—</span> second player; upwards: good for the first player. Each player has units of its own.';
    find("plot").append(legend);
  }

  // Buttons, keys and links.
  function stop() {
    if (timer !== null) clearInterval(timer);
    timer = null;
    document.querySelector('[data-go="play"]').textContent = "Play";
  }

  function play() {
    if (timer !== null) return stop();
    if (ply === shown.steps.length) go(0);
    timer = setInterval(() => go(ply + 1), PACE);
    document.querySelector('[data-go="play"]').textContent = "Stop";
  }

  function neighbour(by) {
    const choices = listed.filter((game) => game.steps), here = choices.findIndex((game) => game.number === shown.number);
    const next = choices[here + by];
    if (next) location.hash = `game-${next.number}`;
  }

  const ACTIONS = {
    first: () => go(0), last: () => go(shown.steps.length), back: () => { stop(); go(ply - 1); },
    forward: () => { stop(); go(ply + 1); }, play, next: () => neighbour(1), previous: () => neighbour(-1),
  };
  const KEYS = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last", n: "next", p: "previous" };

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    if (button.dataset.go && shown) ACTIONS[button.dataset.go]();
    if (button.dataset.ply && shown) { stop(); go(Number(button.dataset.ply)); }
    if (button.id === "earlier" || button.id === "later") {
      offset = Math.max(0, offset + (button.id === "later" ? ROWS : -ROWS));
      list();
    }
  });
  document.addEventListener("keydown", (event) => {
    if (!shown || event.ctrlKey || event.altKey || event.metaKey || event.target.closest("input, select, textarea")) return;
    const seen = find("viewer").getBoundingClientRect();
    const action = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!action || seen.bottom < 0 || seen.top > window.innerHeight) return;
    event.preventDefault();
    ACTIONS[action]();
  });
  find("ply").addEventListener("input", (event) => { stop(); go(Number(event.target.value)); });
  for (const select of document.querySelectorAll("[data-filter]")) select.addEventListener("change", filter);

  function follow() {
    const found = /^#game-(\d+)(?:-(\d+))?$/.exec(location.hash);
    if (found && open(Number(found[1]), found[2] && Number(found[2]))) find("viewer").scrollIntoView({ block: "nearest" });
  }
  window.addEventListener("hashchange", follow);
  follow();
  const first = games.find((game) => game.steps);
  if (!shown && first) open(first.number);
  list();
})();
