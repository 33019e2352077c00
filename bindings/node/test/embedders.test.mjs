// The embedder is an option; what cannot be had is an error that says the next step.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'

import { open } from '../index.mjs'

const model = process.env.MEMORAX_MODEL_DIR
let folder, home, repository

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'memorax-node-'))
  home = join(folder, 'home')
  repository = join(folder, 'repository')
  mkdirSync(repository)
  writeFileSync(join(repository, 'login.js'), 'export const verify = (password, digest) => argon2.verify(digest, password)\n')
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('without an embedder memories are found by words', async () => {
  const memory = await open(repository, { home, embedder: 'none' })
  await memory.remember('We chose redb as the storage engine.', { kind: 'decision' })
  assert.equal((await memory.status()).embedder, 'none')
  assert.match((await memory.recall('which storage engine do we use?')).text, /redb/)
  await memory.close()
})

test('an unknown embedder is refused', async () => {
  await assert.rejects(open(repository, { home, embedder: 'bert' }), (error) => {
    assert.equal(error.code, 'invalid_input')
    assert.match(error.hint, /onnx:FOLDER/)
    return true
  })
})

test('a model and a graph find other words', { skip: model ? false : 'MEMORAX_MODEL_DIR names no model' }, async () => {
  const memory = await open(repository, { home, embedder: `onnx:${model}`, hnswThreshold: 2 })
  await memory.remember('Passwords are hashed with argon2 before they are kept.', { kind: 'convention' })
  await memory.remember('The nightly job removes sessions older than a week.', { kind: 'fact' })
  await memory.remember('Prices are integers of the smallest coin.', { kind: 'convention' })
  await memory.init()
  assert.match((await memory.status()).embedder, /^onnx-rten\/384\//)
  const { hits } = await memory.recall('how do we store user credentials safely?')
  assert.match(hits[0].memory.text, /argon2/)
  await memory.close()
})
