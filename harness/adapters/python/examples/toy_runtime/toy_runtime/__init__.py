"""A small runtime of the tool contract, wrong in a few places on purpose; see the README."""
