// The form of the page Explain, and its address, which always says the same.

const SECOND = { with: "method", "with.table": "table", "with.order": "order" };
const USUAL = { method: "alpha-beta", table: "none", order: "left-to-right", width: "5", nodes: "20000", "with.table": "none", "with.order": "left-to-right" };
const PLAYERS = ["max", "min", "seconds", "clock", "tree"]; // links to positions also name these

let games = [];

export function fromAddress(search) {
  const said = Object.fromEntries(new URLSearchParams(search));
  for (const name of PLAYERS) delete said[name];
  return said;
}

// The query of the search itself, or of the one beside it.
export function toAddress(asked, second = false) {
  const pairs = Object.entries(asked).filter(([name, value]) => value !== "" && name !== "step" && !(name in SECOND));
  if (!second) return new URLSearchParams(pairs);
  const own = Object.entries(SECOND).filter(([name]) => asked[name]).map(([name, plain]) => [plain, asked[name]]);
  return new URLSearchParams([...pairs.filter(([name]) => !["method", "table", "order"].includes(name)), ...own]);
}

export async function fillGames(form, asked) {
  const answer = await fetch("/api/games");
  games = await answer.json();
  const select = form.elements.game;
  select.replaceChildren(...games.map((one) => new Option(one.title, one.name)));
  if (asked.game) select.value = asked.game;
  choose(form, select.value, asked);
  for (const [name, value] of Object.entries(asked)) if (form.elements[name] && name !== "game") form.elements[name].value = value;
}

// Show the parameters of a game. Moves belong to the game before, so they are emptied unless `said` has them.
export function choose(form, name, said = {}) {
  const game = games.find((one) => one.name === name);
  if (!game) return;
  form.elements.moves.value = said.moves ?? "";
  form.elements.position.value = said.position ?? "";
  form.querySelector("#parameters").replaceChildren(...game.parameters.map((one) => {
    const label = Object.assign(document.createElement("label"), { className: "field narrow", textContent: one.name.replaceAll("_", " ") });
    const input = document.createElement(one.type === "bool" ? "select" : "input");
    if (one.type === "bool") input.append(new Option("yes", "true"), new Option("no", "false"));
    Object.assign(input, { name: `p.${one.name}`, value: said[`p.${one.name}`] ?? String(one.default) });
    if (one.type === "int") { Object.assign(input, { type: "number" }); if (one.minimum !== null) input.min = one.minimum; if (one.maximum !== null) input.max = one.maximum; }
    input.dataset.usual = String(one.default);
    label.append(input);
    return label;
  }));
}

export function readForm(form) {
  const said = {};
  for (const [name, value] of new FormData(form)) {
    const input = form.elements[name], usual = input.dataset?.usual ?? USUAL[name];
    if (value !== "" && (value !== usual || name === "method")) said[name] = value;
  }
  if (!said.with) { said.with = ""; delete said["with.table"]; delete said["with.order"]; }
  return said;
}

// Show in the form what was searched.
export function writeForm(form, asked, answer) {
  const { plan } = answer;
  if (games.length && form.elements.game.value !== asked.game && asked.game) { form.elements.game.value = asked.game; choose(form, asked.game, asked); }
  else if (!form.elements.game.options.length && asked.game) form.elements.game.replaceChildren(new Option(asked.game, asked.game));
  for (const [name, value] of Object.entries(answer.parameters)) if (form.elements[`p.${name}`]) form.elements[`p.${name}`].value = String(value);
  for (const name of ["method", "depth", "table", "order", "width", "nodes"]) form.elements[name].value = plan[name];
  for (const name of ["moves", "position", "with"]) form.elements[name].value = asked[name] ?? "";
  for (const name of ["with.table", "with.order"]) form.elements[name].value = asked[name] ?? USUAL[name];
  for (const one of form.querySelectorAll("[data-second]")) one.hidden = !asked.with;
  form.querySelector("[data-width]").hidden = plan.method !== "path" && asked.with !== "path";
}
