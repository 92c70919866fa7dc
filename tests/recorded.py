"""Replays the recorded games of ``tests/data/recorded_boards.tsv`` under our rules."""

import facts


def agree(game, name, action_of):
    """Compare boards, legal actions and outcome with the recorded ones; return the number of boards.

    ``action_of(number, state)`` is our action for the recorded number.
    """
    state, boards = game.initial, 0
    for row in (row for row in facts.rows("recorded_boards.tsv") if row["game"] == name):
        if row["text"]:
            shown, turn = row["text"].split(" ")
            ours, our_turn = game.to_text(state).split(" ")
            assert ours == shown, f"state {row['state']}"
            assert turn in ("?", our_turn), f"state {row['state']}"
            boards += 1
        if row["legal"]:
            legal = [action_of(int(number), state) for number in row["legal"].split(",")]
            assert game.legal_actions(state) == legal, f"state {row['state']}"
        assert game.is_terminal(state) == (row["return"] != "")
        if row["return"]:
            value = game.utility(state)
            assert (value > 0) - (value < 0) == int(row["return"])
        else:
            state = game.play(state, action_of(int(row["action"]), state))
    return boards
