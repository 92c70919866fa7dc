"""What stands around the board, as HTML: the players, the state of the game, and the buttons that can act now."""

from html import escape
from typing import Final
from urllib.parse import urlencode

from zermelo.game import MAX, MIN
from zermelo.pictures.palette import palette_of
from zermelo.ui.web.game_clock import CLOCKS, shown
from zermelo.ui.web.links import LEAST_SECONDS, MOST_SECONDS, Position
from zermelo.ui.web.moving import unclickable
from zermelo.ui.web.new_game_form import NewGameForm
from zermelo.ui.web.opponents import Offer, player_title
from zermelo.ui.web.sitting import Sitting

_ICONS: Final = {
    "first": "M6 5v14M19 5 9 12l10 7z",
    "back": "M17 5 7 12l10 7z",
    "forward": "M7 5l10 7-10 7z",
    "last": "M18 5v14M5 5l10 7-10 7z",
    "undo": "M9 14 4 9l5-5M4 9h11a5 5 0 0 1 0 10h-4",
    "redo": "M15 14l5-5-5-5M20 9H9a5 5 0 0 0 0 10h4",
    "flip": "M7 20V5M3 9l4-4 4 4M17 4v15M13 15l4 4 4-4",
    "hint": "M9 18h6M10 21h4M12 3a6 6 0 0 1 4 10c-1 1-1 2-1 3H9c0-1 0-2-1-3a6 6 0 0 1 4-10z",
}
_FILLED: Final = ("first", "back", "forward", "last")
_MOST_BUTTONS: Final = 60
"""A game without a board has a button for each move up to so many; more have to be typed."""


def seat(sitting: Sitting, side: int, thinking: str, name: str = "", *, is_own: bool = False) -> str:
    """Return a player's strip: colour, name, score, whether it is their turn, and how far their search is.

    ``is_own`` tells whether it is the strip of the visitor, one of several at this game.
    """
    palette = palette_of(sitting.game)
    tone = palette.max if side == MAX else palette.min
    is_turn = sitting.to_move == side
    thinks = bool(thinking) and sitting.game.to_move(sitting.match.state) == side
    score = _score(sitting, 0 if side == MAX else 1)
    who = escape(name or ("You" if is_own else _who(sitting, side)))
    more = f'<span class="what thinking">{escape(thinking)}</span>' if thinks else ""
    stop = '<button class="btn small" data-command="stop">Stop</button>' if thinks else ""
    return (
        f'<div class="seat{" turn" if is_turn else ""}">'
        f'<span class="dot" style="background:{tone.fill};border-color:{tone.edge}"></span>'
        f'<button class="who" data-command="players" title="Change the players">{who}</button>'
        f'<span class="what">{escape(sitting.game.side_name(side))}</span>'
        f'<span class="score">{escape(score)}</span>{more}{stop}{_clock(sitting, side)}</div>'
    )


def _score(sitting: Sitting, index: int) -> str:
    """Return what a side has beside the board; of what is missing there, what was lost in this game."""
    if sitting.game.board is None:
        return ""
    board = sitting.game.board(sitting.state)
    score = board.scores[index]
    return _without(score, sitting.game.board(sitting.match.states[0]).scores[index]) if board.missing else score


def _without(score: str, before: str) -> str:
    """Return a score of missing men without those missing before: signs, or a number with a word after it."""
    word = (score or before).partition(" ")[2]
    if word:
        left = int(score.partition(" ")[0] or 0) - int(before.partition(" ")[0] or 0)
        return f"{left} {word}" if left > 0 else ""
    for man in before:
        score = score.replace(man, "", 1)
    return score


def _clock(sitting: Sitting, side: int) -> str:
    """Return a side's clock as of the last move; the browser lets it run until it ends, in ms since the epoch."""
    clock = sitting.clock
    if clock is None:
        return ""
    runs = f' data-ends="{1000 * clock.ends:.0f}"' if clock.side == side else ""
    name = f"Time of {sitting.game.side_name(side)}"
    said = shown(clock.at_last_move(side))
    return f'<span class="clock" role="timer" aria-label="{escape(name)}"{runs}>{said}</span>'


