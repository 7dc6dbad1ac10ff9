"""How everything here is measured: CPU seconds, interleaved by round, the median beside a bound."""

import gc
import resource
import statistics
import time
from collections.abc import Callable, Mapping


def own_cpu(work: Callable[[], None]) -> float:
    """CPU seconds of this process for the work; what earlier work left behind is collected before."""
    gc.collect()
    start = time.process_time()
    work()
    return time.process_time() - start


def child_cpu(work: Callable[[], None]) -> float:
    """CPU seconds of the processes that the work starts and waits for."""
    start = _children()
    work()
    return _children() - start


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def interleaved(
    cases: Mapping[str, Callable[[], None]],
    *,
    rounds: int,
    cpu: Callable[[Callable[[], None]], float] = own_cpu,
) -> dict[str, list[float]]:
    """CPU seconds of every case, round by round (A B C A B C), so that a slow moment hits all alike."""
    seconds: dict[str, list[float]] = {name: [] for name in cases}
    for _ in range(rounds):
        for name, work in cases.items():
            seconds[name].append(cpu(work))
    return seconds


def ratio(seconds: list[float], bound: list[float]) -> float:
    """The median of the ratios, each within its round."""
    return statistics.median(a / b for a, b in zip(seconds, bound, strict=True))
