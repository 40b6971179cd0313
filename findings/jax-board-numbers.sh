#!/usr/bin/env bash
# Tool: jax 0.10.2 (Python).
# Behaviour: `jnp.asarray` keeps the lower 32 bits of an array of 64-bit numbers, without a warning. The same numbers in a list are an
#   error. With `jax_enable_x64`, all bits are kept.
# Guess: a warning that the numbers are cut.
# Output: uint32 [5, 1025], 0 warnings
# Who meets it: users who pass board numbers of a table to games in JAX, such as those of pgx.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet jax==0.10.2 jaxlib==0.10.2 numpy==2.4.6
"$folder/venv/bin/python" - <<'PYTHON'
import warnings

import jax
import jax.numpy as jnp
import numpy

boards = numpy.array([5, 2**63 + 1025], dtype="uint64")
with warnings.catch_warnings(record=True) as seen:
    warnings.simplefilter("always")
    cut = jnp.asarray(boards)
print(f"{cut.dtype} {cut.tolist()}, {len(seen)} warnings")
assert (str(cut.dtype), cut.tolist(), len(seen)) == ("uint32", [5, 1025], 0), "the behaviour has changed"
try:
    jnp.asarray(boards.tolist())
    raise AssertionError("the behaviour has changed: a list is read")
except OverflowError:
    pass
jax.config.update("jax_enable_x64", True)
assert jnp.asarray(boards).tolist() == boards.tolist()
PYTHON
