"""The names that NetworkX looks for: conversion, rules and functions."""

from .answering import FOUND
from .converted import convert_from_nx, convert_to_nx
from .rules import can_run, should_run

__all__ = ["can_run", "convert_from_nx", "convert_to_nx", "should_run", *FOUND]
globals().update(FOUND)
