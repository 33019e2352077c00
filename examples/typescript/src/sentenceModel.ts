// Finds memories and files by their meaning, with a sentence model and a graph of vectors, in a store on disk.
// MEMORAX_MODEL_DIR names the model, which `cargo xtask model` fetches.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { open } from 'memorax-code'

const model = process.env.MEMORAX_MODEL_DIR
if (model === undefined) {
  console.log('skipped: MEMORAX_MODEL_DIR names no model; `cargo xtask model` fetches one')
} else {
  const folder = mkdtempSync(join(tmpdir(), 'memorax-example-'))
  writeFileSync(join(folder, 'login.js'), 'export const verify = (password, digest) => argon2.verify(digest, password)\n')
  // Graphs pay from 100,000 memories on; here they have to show that they work.
  const options = { home: join(folder, 'home'), embedder: `onnx:${model}`, hnswThreshold: 2 }
  const memory = await open(folder, options)
  await memory.remember('Passwords are hashed with argon2 before they are kept.', { kind: 'convention' })
  await memory.remember('The nightly job removes sessions older than a week.', { kind: 'fact' })
  await memory.init() // Makes the vectors of the files, and the graph.
  const { text } = await memory.recall('how do we store user credentials safely?', { budget: 400 })
  console.log(text)
  assert.match(text, /argon2/, 'it shares no word with the question')
  await memory.close()
  rmSync(folder, { recursive: true, force: true })
}
