"""Puts the toy under the suite."""

from mantle_conformance import serve

from .adapter import ToyAdapter

serve(ToyAdapter())
