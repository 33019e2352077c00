// What a harness does around one run of an agent: brief it, guard its proposals, keep what it learned.
// `agent` stands for your own: it gets a prompt, proposes, and says what it found out.
// Set MEMORAX_HOME to an empty folder to keep your own memory out of it.
import assert from 'node:assert/strict'
import { open } from 'memorax-code'

const task = 'Make the importer of invoices faster.'

async function agent(prompt: string): Promise<{ proposals: string[]; learned: string }> {
  assert.ok(prompt.includes(task))
  return {
    proposals: ['Cache the invoices in Redis.', 'Read the invoices in batches of 500.'],
    learned: 'Reading invoices in batches of 500 made the importer three times faster.',
  }
}

const memory = await open('.', { actor: 'example-harness', session: 'run-1' })
// Last week, somebody said no; the reason stays.
await memory.remember('Rejected: cache invoices in Redis. Nobody wants to run another server.', { kind: 'rejection' })

const recall = await memory.recall(task, { budget: 800 })
const run = await agent((await memory.brief({ budget: 1500 })) + recall.text + task)

const accepted: string[] = []
for (const proposal of run.proposals) {
  const check = await memory.check(proposal)
  if (check.denies) console.log(`not again: ${proposal} (${check.rejections[0]?.memory.text})`)
  else accepted.push(proposal)
}
assert.deepEqual(accepted, ['Read the invoices in batches of 500.'])

await memory.remember(run.learned, { kind: 'fact', tags: ['importer'] })
for (const hit of recall.hits) await memory.feedback(hit.memory.id, 'helpful')
console.log('next time:', (await memory.recall('why is the importer of invoices fast?', { files: 0 })).text)
await memory.close()
