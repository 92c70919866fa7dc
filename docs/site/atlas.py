"""The page of published results, written from the same tables that ``zermelo atlas`` reads."""

from zermelo.atlas.facts import Fact, facts
from zermelo.atlas.measuring import measured


def pages() -> dict[str, str]:
    """Return the page of all facts."""
    known = measured()
    agreed = sum(fact.name in known and known[fact.name].found == fact.answer for fact in facts())
    seconds = sum(one.seconds for one in known.values())
    parts = [
        "# The atlas",
        "What others published about these games, and what zermelo says. `zermelo atlas --seconds 20` checks as many "
        "facts as fit into that time; `--game GAME` and `--only TEXT` choose among them, and `--list` lists them.",
        f"There are {len(facts()):,} facts. zermelo has answered {len(known):,} of them, in {seconds:,.0f} s "
        f"altogether, and {agreed:,} agree. The others would take too long: a dash stands for them. "
        "Times are those of one run of `benchmarks/atlas.py` on a busy machine of two cores; those of more than two "
        "seconds may include compiling.",
        "*Winner* says whether the player who begins wins, *length* after how many plies a perfect game ends, *value* "
        "the exact value for MAX, *positions* how many can be reached, *perft* how many nodes lie at a depth. "
        "*Elo* and *llr* (the log-likelihood ratio of two hypotheses in Elo) are about matches, with the numbers of "
        "pairs LL, LD, LW or DD, DW, and WW. "
        "*Minimax* and *alpha-beta* ask for the states, the prunings or the value of the handout's own search.",
    ]
    for game in dict.fromkeys(fact.game for fact in facts()):
        parts.append(f"## {game}")
        for source in dict.fromkeys(fact.source for fact in facts() if fact.game == game):
            parts += section([fact for fact in facts() if (fact.game, fact.source) == (game, source)])
    return {"reference/atlas.md": "\n\n".join(parts) + "\n"}


def section(chosen: list[Fact]) -> list[str]:
    """Return the facts about a game from one source, and the commands that reproduce them."""
    known, rows = measured(), []
    for fact in chosen:
        one = known.get(fact.name)
        found, seconds = (number(one.found), f"{one.seconds:.2f} s") if one else ("-", "-")
        place = fact.name.partition(":")[0].removeprefix(fact.game)
        rows.append(f"| {place} | {fact.question} | {number(fact.answer)} | {found} | {seconds} |")
    commands = "\n".join(f"    {fact.command}" for fact in chosen)
    return [
        f"Source: {chosen[0].source}.",
        "\n".join(["| game | question | published | zermelo | time |", "|---|---|---:|---:|---:|", *rows]),
        f'??? note "The commands, row by row"\n\n    ```\n{commands}\n    ```',
    ]


def number(text: str) -> str:
    """Return a number with commas between its thousands, and any other answer as it is."""
    return f"{int(text):,}" if text.lstrip("-").isdigit() else text
