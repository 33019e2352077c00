// What is remembered comes back, typed and with its origin; errors carry a code.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'

import { MemoraxError, open } from '../index.mjs'

const DECISION = 'We chose redb as the storage engine: one file, crash safe.'
let folder, home, repository, memory

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'memorax-node-'))
  home = join(folder, 'home')
  repository = join(folder, 'repository')
  mkdirSync(repository)
  writeFileSync(join(repository, 'store.js'), 'export function commitBatch(rows) {\n  return rows.length\n}\n')
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'commit.gpgsign=false']
  for (const step of [['init', '--quiet'], ['add', '.'], [...identity, 'commit', '--quiet', '-m', 'Add the store']]) {
    execFileSync('git', step, { cwd: repository })
  }
  memory = await open(repository, { home, actor: 'tester', session: 'session-1' })
})

afterEach(async () => {
  await memory.close()
  rmSync(folder, { recursive: true, force: true })
})

test('a decision comes back with its origin', async () => {
  const written = await memory.remember(DECISION, { kind: 'decision', tags: ['storage'] })
  assert.equal(written.outcome, 'created')
  const shown = await memory.show(written.id)
  assert.deepEqual([shown.deleted, shown.waiting], [false, false])
  const { id, kind, text, tags, status, trust, everywhere, path, actor, session, commit, created } = shown.memory
  assert.deepEqual([id, kind, text, tags], [written.id, 'decision', DECISION, ['storage']])
  assert.deepEqual([status, trust, everywhere, path], ['active', 'agent', false, undefined])
  assert.deepEqual([actor, session, commit.length], ['tester', 'session-1', 40])
  assert.ok(created instanceof Date && Math.abs(Date.now() - created.getTime()) < 300_000)
})

test('a recall stays within its budget and says why', async () => {
  await memory.remember(DECISION, { kind: 'decision' })
  const recall = await memory.recall('which storage engine do we use?', { budget: 300 })
  assert.match(recall.text, /redb/)
  assert.ok(recall.tokens > 0 && recall.tokens <= 300)
  assert.deepEqual(recall.hits.map((hit) => hit.memory.text), [DECISION])
  assert.ok(recall.hits[0].why.length > 0, 'every hit says why')
})

test('nothing comes back where nothing fits', async () => {
  await memory.remember(DECISION, { kind: 'decision' })
  const recall = await memory.recall('paint the bicycle shed green', { files: 0 })
  assert.deepEqual([recall.text, recall.hits], ['', []])
})

test('a rejected proposal is recognised', async () => {
  await memory.remember('Rejected: move the store to SQLite. It needs a C compiler.', { kind: 'rejection' })
  assert.equal((await memory.check('let us move the store to SQLite')).denies, true)
  assert.deepEqual((await memory.check('add a test for the parser')).rejections, [])
})

test('init finds the files and the brief is the same twice', async () => {
  const found = await memory.init()
  assert.equal(found.view.files, 1)
  await memory.remember(DECISION, { kind: 'decision' })
  const brief = await memory.brief({ budget: 1500 })
  assert.match(brief, /redb/)
  assert.equal(brief, await memory.brief({ budget: 1500 }))
})

test('edit, feedback and forget change what is listed', async () => {
  const { id: first } = await memory.remember(DECISION, { kind: 'decision' })
  const { id: second } = await memory.remember('Run the tests with cargo xtask test.', { kind: 'command' })
  assert.deepEqual((await memory.list()).map((found) => found.id), [second, first])
  assert.deepEqual((await memory.list({ kinds: ['command'] })).map((found) => found.id), [second])

  assert.equal(await memory.edit(first, { text: 'We chose redb 4.6.', addTags: ['engine'] }), 'changed')
  const edited = (await memory.show(first)).memory
  assert.deepEqual([edited.text, edited.tags], ['We chose redb 4.6.', ['engine']])
  assert.equal(await memory.edit(first, { archived: true }), 'changed')
  assert.deepEqual((await memory.list({ statuses: ['archived'] })).map((found) => found.id), [first])
  assert.equal(await memory.feedback(second, 'helpful', { note: 'saved a search' }), 'changed')
  assert.equal(await memory.forget(second), 'changed')
  assert.deepEqual(await memory.list(), [])
  assert.equal((await memory.show(second)).deleted, true)
})

test('calls at the same time all arrive', async () => {
  const texts = Array.from({ length: 20 }, (_, number) => `Service ${number} listens on port ${4000 + number}.`)
  await Promise.all(texts.map((text) => memory.remember(text, { kind: 'fact' })))
  const listed = (await memory.list()).map((found) => found.text)
  assert.deepEqual(listed.sort(), texts.sort())
})

test('errors carry a code, and a hint where there is one', async () => {
  const refused = async (call, code, message) =>
    assert.rejects(call, (error) => {
      assert.ok(error instanceof MemoraxError, String(error))
      assert.equal(error.code, code)
      assert.match(error.message, message)
      return true
    })
  await refused(memory.show('0190a0a0-0000-7000-8000-000000000000'), 'not_found', /0190a0a0/)
  await refused(memory.remember('Tabs are better.', { kind: 'opinion' }), 'invalid_input', /no kind `opinion`; known: decision/)
  await refused(memory.remember('  ', { kind: 'fact' }), 'invalid_input', /./)
  await refused(memory.recall(3), 'invalid_input', /String/)
  await refused(memory.remember('text'), 'invalid_input', /./)
  assert.deepEqual(await memory.list(), [])
})

test('a closed handle says so, and closing twice is fine', async () => {
  await memory.close()
  await memory.close()
  await assert.rejects(memory.list(), { code: 'invalid_input', message: /is closed/ })
})

test('require gives the same package as import', () => {
  const required = createRequire(import.meta.url)('../index.js')
  assert.equal(required.MemoraxError, MemoraxError)
  assert.equal(required.open, open)
})

test('history of an unknown place is an error', async () => {
  await memory.init()
  await assert.rejects(memory.history('nowhere.js', { limit: 3 }), { code: 'not_found' })
  const milestones = await memory.milestones({ limit: 3 })
  assert.deepEqual(milestones.map((milestone) => milestone.what), ['the first commit'])
})

test('status is plain data', async () => {
  await memory.remember(DECISION, { kind: 'decision' })
  const status = await memory.status()
  assert.equal(status.stores[0].in_force, 1)
})
