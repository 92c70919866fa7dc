"""Text that means nothing gets a ValueError, and text that means something means it for good."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import positions
from zermelo import factories
from zermelo.errors import ZermeloError

FACTORIES = [pytest.param(factory, id=name) for name, factory in factories().items()]


def make(factory):
    try:
        return factory()
    except ZermeloError as error:
        pytest.skip(str(error))


@st.composite
def damaged(draw, text):
    """``text`` with a few characters taken out, put in or doubled."""
    for _ in range(draw(st.integers(1, 3))):
        place = draw(st.integers(0, len(text)))
        end = min(len(text), place + draw(st.integers(0, 3)))
        text = (
            text[:place] + draw(st.text(max_size=3) | st.sampled_from(["0", "K", ":", "-", ",", " ", "²"])) + text[end:]
        )
    return text


@pytest.mark.parametrize("factory", FACTORIES)
@settings(max_examples=60)
@given(data=st.data())
def test_damaged_text_is_refused_or_read(factory, data):
    game = make(factory)
    state = positions.random_state(game, data, 20)
    try:
        read = game.from_text(data.draw(damaged(game.to_text(state)) | st.text()))
    except ValueError as error:
        assert str(error)
        assert "invalid literal" not in str(error)
    else:
        assert game.from_text(game.to_text(read)) == read
        assert game.draw(read)
        game.legal_actions(read)
        game.board(read)


@pytest.mark.parametrize("factory", FACTORIES)
@settings(max_examples=60)
@given(data=st.data())
def test_damaged_moves_are_refused_or_legal(factory, data):
    game = make(factory)
    state = positions.random_state(game, data, 20)
    legal = game.legal_actions(state)
    if not legal:
        return
    name = game.show_action(state, data.draw(st.sampled_from(legal)))
    try:
        action = game.read_action(state, data.draw(damaged(name) | st.text()))
    except ZermeloError:
        return
    assert action in legal
