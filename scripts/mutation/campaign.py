"""Runs tests against mutants: which test reaches which mutant, then each mutant with the tests that reach it."""
import concurrent.futures
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time

GIB = 1 << 30
ENVIRONMENT = {'HOPWAVE_TEST_GRAPHS': '8', 'HOPWAVE_TEST_SHAPES': '20', 'GTEST_BRIEF': '1', 'GTEST_FAIL_FAST': '1',
               'ASAN_OPTIONS': 'detect_leaks=0:hard_rss_limit_mb=8192:allocator_may_return_null=1'}
LONGEST_FILTER = 60_000  # characters of one environment variable


class Place:
    """Where one worker's tests write."""
    numbers = iter(range(1 << 30))
    local = threading.local()

    @classmethod
    def of_thread(cls, build):
        if not hasattr(cls.local, 'path'):
            cls.local.path = os.path.join(build, 'tmp', str(next(cls.numbers)))
        shutil.rmtree(cls.local.path, ignore_errors=True)
        os.makedirs(cls.local.path)
        return cls.local.path


def run_program(build, program, tests, mutant, cpu_seconds, wall_seconds, marks=None, address=False):
    """'passed', 'failed' or 'time-out', and the seconds of processor time."""
    def limits():
        resource.setrlimit(resource.RLIMIT_CPU, (int(cpu_seconds) + 1, int(cpu_seconds) + 2))
        if not address:  # AddressSanitizer takes terabytes of addresses
            resource.setrlimit(resource.RLIMIT_AS, (16 * GIB, 16 * GIB))
        resource.setrlimit(resource.RLIMIT_FSIZE, (GIB, GIB))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    environment = dict(os.environ, **ENVIRONMENT, HOPWAVE_MUTANT=str(mutant), TMPDIR=Place.of_thread(build))
    if tests is not None:
        environment['GTEST_FILTER'] = ':'.join(tests)
    if marks:
        environment['HOPWAVE_MUTANT_REACHED'] = marks
    child = subprocess.Popen([os.path.join(build, 'build', 'tests', program)], env=environment, stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, preexec_fn=limits, start_new_session=True,
                             cwd=os.path.join(build, 'tmp'))
    timer = threading.Timer(wall_seconds, lambda: os.killpg(child.pid, signal.SIGKILL))
    timer.start()
    _, status, used = os.wait4(child.pid, 0)
    late = not timer.is_alive()
    timer.cancel()
    child.returncode = 0
    try:
        os.killpg(child.pid, signal.SIGKILL)  # what it started and left behind
    except ProcessLookupError:
        pass
    seconds = used.ru_utime + used.ru_stime
    if late or (os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGXCPU,)) or \
            (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL and seconds > cpu_seconds):
        return 'time-out', seconds
    return ('passed' if status == 0 else 'failed'), seconds


def tests_of(build, program, wanted):
    listed = subprocess.run([os.path.join(build, 'build', 'tests', program), '--gtest_list_tests', '--gtest_filter=' + wanted], capture_output=True, text=True,
                            check=True, env=dict(os.environ, **ENVIRONMENT))
    names, suite = [], ''
    for line in listed.stdout.splitlines():
        name = line.split('#')[0].rstrip()
        if re.match(r'\S+\.$', name):
            suite = name
        elif name.startswith('  '):
            names.append(suite + name.strip())
    return [n for n in names if 'DISABLED_' not in n]


def reach(build, programs, args):
    """{(program, test): (seconds, mutants that it reaches)}, from one run of each test; and those that fail without a mutant.
    `programs`: {program: GoogleTest's filter}."""
    def one(job):
        number, program, test = job
        marks = os.path.join(build, 'tmp', f'marks-{number}')
        left = args.deadline - time.time()
        if left <= 0:
            return program, test, 'out of time', 0, set()
        what, seconds = run_program(build, program, [test], -1, 60, min(180, left), marks, args.address)
        reached = set()
        if os.path.exists(marks):
            with open(marks, 'rb') as file:
                reached = {i for i, mark in enumerate(file.read()) if mark}
            os.remove(marks)
        return program, test, what, seconds, reached

    work = [(program, test) for program, wanted in programs.items() for test in tests_of(build, program, wanted)]
    found, left_out = {}, []
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for program, test, what, seconds, reached in pool.map(one, [(i, *w) for i, w in enumerate(work)]):
            if what == 'passed':
                found[program, test] = (seconds, reached)
            else:
                left_out.append(f'{program} {test}: {what}')
                print(f'{program} {test}: {what} without a mutant; left out', flush=True)
    return found, left_out


