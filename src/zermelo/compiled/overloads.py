"""What compiled code runs in place of a Python function, remembered for the description of kernels."""

from collections.abc import Callable
from typing import Any, Final

import numba.extending

IMPLEMENTATIONS: Final[dict[Callable[..., Any], tuple[Callable[..., Any], dict[str, Any]]]] = {}
"""For each function of the package that has an overload: what chooses its body, and Numba's options."""


def overload(function: Callable[..., Any], **options: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """`numba.extending.overload`, remembered."""

    def register(implementation: Callable[..., Any]) -> Callable[..., Any]:
        IMPLEMENTATIONS[function] = implementation, options
        numba.extending.overload(function, **options)(implementation)
        return implementation

    return register
