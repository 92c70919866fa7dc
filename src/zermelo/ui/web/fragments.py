"""Parts of the play page as HTML: pure functions of a sitting and its analyses. They escape all text."""

from collections.abc import Mapping, Sequence
from html import escape

from zermelo.game import Action
from zermelo.parameters import ParameterInfo
from zermelo.pictures.palette import palette_of
from zermelo.pictures.plots import value_plot
from zermelo.ui.web.analysis import Analysis, best_first
from zermelo.ui.web.controls import clock_fields, seconds_field, sides_fields
from zermelo.ui.web.history import history
from zermelo.ui.web.judging import SYMBOLS, Verdict, corrected, height, in_words, judge, shade, sign
from zermelo.ui.web.new_game_form import NewGameForm
from zermelo.ui.web.sitting import Sitting


def _at(sitting: Sitting) -> str:
    """Return a button's attribute for the position of its move: the board may have changed when it is pressed."""
    return f' data-at="{sitting.here}"'


def verdicts(sitting: Sitting) -> dict[int, Verdict]:
    """Return the verdict on each move whose value is known, by the move's number from 0."""
    found = {}
    for ply, action in enumerate(sitting.match.actions):
        analysis = _hindsight(sitting, ply)
        if analysis is not None:
            verdict = judge(sitting.game, analysis, action, sitting.game.to_move(sitting.match.states[ply]))
            if verdict is not None:
                found[ply] = verdict
    return found


def _hindsight(sitting: Sitting, ply: int) -> Analysis | None:
    """Return the analysis of a position, corrected by what is known of the position after the move made there."""
    found, states = sitting.analyses.get(ply), sitting.match.states
    if found is None or ply == len(sitting.match.actions):
        return found
    after = sitting.analyses.get(ply + 1)
    return corrected(sitting.game, found, sitting.match.actions[ply], states[ply + 1], after)


def moves(sitting: Sitting, reviewing: str) -> str:
    """Return the moves of the game; each is a button that shows the position after it."""
    judged = verdicts(sitting)
    parts = [f'<button data-goto="0"{_here(sitting, 0)}>Start</button>']
    for ply, move in enumerate(sitting.moves()):
        verdict = judged.get(ply)
        mark = ""
        if verdict in ("slip", "blunder", "best"):
            mark = f' <span class="verdict-{verdict}" title="{verdict}">{SYMBOLS[verdict]}</span>'
        button = f'<button data-goto="{ply + 1}"{_here(sitting, ply + 1)}>{escape(move)}{mark}</button>'
        parts.append(f'<span class="ply"><span class="no">{ply + 1}.</span>{button}</span>')
        parts += [_variation(sitting, ply, number) for number in range(len(sitting.others(ply)))]
    words = _judged(sitting, judged)
    review = ""
    if sitting.match.actions:
        known = sum(ply in sitting.analyses for ply in range(len(sitting.match.actions)))
        if reviewing or known < len(sitting.match.actions):
            label = reviewing or "Judge every move"
            review = f'<button class="btn small" data-command="review">{escape(label)}</button>'
    return f'<div class="moves">{"".join(parts)}</div><div class="muted">{words}</div>{review}'


def _variation(sitting: Sitting, ply: int, number: int) -> str:
    """Return a button that takes up a line that was given up at a move."""
    move = sitting.game.show_action(sitting.match.states[ply], sitting.others(ply)[number])
    return (
        f'<button class="other" data-other="{ply}:{number}" title="Take up this variation" '
        f'aria-label="variation {escape(move)}">({escape(move)})</button>'
    )


def _here(sitting: Sitting, ply: int) -> str:
    return ' class="here" aria-current="step"' if sitting.here == ply else ""


