"""What NetworkX finds here by name: conversion, rules and functions."""

from .converted import convert_from_nx, convert_to_nx
from .functions import (
    average_shortest_path_length,
    center,
    closeness_centrality,
    diameter,
    eccentricity,
    is_connected,
    is_weakly_connected,
    number_connected_components,
    number_weakly_connected_components,
    periphery,
    radius,
    wiener_index,
)
from .rules import can_run, should_run

__all__ = [
    "average_shortest_path_length",
    "can_run",
    "center",
    "closeness_centrality",
    "convert_from_nx",
    "convert_to_nx",
    "diameter",
    "eccentricity",
    "is_connected",
    "is_weakly_connected",
    "number_connected_components",
    "number_weakly_connected_components",
    "periphery",
    "radius",
    "should_run",
    "wiener_index",
]