def without_start(found):
    """What a test adds to a run of its program: starting the program is paid once, by whichever test comes first."""
    start = {}
    for (program, _), (seconds, _) in found.items():
        start[program] = min(start.get(program, seconds), seconds)
    return {(program, test): (seconds, seconds - start[program], reached)
            for (program, test), (seconds, reached) in found.items()}


def plan(mutant, found, budget):
    """The tests that reach a mutant, cheapest first until the budget is used: [(program, tests, seconds)], cheapest first."""
    tests = sorted((added, seconds, program, test) for (program, test), (seconds, added, reached) in found.items()
                   if mutant.number in reached)
    chosen, used = {}, 0.0
    for added, seconds, program, test in tests:
        if used + added > budget and chosen:
            break
        used += added
        chosen.setdefault(program, []).append((seconds, test))
    runs = []
    for program, of in chosen.items():
        part, length, sum_seconds = [], 0, 0.0
        for seconds, test in of:
            if length + len(test) > LONGEST_FILTER:
                runs.append((program, part, sum_seconds))
                part, length, sum_seconds = [], 0, 0.0
            part.append(test)
            length += len(test) + 1
            sum_seconds += seconds
        runs.append((program, part, sum_seconds))
    return sorted(runs, key=lambda r: r[2])


def judge(build, mutant, found, args):
    """What became of a mutant; None: the time of the whole run was over before that was known."""
    if time.time() >= args.deadline:  # before anything else, or those that no test reaches would be counted for longer
        return None
    runs = plan(mutant, found, args.budget)
    if not runs:
        return 'not reached'
    for program, tests, seconds in runs:
        left = args.deadline - time.time()
        if left <= 0:
            return None
        what, _ = run_program(build, program, tests, mutant.number, 4 * seconds + 3, min(12 * seconds + 30, left),
                              address=args.address)
        if what == 'time-out' and time.time() >= args.deadline:
            return None
        if what != 'passed':
            return 'killed' if what == 'failed' else what
    return 'survived'


def run(build, programs, mutants, known, args, progress):
    """Judges every mutant. progress(outcomes by key, tests left out) is called every 20 seconds and at the end, however it comes."""
    os.nice(15)
    shutil.rmtree(os.path.join(build, 'tmp'), ignore_errors=True)
    os.makedirs(os.path.join(build, 'tmp'))
    began = time.time()
    found, left_out = reach(build, programs, args)
    print(f'{len(found)} tests, {sum(s for s, _ in found.values()):.0f} s of processor time, {time.time() - began:.0f} s', flush=True)
    found = without_start(found)
    outcomes = {m.key: known[m.key] for m in mutants if m.key in known}
    todo = [m for m in mutants if m.key not in outcomes]
    reported = time.time()
    pool = concurrent.futures.ThreadPoolExecutor(args.jobs)
    futures = {pool.submit(judge, build, m, found, args): m for m in todo}
    try:
        for done, future in enumerate(concurrent.futures.as_completed(futures), 1):
            m = futures[future]
            if future.result() is None:
                continue
            outcomes[m.key] = future.result()
            if outcomes[m.key] in ('survived', 'not reached'):
                print(f'{outcomes[m.key]}: {m.file}:{m.line} {m.kind}: {m.change}', flush=True)
            if time.time() - reported > 20:
                reported = time.time()
                progress(outcomes, left_out)
                print(f'{done} of {len(todo)}, {time.time() - began:.0f} s', file=sys.stderr, flush=True)
    finally:
        pool.shutdown(cancel_futures=True)
        progress(outcomes, left_out)