def _judged(sitting: Sitting, judged: Mapping[int, Verdict]) -> str:
    """Return a sentence about what was better than the last move on the board."""
    ply = sitting.here - 1
    if ply not in judged:
        return ""
    state, action = sitting.match.states[ply], sitting.match.actions[ply]
    player, analysis = sitting.game.to_move(state), _hindsight(sitting, ply)
    if analysis is None:
        return ""
    best, played = best_first(analysis, player)[0], analysis.of(action)
    sure = best.proven and played is not None and played.proven
    said = f"{sitting.game.show_action(state, action)}: {judged[ply]}"
    if judged[ply] in ("slip", "blunder") or (judged[ply] == "good" and sure):
        said += f"; better was {sitting.game.show_action(state, best.action)}"
    return escape(said + ("." if sure else ", by an estimate."))


def analysis(
    sitting: Sitting, is_on: bool, waiting: str, busy: bool, refusal: str = "", share: float | None = None
) -> str:
    """Return the analysis of the position shown: value, line, every move, the plot along the game.

    ``refusal`` says why there is no engine for the game, in a few words; ``share`` is how much of it is compiled.
    """
    toggle = (
        f'<button class="btn small" data-command="analysis" aria-pressed="{"true" if is_on else "false"}">'
        f"{'Hide' if is_on else 'Show'}</button>"
    )
    head = f'<div class="row" style="justify-content:space-between"><h2>Analysis</h2>{toggle}</div>'
    if not is_on:
        return head
    found = sitting.analyses.get(sitting.here)
    if sitting.game.is_terminal(sitting.state):
        body = '<div class="muted">The game is over.</div>'
    elif found is None and refusal and not busy:
        body = f'<div class="muted">A textbook search found nothing; there is no engine, since {escape(refusal)}.</div>'
    elif found is None:
        body = _bar(waiting, share)
    else:  # a textbook search may have answered before the compiler is done
        body = _found(sitting, found, busy, refusal) + ("" if share is None else _bar(waiting, share))
    return f"{head}{body}{plot(sitting)}"


def _bar(waiting: str, share: float | None) -> str:
    done = "" if share is None else f' value="{share:.2f}"'
    bar = f'<progress aria-label="{escape(waiting.partition(":")[0])}"{done}></progress>'
    return f'<div class="stack">{bar}<div class="muted">{escape(waiting)}…</div></div>'


def _found(sitting: Sitting, found: Analysis, busy: bool, refusal: str) -> str:
    game, player = sitting.game, sitting.game.to_move(sitting.state)
    badge = '<span class="badge proven">proven</span>' if found.is_decided else '<span class="badge">estimate</span>'
    table, widest = [], 0
    legal = game.legal_actions(sitting.state)
    for move in best_first(found, player):
        if move.action not in legal:
            continue
        colour = shade(game, found, move, player)
        sure = "proven" if move.proven else "an estimate"
        said = game.show_action(sitting.state, move.action)
        widest = max(widest, len(said) + len(colour.said))
        table.append(
            f'<button class="{colour.kind}" data-play="{legal.index(move.action)}"{_at(sitting)} '
            f'title="{colour.kind}, {sure}">'
            f"<span>{escape(said)}</span><b>{escape(colour.said)}</b></button>"
        )
    source = {"engine": "the engine", "textbook": "a textbook search", "table": "a solved table"}[found.source]
    why = f", since {escape(refusal)}" if refusal and found.source == "textbook" else ""
    depth = f"depth {found.depth}, {found.nodes:,} nodes, {found.seconds:.1f} s" if found.source != "table" else ""
    more = "\N{NO-BREAK SPACE}…" if busy and not found.proven else ""
    return (
        f'<div class="row"><span class="value">{escape(in_words(game, found))}</span>{badge}</div>'
        f'<div class="muted" data-source="{found.source}">By {source}{why}{", " + depth if depth else ""}{more}</div>'
        f'{_lines(sitting, found)}<div class="table" style="--letters:{widest}">{"".join(table)}</div>'
    )


