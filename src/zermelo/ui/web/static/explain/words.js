// What a page says about a search, in sentences. The words are those of `zermelo.pictures.tree_text`.
import { ENTER, LEAVE, PRUNE, RETURN } from "./model.js";

export function number(value) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (Math.abs(value) === Infinity) return value > 0 ? "∞" : "−∞";
  return String(value).replace("-", "−");
}

export const windowText = (alpha, beta) => (Number.isNaN(alpha) ? "" : `[${number(alpha)}, ${number(beta)}]`);

export function valueText(tree, node) {
  return { l: "≥ ", u: "≤ " }[tree.flat.bound[node]] === undefined ? number(tree.value[node])
    : { l: "≥ ", u: "≤ " }[tree.flat.bound[node]] + number(tree.value[node]);
}

// The inequality that pruned the rest of a node's moves.
export function inequality(tree, node) {
  const value = number(tree.value[node]);
  return tree.side(node) > 0 ? `${value} ≥ β = ${number(tree.flat.beta[node] ?? Infinity)}`
    : `${value} ≤ α = ${number(tree.flat.alpha[node] ?? -Infinity)}`;
}

export const roleOf = (tree, node) => (tree.side(node) > 0 ? "MAX" : "MIN");

// A list of moves, shortened if they are many.
const some = (moves) => (moves.length > 8 ? `${moves.slice(0, 6).join(", ")} and ${moves.length - 6} more` : moves.join(", "));

// Where a node's value came from, and why its other moves were pruned.
export function why(tree, node) {
  const value = valueText(tree, node), source = tree.source(node);
  if (source === "?") return "The search was broken off before this node had a value.";
  if (source === "t") return `The game is over here; its utility is ${value}.`;
  if (source === "c") return `CUTOFF stopped the search here; EVAL says ${value}.`;
  if (source === "h") {
    const from = tree.flat.stored[node];
    return `Met before: the table answered ${value}${from === undefined ? "." : `, which node ${from} had stored.`}`;
  }
  const most = tree.side(node) > 0 ? "highest" : "lowest", best = tree.bestChild(node);
  let said = `${roleOf(tree, node)} to move: the ${most} value of its moves is ${value}${best < 0 ? "" : `, that of move ${tree.move(best)}`}.`;
  const dropped = tree.dropped(node), left = tree.unsearched(node);
  if (dropped.length) said += ` Left out by the width: ${some(dropped)}.`;
  if (tree.flat.pruned[node]) {
    const [edge, other] = tree.side(node) > 0 ? ["beta", "MIN"] : ["alpha", "MAX"];
    said += ` Pruned: ${inequality(tree, node)}, so ${other}, who has ${edge} for sure elsewhere, never lets the game come here.`;
    return said + (left.length ? ` Not searched: ${some(left)}.` : " It was the last move: nothing was saved.");
  }
  if (tree.flat.bound[node] === "u") said += " It lies outside the window, so the true value may be less.";
  if (tree.flat.bound[node] === "l") said += " It lies outside the window, so the true value may be more.";
  return said;
}

// What happens at a step, in a sentence.
export function happening(tree, time) {
  const node = tree.node[time];
  if (tree.kind[time] === ENTER) {
    return node ? `The search makes the move ${tree.move(node)} and enters the node.` : "The search begins at the root.";
  }
  if (tree.kind[time] === RETURN) {
    const child = tree.child[time], value = valueText(tree, child);
    if (!tree.isBetter(time)) return `The move ${tree.move(child)} is worth ${value}, which is no better than ${number(tree.eventValue[time])}.`;
    const moved = !tree.hasWindow ? "" : tree.side(node) > 0 ? ` Alpha is now ${number(tree.alpha[time])}.` : ` Beta is now ${number(tree.beta[time])}.`;
    return `The move ${tree.move(child)} is worth ${value}, the best so far.${moved}`;
  }
  return why(tree, node);
}

// A line of pseudocode with steps of two spaces in place of four, so that it fits beside the tree.
export const narrowed = (line) => line.replace(/^ {1,12}/, (spaces) => " ".repeat(spaces.length / 2));

// The names under which the pseudocode knows what happens at a step.
export function codeEvents(tree, time, rootSide) {
  const node = tree.node[time], kind = tree.kind[time];
  const parent = tree.parent[node];
  const own = tree.side(node) || (parent < 0 ? 1 : -tree.side(parent));
  const sign = own * rootSide > 0 ? "+" : "-";
  let name = "enter";
  if (kind === RETURN) name = tree.isBetter(time) ? "better" : "visit";
  else if (kind === PRUNE) name = "prune";
  else if (kind === LEAVE) name = { t: "terminal", c: "cutoff", h: "table" }[tree.source(node)] || (tree.flat.pruned[node] ? "pruned" : "leave");
  return [name, name + sign];
}
