"""Code blocks, commands and outputs of README and docs are true; `tests/data/pages_not_run.tsv` lists exceptions."""

import tomllib

import pytest
import typer

import pages
from zermelo.registry import make_game
from zermelo.ui.cli import COMMANDS, command_line

NOT_RUN = pages.not_run()
BLOCKS = [block for page in pages.PAGES for block in pages.blocks_of(page)]
COMMANDS_OF_ZERMELO = [one for page in pages.PAGES for one in pages.commands_on(page) if one.of_zermelo]
RUN = {
    page: commands
    for page in pages.PAGES
    if (commands := [one for one in pages.commands_on(page) if one.of_zermelo and one.text not in NOT_RUN])
}
EXAMPLES = "".join(path.read_text(encoding="utf-8") for path in (pages.ROOT / "examples").glob("*.py"))


@pytest.mark.parametrize("page", RUN, ids=lambda page: page.stem)
def test_commands_run_and_print_what_the_page_says(page):
    assert [difference for difference in pages.ran(page, RUN[page]) if difference] == []


def test_commands_have_only_options_that_there_are():
    """This holds for the commands that are not run, too."""
    program = typer.main.get_command(command_line())
    for command in COMMANDS_OF_ZERMELO:
        _, name, *arguments = command.words
        if name not in COMMANDS:
            assert name == "--version", pages.where(command)
            continue
        part, context = program.commands[name], None
        while hasattr(part, "commands") and arguments:  # `zermelo cache info`: a command within a command
            part = part.commands[arguments.pop(0)]
        arguments = arguments[: arguments.index("||")] if "||" in arguments else arguments
        context = part.make_context(name, list(arguments))
        assert context is not None


def test_other_blocks_are_files_examples_or_listed():
    odd = []
    for block in BLOCKS:
        if pages.commands_of(block) or block.title or block.language == pages.PROSE or ">>>" in block.text:
            continue
        if block.language == "toml":
            tomllib.loads(block.text)
        elif block.text not in EXAMPLES and not any(text in block.text for text in NOT_RUN):
            odd.append(f"{block.page}:{block.line}: {block.first}")
    assert odd == []


def test_the_tutorial_writes_the_example():
    page = pages.ROOT / "docs" / "tutorials" / "your-game.md"
    written = "".join(block.text for block in pages.blocks_of(page) if block.title == "sim.py")
    example = (pages.ROOT / "examples" / "sim.py").read_text(encoding="utf-8")
    assert [line for line in written.splitlines() if line] == [line for line in example.splitlines() if line]


def test_the_list_names_only_what_the_pages_hold():
    held = {command.text for page in pages.PAGES for command in pages.commands_on(page)}
    texts = [block.text for block in BLOCKS]
    assert [text for text in NOT_RUN if text not in held and not any(text in one for one in texts)] == []
    for why in NOT_RUN.values():
        kind, _, test = why.partition(": ")
        assert kind in ["slow", "minutes", "person", "cluster", "program", "files", "text", "tested"]
        assert not test or (pages.ROOT / test).exists()


def test_a_wrong_output_is_noticed():
    text = "zermelo perft tictactoe --depth 1"
    right, wrong = (
        pages.Command("page.md", 1, text, f"{count} nodes at depth 1, 0.00 seconds, ...\n") for count in (9, 8)
    )
    assert pages.differs(right, pages.run(right)[1]) == ""
    assert "prints\n9 nodes" in pages.differs(wrong, pages.run(wrong)[1])


@pytest.mark.parametrize(
    ("page", "game"),
    [("your-game", "sim.py"), ("strong-opponent", "trail.py"), ("improvement", "evals.py:old")],
)
def test_games_of_the_tutorials_are_games(page, game, tmp_path, monkeypatch):
    """The commands that use them are slow, so that `make test` does not run all of them."""
    monkeypatch.chdir(tmp_path)
    pages.prepare(tmp_path, pages.ROOT / "docs" / "tutorials" / f"{page}.md")
    rules = make_game(game)
    assert isinstance(rules.evaluate(rules.initial) if rules.evaluate else 0, int)