def _lines(sitting: Sitting, found: Analysis) -> str:
    """Return the principal variation and the lines of the next best moves, with their values.

    A click on a move plays its line up to that move.
    """
    game, number = sitting.game, 0
    rows: list[str] = []
    for line in found.lines_shown:
        state, parts = sitting.state, []
        for action in line:
            number += 1
            move = escape(game.show_action(state, action))
            parts.append(f'<button data-line="{number}"{_at(sitting)}>{move}</button>')
            state = game.result(state, action)
        value = _value_of(sitting, found, line)
        rows.append(f'<div class="line{" other" if rows else ""}">{value}<span>{"".join(parts)}</span></div>')
    return f'<div class="lines">{"".join(rows)}</div>'


def _value_of(sitting: Sitting, found: Analysis, line: Sequence[Action]) -> str:
    """Return the value of a line's first move, if several lines are shown."""
    move = found.of(line[0]) if line and found.others else None
    if move is None:
        return ""
    return f"<b>{escape(shade(sitting.game, found, move, sitting.game.to_move(sitting.state)).said)}</b>"


def gauge(sitting: Sitting, flipped: bool) -> str:
    """Return a bar beside the board that shows who is ahead: the part of MAX grows from the foot."""
    found = sitting.analyses.get(sitting.here)
    if sitting.game.is_terminal(sitting.state):
        share, said = 0.5 + 0.5 * sign(sitting.game.utility(sitting.state)), "The game is over"
    elif found is None:
        share, said = 0.5, "The value is not known yet"
    else:
        share, said = 0.5 + 0.5 * height(sitting.game, found), in_words(sitting.game, found)
    tone = palette_of(sitting.game)
    grows = "top" if flipped else "bottom"
    return (
        f'<div class="gauge" role="img" aria-label="{escape(said)}" title="{escape(said)}" '
        f'style="background:{tone.min.fill}"><div style="height:{100 * share:.0f}%;background:{tone.max.fill};'
        f'{grows}:0"></div></div>'
    )


def plot(sitting: Sitting) -> str:
    """Return the plot of the value along the game."""
    game, told = sitting.game, history(sitting)
    labels = {ply: f"After move {ply}: {in_words(game, found)}" for ply, found in sitting.analyses.items()}
    plies = len(sitting.match.actions)
    if not plies:
        return ""
    return value_plot(told.heights, plies, sitting.here, labels, game.sides, told.ticks, told.unit)


def setup_form(titles: Mapping[str, str], filled: NewGameForm) -> str:
    """Return the form of a new game; ``titles`` are what people call the games."""
    games = "".join(_option(name, name == filled.game, title) for name, title in titles.items())
    fields = "".join(_parameter(info, filled.values.get(info.name)) for info in filled.parameters)
    return (
        f'<form data-form="start"><h2>New game</h2><div class="stack">'
        f'<input type="hidden" name="of" value="{escape(filled.game)}">'
        f'<label class="field">Game<select name="game" data-choose>{games}</select></label>'
        f'<div class="fields">{fields}</div><div class="stack">{sides_fields(filled)}</div>'
        f"{clock_fields(filled)}{seconds_field(filled)}"
        f'<div class="error" role="alert">{escape(filled.error)}</div>'
        f'<div class="row"><button class="btn main" type="submit">Start</button>'
        f'<button class="btn" type="button" data-close>Cancel</button></div></div></form>'
    )


def _option(value: str, chosen: bool, label: str = "") -> str:
    return f'<option value="{escape(value)}"{" selected" if chosen else ""}>{escape(label or value)}</option>'


def _parameter(info: ParameterInfo, value: str | None) -> str:
    now = str(info.default if value is None else value).lower()
    name = escape(info.name)
    label = escape(info.name.replace("_", " "))
    if info.kind is bool:
        options = _option("true", now == "true", "yes") + _option("false", now != "true", "no")
        return f'<label class="field">{label}<select name="p.{name}" data-choose>{options}</select></label>'
    limits = f' min="{info.allowed.start}" max="{info.allowed[-1]}"' if info.allowed else ""
    field = f'<input name="p.{name}" type="number" step="1"{limits} value="{escape(now)}" data-choose>'
    return f'<label class="field">{label}{field}</label>'
