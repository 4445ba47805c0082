"""`crossing-arena check`: fitness for a ladder, step by step."""

import json
from typing import Annotated, Any

import typer

from crossing_arena.cli.play import CLOCK_HELP


def check(
    bot: Annotated[str, typer.Argument(help="A .py file, a folder with a bot.toml, or an example bot.", metavar="BOT")],
    clock: Annotated[str, typer.Option(help=CLOCK_HELP)] = "1s+10s",
    memory: Annotated[int, typer.Option(help="How much memory it may use, in MB.", min=16)] = 512,
    deterministic: Annotated[
        bool,
        typer.Option(
            "--deterministic/--not-deterministic",
            help="Whether the same seed must give the same moves. A bot that searches until its time is up cannot.",
        ),
    ] = True,
    as_json: Annotated[bool, typer.Option("--json", help="Print the findings as JSON and nothing else.")] = False,
) -> None:
    """Check that a bot is fit for a ladder, step by step.

    It starts, says hello, answers legally and in time at every table size, plays the same under the same
    seed, survives opponents that fault, fits into memory, and plays a match against itself. Works offline.
    """
    import asyncio

    from crossing_arena.clock import read_clock
    from crossing_arena.launcher import find_entries

    [entry] = find_entries([bot])
    budgets = read_clock(clock)
    findings = asyncio.run(
        _run(entry, budgets, strict=deterministic, memory_mb=memory, show=None if as_json else _show)
    )
    passed = all(finding.passed for finding in findings)
    if as_json:
        steps = [{"step": f.step, "passed": f.passed, "words": f.words} for f in findings]
        print(json.dumps({"bot": entry.name, "passed": passed, "steps": steps}, ensure_ascii=False, indent=2))
    else:
        print(f"\n{entry.name} is fit for a ladder." if passed else f"\n{entry.name} is not fit for a ladder yet.")
    if not passed:
        raise typer.Exit(1)


async def _run(entry: Any, budgets: Any, *, strict: bool, memory_mb: int, show: Any) -> list[Any]:
    from crossing_arena.checkup import examine

    findings: list[Any] = []
    async for finding in examine(entry, budgets, strict=strict, memory_mb=memory_mb):
        findings.append(finding)
        if show:
            show(len(findings), finding, entry.name)
    return findings


def _show(number: int, finding: Any, name: str) -> None:
    from rich.text import Text

    from crossing_arena.cli.screen import console, fault, plain

    out = console()
    verdict = ("Passed", "bold green") if finding.passed else ("Failed", "bold red")
    out.print(Text.assemble(f"{number}. {finding.step:<36}", verdict, f"  {plain(finding.words)}"))
    for wrong in finding.faults[:3]:
        out.print(fault(wrong, name))
