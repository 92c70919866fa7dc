"""Every task of a solve by its name.

A task receives its `Site` first. It returns a list: first its answer, then its blocks.
"""

from collections.abc import Callable
from typing import Any, Final

from zermelo.solver.passes import (
    backward_tasks,
    exchange_tasks,
    filed_tasks,
    forward_tasks,
    publish_tasks,
    retrograde_tasks,
)

TASKS: Final[dict[str, Callable[..., list[Any]]]] = {
    **forward_tasks.TASKS,
    **backward_tasks.TASKS,
    **exchange_tasks.TASKS,
    **retrograde_tasks.TASKS,
    **filed_tasks.TASKS,
    **publish_tasks.TASKS,
}