def _who(sitting: Sitting, side: int) -> str:
    player = sitting.seat(side)
    return "You" if player == "human" and len(sitting.match.humans()) == 1 else player_title(player)


def status(sitting: Sitting, error: str, paused: bool, notice: str, is_resigning: bool = False) -> str:
    """Return the state of the game in a sentence, with buttons for what can be done."""
    more = '<button class="btn small" data-command="go">Let it think</button>' if paused else ""
    if error:
        return f'<div class="error" role="alert">{escape(error)}</div>{more}'
    if is_resigning:
        return (
            '<div role="alert">Resign this game?</div><button class="btn small danger" data-command="resign">'
            'Yes, resign</button><button class="btn small" data-command="cancel">No, play on</button>'
        )
    if not sitting.is_live:
        said = f"Move {sitting.here} of {len(sitting.match.actions)}."
        return f'<div>{said} <span class="more">{escape(notice) or "A move here begins a variation."}</span></div>'
    if sitting.is_over:
        return _banner(sitting, notice)
    said = f'{escape(_turn(sitting))} <span class="more">{escape(notice)}</span>'
    return f"<div>{said}</div>{more}{_passes(sitting)}"


def _banner(sitting: Sitting, notice: str) -> str:
    """Return the end of the game, with what one may do next."""
    count = len(sitting.match.actions)
    after = f"After {count} move{'' if count == 1 else 's'}."
    return (
        f'<div class="banner"><div><b>{escape(result(sitting))}</b> <span class="more">{escape(notice) or after}</span>'
        '</div><div class="row"><button class="btn main" data-command="again">Rematch</button>'
        '<button class="btn" data-command="swapped">Rematch, sides swapped</button>'
        '<button class="btn" data-command="review">Judge every move</button></div></div>'
    )


def _passes(sitting: Sitting) -> str:
    """Return buttons for moves without a square: all moves of a game without a board, unless there are many."""
    game = sitting.game
    if not sitting.can_move:
        return ""
    legal = game.legal_actions(sitting.state)
    if game.board is None:
        kind, word, actions = "btn", "", legal if len(legal) <= _MOST_BUTTONS else []
    else:
        kind, word, actions = "btn main", "Play ", unclickable(game.board(sitting.state))
    return "".join(
        f'<button class="{kind}" data-play="{legal.index(action)}" data-at="{sitting.here}">'
        f"{word}{escape(game.show_action(sitting.state, action))}</button>"
        for action in actions
    )


def _turn(sitting: Sitting) -> str:
    game, match = sitting.game, sitting.match
    side = game.side_name(game.to_move(sitting.state))
    passed = ""
    if match.actions:
        before = match.states[-2]
        last = game.show_action(before, match.actions[-1])
        if last.lower() in ("pass", "--", "-"):
            passed = f"{game.side_name(game.to_move(before))} had to pass. "
        elif game.to_move(before) == game.to_move(match.state):
            passed = f"{side} moves again. "
    if sitting.computer is not None:
        return f"{passed}{player_title(sitting.computer)} is thinking."
    return f"{passed}{side} to move."


def result(sitting: Sitting) -> str:
    """Return who won, in a sentence."""
    outcome = sitting.outcome()
    if sitting.flagged:
        late, winner = (sitting.game.side_name(side) for side in (sitting.flagged, -sitting.flagged))
        return f"{late} ran out of time: {winner} wins."
    if sitting.resigned:
        return f"{sitting.game.side_name(sitting.resigned)} resigned: {sitting.game.side_name(-sitting.resigned)} wins."
    if outcome == "draw":
        return "The game is a draw."
    words = f"{sitting.game.side_name(MAX if outcome == 'max' else MIN)} wins"
    if sitting.game.outcomes == "margin":
        words += f" by {abs(sitting.match.value or 0)}"
    return f"{words}."


