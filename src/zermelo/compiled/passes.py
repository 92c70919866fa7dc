"""Numba's passes, one after the other. A *pass* is a step of the compiler: it changes or examines one function.

Numba computes in nine passes where the variables of the function live, and six of these times nobody reads it. After
each pass, it computes that once more, checks the function, measures time, and reports in text what it has done. It also
reports each call of LLVM, and nobody reads the reports. The machine code is the same without all this.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numba.core import event, postproc, transforms
from numba.core.compiler_machinery import CompilerPass, PassManager
from numba.core.errors import new_error_context  # type: ignore[attr-defined] # Numba makes it as it is imported
from numba.core.types.functions import BaseFunction

from zermelo.compiled.operations import call_type


class Passes(PassManager):
    """Numba's list of passes, which runs them and does nothing else."""

    def run(self, state: Any) -> None:
        """Run all passes on the function in ``state``.

        Meanwhile three parts of Numba are replaced. Numba's lock lets one thread at a time compile, so no other thread
        compiles with them.
        """
        with (
            _replaced(postproc, "PostProcessor", _LazyPostProcessor),
            _replaced(event, "broadcast", _ignore),
            _replaced(BaseFunction, "get_call_type", call_type),
        ):
            super().run(state)

    def _runPass(self, index: int, pss: CompilerPass, internal_state: Any) -> None:  # noqa: N802 # Numba's name
        """Run one pass; an error says in which."""
        del index
        pss.analysis = self._analysis
        with new_error_context("Pass {name}", name=pss.name()):
            pss.run_initialization(internal_state)
            pss.run_pass(internal_state)
            pss.run_finalizer(internal_state)


class _LazyPostProcessor(postproc.PostProcessor):
    """Numba's analysis of where variables live, which is put off until somebody asks."""

    def run(self, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
        """Bring the blocks into their usual form; analyse them only in generators, and to mark where variables end."""
        function = self.func_ir
        if emit_dels or function.is_generator:
            super().run(emit_dels, extend_lifetimes)
            return
        function.blocks = transforms.canonicalize_cfg(function.blocks)
        function.variable_lifetime = postproc.VariableLifetime(function.blocks)
        function.generator_info = None


def _ignore(_event: event.Event) -> None:
    """Tell no listener of an event."""


@contextmanager
def _replaced(owner: object, name: str, replacement: object) -> Iterator[None]:
    """Replace what ``owner`` has under a name, and put it back in the end."""
    usual = getattr(owner, name)
    setattr(owner, name, replacement)
    try:
        yield
    finally:
        setattr(owner, name, usual)


def without_reports(usual: PassManager) -> Passes:
    """Return the same passes as ``usual``."""
    passes = Passes(usual.pipeline_name)
    for kind, description in usual.passes:
        passes.add_pass(kind, description)
    passes.finalize()
    return passes
