// Remembers a decision about the repository that you stand in, and finds it again by a question.
// Set MEMORAX_HOME to an empty folder to keep your own memory out of it.
import assert from 'node:assert/strict'
import { open } from 'memorax-code'

const memory = await open('.')
await memory.remember('We chose redb as the storage engine: one file, crash safe.', { kind: 'decision' })
const { text } = await memory.recall('which storage engine do we use?', { budget: 800 })
console.log(text)
assert.match(text, /redb/, 'the decision comes back in other words')
await memory.close()