def announcement(sitting: Sitting) -> str:
    """Return the last move of a program in a sentence, for those who hear the page."""
    match, game = sitting.match, sitting.game
    if not match.actions or not sitting.is_live:
        return ""
    side = game.to_move(match.states[-2])
    if sitting.seat(side) == "human":
        return ""
    return f"{game.side_name(side)} played {game.show_action(match.states[-2], match.actions[-1])}."


def toolbar(sitting: Sitting) -> str:
    """Return the buttons below the board; those that cannot act are disabled."""
    here, count = sitting.here, len(sitting.match.actions)
    can_hint = sitting.can_move and not sitting.game.is_terminal(sitting.state)
    steps = (
        _icon("first", "First position", 'data-goto="0"', here > 0)
        + _icon("back", "One move back", f'data-goto="{max(0, here - 1)}"', here > 0)
        + _icon("forward", "One move forward", f'data-goto="{min(count, here + 1)}"', here < count)
        + _icon("last", "Last position", f'data-goto="{count}"', here < count)
    )
    acts = (
        _icon("undo", "Undo", 'data-command="undo"', sitting.can_undo)
        + _icon("redo", "Redo", 'data-command="redo"', bool(sitting.undone))
        + _icon("hint", "Hint", 'data-command="hint"', can_hint)
        + _icon("flip", "Flip", 'data-command="flip"', True)
    )
    menu = (
        '<button class="btn main" data-command="new">New game…</button>'
        '<button class="btn" popovertarget="menu">Menu</button>'
    )
    return (
        f'<div class="row tools" role="toolbar" aria-label="Game"><span class="group">{steps}</span>'
        f'<span class="group">{acts}</span><span class="whole">{menu}</span></div>'
    )


def _icon(name: str, title: str, does: str, can: bool) -> str:
    off = "" if can else " disabled"
    return f'<button class="btn icon" {does} aria-label="{title}" title="{title}"{off}>{_svg(name)}</button>'


def _svg(name: str) -> str:
    kind = "filled" if name in _FILLED else "drawn"
    return f'<svg class="{kind}" viewBox="0 0 24 24" aria-hidden="true"><path d="{_ICONS[name]}"/></svg>'


def menu(sitting: Sitting, is_solved: bool = False, has_address: bool = False) -> str:
    """Return the rest of the commands; a solved game has a census and puzzles, a server for others its address."""
    query = escape(Position(sitting.source, sitting.parameters).query())
    pages = (("puzzles", "Puzzles"), ("census", "Census of the table"))
    solved = "".join(f'<a class="btn" href="/{page}?{query}">{title}</a>' for page, title in pages)
    going = not sitting.is_over
    played = bool(sitting.match.actions)
    return "".join(
        (
            _entry("again", "Start again", played),
            _entry("swap", "Swap sides", going),
            _entry("players", "Change the players…"),
            _entry("edit", "Set a position up", sitting.game.from_text is not None and sitting.game.board is not None),
            _entry("paste", "Position or game from a text…"),
            _entry("invite", "Invite another player"),
            _entry("address", "Address of this server…") if has_address else "",
            _entry("name", "Your name…"),
            _entry("link", "Copy link"),
            _entry("save", "Save"),
            _entry("pgn", "Save as PGN") if sitting.game.pgn_tags is not None else "",
            '<button class="btn" data-opens="load">Load…</button>',
            f'<a class="btn" href="/rules?{escape(urlencode({"game": sitting.source}))}">Rules of the game</a>',
            '<a class="btn" href="/games">All games</a>',
            solved if is_solved else "",
            '<button class="btn" data-sound aria-pressed="false">Sound</button>',
            '<button class="btn" data-large aria-pressed="false">Board twice as large</button>',
            _entry("ask", "Resign…", going),
        )
    )


def _entry(command: str, title: str, can: bool = True) -> str:
    return f'<button class="btn" data-command="{command}"{"" if can else " disabled"}>{title}</button>'


def players_form(filled: NewGameForm) -> str:
    """Return the form in which other players are chosen for the game that goes on."""
    return (
        '<form data-form="players"><h2>Players</h2><div class="stack">'
        f"{sides_fields(filled)}{seconds_field(filled)}"
        '<div class="row"><button class="btn main" type="submit">Play on</button>'
        '<button class="btn" type="button" data-close>Cancel</button></div></div></form>'
    )


