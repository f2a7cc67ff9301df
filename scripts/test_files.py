#!/usr/bin/env python3
"""Which program a file of tests is in, and GoogleTest's filter for its suites: as tests/CMakeLists.txt reads them.

scripts/test_files.py NAME…   prints one line per file: "bounds_test bfs_engine_tests Bounds.*:*/Bounds.*"
"""
import pathlib
import re
import sys

TESTS = pathlib.Path(__file__).resolve().parent.parent / 'tests'


def names():
    """Of all files of tests: "bounds_test"."""
    return sorted(path.stem for path in TESTS.rglob('*_test.cpp'))


def path_of(name):
    found = sorted(TESTS.rglob(f'{name}.cpp'))
    if len(found) != 1:
        raise SystemExit(f'{len(found)} files of tests are named {name}')
    return found[0]


def program_of(name):
    """tests/bfs/engine/bounds_test.cpp is in bfs_engine_tests."""
    return '_'.join(path_of(name).parent.relative_to(TESTS).parts) + '_tests'


def filter_of(name):
    """GoogleTest's filter for the tests of this file."""
    suites = dict.fromkeys(re.findall(r'^(?:TEST|TEST_F|TEST_P|TYPED_TEST)\((\w+)', path_of(name).read_text(), re.M))
    return ':'.join(f'{suite}.*:*/{suite}.*:{suite}/*' for suite in suites)


if __name__ == '__main__':
    for wanted in sys.argv[1:]:
        print(wanted, program_of(wanted), filter_of(wanted))
