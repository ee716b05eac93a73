"""Hard input: mutated real inputs for every door, in child processes, so that a crash or a hang is found too.

    python tests/hard_input.py --count 2000             every door; exit code 1 if one fails
    python tests/hard_input.py --count 100000 --report  the same, and write the result to docs/reliability.md
    python tests/hard_input.py --door json --case 4711  run one case in this process, and show its input

Only errors of aiplay (and those that a door documents) may refuse an input, and an accepted one has to be usable. A
case depends on nothing but the door, the seed and its number.
"""

import argparse
import re
import sys
from concurrent.futures import ThreadPoolExecutor

from reliability.children import PATIENCE, run_case, run_cases, run_door, stream_of
from reliability.doors import all_doors
from reliability.report import machine, read_section, write_section


def parsed(arguments):
    """Return the options of the command."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=2000, help="cases of each door")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--door", action="append", choices=list(all_doors()), help="only these doors")
    parser.add_argument("--jobs", type=int, default=1, help="doors at once")
    parser.add_argument("--case", type=int, help="run only this case, here")
    parser.add_argument(
        "--patience", type=float, default=PATIENCE, help="seconds after which a case is a hang"
    )
    parser.add_argument("--report", action="store_true", help="write the result to docs/reliability.md")
    for hidden in ("--child", "--counter"):
        parser.add_argument(hidden, help=argparse.SUPPRESS)
    parser.add_argument("--first", type=int, default=0, help=argparse.SUPPRESS)
    return parser.parse_args(arguments)


def show_case(name, seed, number):
    """Run one case in this process, and print its input and outcome; return 1 if it failed."""
    door = all_doors()[name]()
    print(f"input: {door.make(stream_of(seed, name, number))!r}", flush=True)
    outcome = run_case(door, seed, number)
    door.close()
    print(outcome)
    return int(outcome.startswith("FAILED"))


def main(arguments=None):
    """Run the command; return its exit code."""
    given = parsed(arguments)
    names = given.door or list(all_doors())
    if given.child:
        run_cases(given.child, given.seed, given.first, given.count, given.counter)
        return 0
    if given.case is not None:
        return max(show_case(name, given.seed, given.case) for name in names)
    results = run_doors(names, given)
    if given.report:
        write_section("hard input", report(results, given))
    return int(any(result["failures"] for result in results.values()))


def run_doors(names, given):
    """Run doors, some of them at once, and print the result of each."""

    def run(name):
        result = run_door(name, given.seed, given.count, given.patience)
        show(name, given.seed, result)
        return result

    with ThreadPoolExecutor(given.jobs) as pool:
        return dict(zip(names, pool.map(run, names), strict=True))


def show(name, seed, result):
    """Print the result of a door."""
    outcomes = ", ".join(f"{count} {outcome}" for outcome, count in sorted(result["outcomes"].items()))
    print(f"{name}: {outcomes}; {result['peak']} MB, {result['seconds']:.0f} s", flush=True)
    for number, outcome in result["failures"]:
        print(
            f"python tests/hard_input.py --seed {seed} --door {name} --case {number}\n{outcome}\n", flush=True
        )


def report(results, given):
    """Return the section of docs/reliability.md; doors that were not run now keep their rows."""
    rows = rows_of(read_section("hard input")) | {name: row(name, result) for name, result in results.items()}
    command = f"python tests/hard_input.py --count {given.count} --seed {given.seed} --report"
    return "\n".join(
        [
            f"Last run: `{command}`, {machine()}.",
            "",
            "| door | inputs | accepted and usable | other errors, crashes, hangs | memory | time |",
            "| --- | ---: | ---: | ---: | ---: | ---: |",
            *(rows[name] for name in all_doors() if name in rows),
        ]
    )


def row(name, result):
    """Return the row of a door."""
    outcomes = result["outcomes"]
    numbers = f"{sum(outcomes.values()):,} | {outcomes.get('accepted', 0):,} | {len(result['failures'])}"
    about = all_doors()[name].about
    return f"| `{name}`: {about} | {numbers} | {result['peak']} MB | {result['seconds']:.0f} s |"


def rows_of(section):
    """Return the rows of a section by the names of their doors."""
    return {match[1]: match[0] for match in re.finditer(r"^\| `(\w+)`: .*$", section, re.MULTILINE)}


if __name__ == "__main__":
    sys.exit(main())