def paste_form(sitting: Sitting, error: str = "", text: str = "") -> str:
    """Return the form into which a position or a game is pasted."""
    kinds = ["a link", "a list of moves"]
    if sitting.game.read_pgn is not None:
        kinds.insert(1, "a PGN")
    if sitting.game.from_text is not None:
        kinds.insert(1, "a position")
    now = sitting.game.show_state(sitting.state) if sitting.game.from_text is not None else ""
    return (
        '<form data-form="paste"><h2>Position or game from a text</h2><div class="stack">'
        f'<label class="field">Paste {escape(", ".join(kinds[:-1]))} or {kinds[-1]}'
        f'<textarea name="text" rows="5" spellcheck="false">{escape(text or now)}</textarea></label>'
        f'<div class="error" role="alert">{escape(error)}</div>'
        '<div class="row"><button class="btn main" type="submit">Set up</button>'
        '<button class="btn" type="button" data-close>Cancel</button></div></div></form>'
    )


def address_form(title: str, address: str, code: str) -> str:
    """Return an address of this server, with its QR code if there is one."""
    return (
        f'<form data-form="address"><h2>{escape(title)}</h2><div class="stack"><div class="qr">{code}</div>'
        f'<a href="{escape(address)}">{escape(address)}</a>'
        '<div class="row"><button class="btn main" type="button" data-close>Close</button></div></div></form>'
    )


def name_form(name: str) -> str:
    """Return the form in which a visitor gives a name."""
    return (
        '<form data-form="name"><h2>Your name</h2><div class="stack">'
        f'<label class="field">The other player sees it<input name="name" maxlength="30" autocomplete="nickname" '
        f'value="{escape(name)}"></label>'
        '<div class="row"><button class="btn main" type="submit">Keep</button>'
        '<button class="btn" type="button" data-close>Cancel</button></div></div></form>'
    )


def sides_fields(filled: NewGameForm) -> str:
    """Return a field for each side's player."""
    return "".join(
        f'<label class="field">{escape(title)}<select name="{name}">'
        + "".join(_player(offer, offer.player == chosen) for offer in filled.offers)
        + "</select></label>"
        for title, name, chosen in ((filled.titles[0], "max", filled.max), (filled.titles[1], "min", filled.min))
    )


def seconds_field(filled: NewGameForm) -> str:
    """Return the field for the time of a program's move."""
    return (
        f'<label class="field">Seconds for each computer move<input name="seconds" type="number" '
        f'min="{LEAST_SECONDS:g}" max="{MOST_SECONDS:g}" step="any" value="{escape(filled.seconds)}"></label>'
    )


def clock_fields(filled: NewGameForm) -> str:
    """Return the fields for the clocks; that for another time control is shown if it is chosen."""
    choices = [("", "No clock"), *((one, f"{one} ({_meant(one)})") for one in CLOCKS), ("own", "Another…")]
    options = "".join(
        f'<option value="{value}"{" selected" if value == filled.clock else ""}>{said}</option>'
        for value, said in choices
    )
    return (
        f'<div class="fields clocks"><label class="field">Clocks<select name="clock">{options}</select></label>'
        '<label class="field own">Minutes+seconds a move<input name="own-clock" placeholder="5+3" '
        f'value="{escape(filled.own_clock)}"></label></div>'
    )


def _meant(clock: str) -> str:
    minutes, _, seconds = clock.partition("+")
    return f"{minutes} min" + (f", {seconds} s a move" if seconds != "0" else "")


def _player(offer: Offer, is_chosen: bool) -> str:
    """Return the option of a player; one that cannot play is disabled and says why."""
    title = player_title(offer.player)
    if offer.reason:
        return f"<option disabled>{escape(title)}: {escape(offer.reason)}</option>"
    words = f"{title}: {offer.words}" if offer.words else title
    return f'<option value="{escape(offer.player)}"{" selected" if is_chosen else ""}>{escape(words)}</option>'
