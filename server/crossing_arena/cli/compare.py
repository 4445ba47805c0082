"""`crossing-arena compare`: an old and a new version of a bot."""

import json
from typing import Annotated, Any

import typer

from crossing_arena.cli.play import CLOCK_HELP


def compare(
    old: Annotated[str, typer.Argument(help="The version you have.", metavar="OLD")],
    new: Annotated[str, typer.Argument(help="The version you hope is better.", metavar="NEW")],
    field: Annotated[
        list[str] | None,
        typer.Option(
            "--field",
            help="Another bot at the table; give it several times.",
            metavar="BOT",
            show_default="example bots",
        ),
    ] = None,
    players: Annotated[int, typer.Option(help="Table size.", min=3, max=6)] = 4,
    worthwhile: Annotated[
        float, typer.Option(help="A gain of so many rating points is what you would like to notice.", min=1)
    ] = 25.0,
    error: Annotated[
        float, typer.Option(help="How often the answer may be wrong, either way.", min=0.001, max=0.49)
    ] = 0.05,
    deals: Annotated[int, typer.Option(help="Give up after so many deals.", min=16)] = 3000,
    seed: Annotated[str, typer.Option(help="Any text or number; the same seed gives the same deals.")] = "compare",
    clock: Annotated[str, typer.Option(help=CLOCK_HELP)] = "1s+10s",
    talk: Annotated[bool, typer.Option("--talk/--no-talk", help="Whether the bots may talk.")] = True,
    as_json: Annotated[bool, typer.Option("--json", help="Print the answer as JSON and nothing else.")] = False,
) -> None:
    """Find out whether a new version of a bot is better than the old one.

    Both sit at the same table, each deal is played twice with their seats swapped, and the test stops
    by itself as soon as the answer is clear (a sequential test on the differences of deals).
    The exit code is 0 if the new one is better, else 1.
    """
    import asyncio

    from crossing_arena.clock import read_clock
    from crossing_arena.ladder.compare import Contest
    from crossing_arena.ladder.compare import compare as run_comparison
    from crossing_arena.ladder.sequential import Decision, Question
    from crossing_arena.launcher import find_entries
    from crossing_sdk.games import seed_from

    [old_entry] = find_entries([old])
    [new_entry] = find_entries([new])
    others = find_entries(field or ["greedy", "thief", "hoarder", "fox"])
    question = Question(worthless=0.0, worthwhile=worthwhile, alpha=error, beta=error)
    contest = Contest(old_entry, new_entry, tuple(others), players, seed_from(seed), read_clock(clock), talk)
    finding, faults = asyncio.run(
        run_comparison(contest, question, deals, (lambda finding: None) if as_json else _show_progress)
    )
    if as_json:
        answer = {"decision": finding.decision.value, "deals": finding.deals, "gap": finding.gap, "faults": faults}
        print(json.dumps({**answer, "ratio": finding.ratio, "bounds": finding.bounds, "error": error}, indent=2))
    else:
        _show_answer(finding, faults, worthwhile, error)
    if finding.decision is not Decision.NEW_IS_BETTER:
        raise typer.Exit(1)


def _show_progress(finding: Any) -> None:
    if finding.deals % 80 == 0:
        low, high = finding.bounds
        print(
            f"{finding.deals} deals: {_gap(finding)}, {finding.ratio:+.2f} between {low:.2f} and {high:.2f}", flush=True
        )


def _gap(finding: Any) -> str:
    return "ahead or behind every time" if finding.gap is None else f"{finding.gap:+.0f} rating points"


def _show_answer(finding: Any, faults: int, worthwhile: float, error: float) -> None:
    from crossing_arena.ladder.sequential import Decision

    print({
        Decision.NEW_IS_BETTER: "The new version is better.",
        Decision.NOT_BETTER: f"The new version is not better by {worthwhile:.0f} points.",
        Decision.UNDECIDED: "Not decided: give it more --deals, or ask for a larger --worthwhile gain.",
    }[finding.decision])  # fmt: skip
    print(f"{finding.deals} deals, each played twice with seats swapped: {_gap(finding)} against the old one.")
    if finding.decision is not Decision.UNDECIDED:
        print(f"Such an answer is wrong at most {100 * error:.0f} times in 100.")
    if faults:
        print(f"The new version made {faults} faults: see crossing-arena check.")
