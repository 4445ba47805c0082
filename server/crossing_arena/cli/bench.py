"""`crossing-arena bench`: how fast it is here."""

import json
from typing import Annotated

import typer


def bench(
    seconds: Annotated[float, typer.Option(help="How long to measure each thing.", min=0.1)] = 5.0,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON and nothing else.")] = False,
) -> None:
    """Measure how fast the arena is on this machine.

    All in one run, so that the ratios to a raw gRPC echo mean something on a busy machine too.
    """
    import asyncio

    measured = asyncio.run(_measure(seconds, show=not as_json))
    if as_json:
        print(json.dumps({key: round(value, 2) for key, value in measured.items()}, indent=2))


async def _measure(seconds: float, *, show: bool) -> dict[str, float]:
    from crossing_arena.benchmark.measure import figures

    measured: dict[str, float] = {}
    async for figure in figures(seconds):
        measured[figure.key] = figure.value
        echo = measured.get("echo_decisions_per_s")
        ratio = f"{figure.value / echo:8.2f} x echo" if echo and "decisions_per_s" in figure.key else " " * 15
        if show:
            value = f"{figure.value:,.0f}" if figure.value >= 20 else f"{figure.value:.1f}"
            print(f"{value:>12} {ratio}  {figure.words}", flush=True)
    return measured
