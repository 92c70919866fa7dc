"""Outcome codes hold what was put into them, one by one and as arrays, and compare as values and remotenesses do.

Kernels compile `preference` and `one_ply_on` as parts of themselves, so these tests call the Python functions.
"""

from itertools import product
from typing import Any

import numpy as np
import pytest

from zermelo.solver.model.outcome_codes import (
    are_endless,
    code_of,
    codes_of,
    one_ply_on,
    plies_of,
    preference,
    preference_of,
    remoteness_of,
    shift_of,
    value_of,
    values_of,
)

PREFERENCE: Any = getattr(preference, "py_func", preference)
ONE_PLY_ON: Any = getattr(one_ply_on, "py_func", one_ply_on)
RANGES = [(-1, 1), (-1000, 1000), (0, 1), (-52500, 60000), (3, 3)]


@pytest.mark.parametrize("utility_range", RANGES)
def test_a_code_holds_value_and_remoteness(utility_range: tuple[int, int]) -> None:
    low, high = utility_range
    outcomes = list(product({low, high, (low + high) // 2}, [None, 0, 1, 41]))
    codes = [code_of(value, remoteness, utility_range) for value, remoteness in outcomes]
    assert all(0 <= code < 1 << 31 for code in codes)
    assert [(value_of(code, utility_range), remoteness_of(code, utility_range)) for code in codes] == outcomes
    values = np.array([value for value, _ in outcomes])
    plies = np.array([-1 if remoteness is None else remoteness for _, remoteness in outcomes])
    packed = codes_of(values, plies, utility_range)
    assert packed.dtype == np.int32 and packed.tolist() == codes
    assert values_of(packed, utility_range).tolist() == values.tolist()
    assert plies_of(packed, utility_range).tolist() == plies.tolist()
    assert are_endless(packed, shift_of(utility_range)).tolist() == (plies < 0).tolist()


@pytest.mark.parametrize("sign", [1, -1])
def test_codes_compare_as_outcomes_do(sign: int) -> None:
    utility_range = (-2, 3)
    outcomes = list(product(range(-2, 4), [None, 0, 1, 41]))

    def code_preference(outcome: tuple[int, int | None]) -> int:
        return int(PREFERENCE(code_of(*outcome, utility_range), sign, 2, shift_of(utility_range)))

    ranked = sorted(outcomes, key=lambda outcome: preference_of(*outcome, sign))
    assert sorted(outcomes, key=code_preference) == ranked
    assert len(set(map(code_preference, outcomes))) == len(outcomes)


def test_a_ply_is_added_unless_play_is_endless() -> None:
    utility_range = (-1, 1)
    shift = shift_of(utility_range)
    assert ONE_PLY_ON(code_of(1, 4, utility_range), shift) == code_of(1, 5, utility_range)
    assert ONE_PLY_ON(code_of(0, None, utility_range), shift) == code_of(0, None, utility_range)
