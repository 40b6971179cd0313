#!/usr/bin/env bash
# Tool: numpy-parser 1.2.3 (npm), a reader of npy files for JavaScript.
# Behaviour: an array of one axis has the shape [n, 1]; an array of two axes has its own shape. Booleans end in a ReferenceError.
# Guess: the shape in the file; booleans as bytes.
# Output: uint8 of shape [3]: 3,1; of shape [2, 3]: 2,3; bool of shape [3]: ReferenceError
# Who meets it: users who load one row of labels into a page and index it by the shape.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-fund --no-audit numpy-parser@1.2.3 > /dev/null
cat > read.mjs <<'JAVASCRIPT'
import assert from "node:assert";
import { fromArrayBuffer } from "numpy-parser";

// A file of version 1.0 with the type, the shape and the bytes of the array.
function npy(type, shape, bytes) {
  const text = `{'descr': '${type}', 'fortran_order': False, 'shape': ${shape}, }`.padEnd(117) + "\n";
  const head = Uint8Array.from([0x93, ...Buffer.from("NUMPY"), 1, 0, text.length, 0, ...Buffer.from(text)]);
  return Uint8Array.from([...head, ...bytes]).buffer;
}

function shape(file) {
  try {
    return fromArrayBuffer(file).shape.join(",");
  } catch (error) {
    return error.name;
  }
}

const seen = [
  shape(npy("|u1", "(3,)", [1, 2, 3])),
  shape(npy("|u1", "(2, 3)", [1, 2, 3, 4, 5, 6])),
  shape(npy("|b1", "(3,)", [1, 0, 1])),
];
console.log(`uint8 of shape [3]: ${seen[0]}; of shape [2, 3]: ${seen[1]}; bool of shape [3]: ${seen[2]}`);
assert.deepEqual(seen, ["3,1", "2,3", "ReferenceError"]);
JAVASCRIPT
node read.mjs
