// Compiled, never run: what a TypeScript program may and may not write.
import { MemoraxError, open, type ErrorCode, type Memory, type MemoryKind, type Outcome, type Recall } from 'memorax-code'

export async function surface(): Promise<void> {
  await using memory = await open('.', { home: '/tmp/home', actor: 'tester', session: 'one' })

  const recall: Recall = await memory.recall('which storage engine?', { budget: 800, kinds: ['decision'], files: 0 })
  const text: string = recall.text + (await memory.brief({ budget: 1500 }))
  const first: Memory | undefined = recall.hits[0]?.memory
  const kind: MemoryKind = first?.kind ?? 'fact'
  const created: Date | undefined = first?.created

  const { id } = await memory.remember(text, { kind, tags: ['a'], everywhere: true, path: 'src' })
  const outcome: Outcome = await memory.edit(id, { addTags: ['b'], archived: false })
  await memory.feedback(id, 'helpful', { note: outcome })
  const listed: Memory[] = await memory.list({ allLines: true, statuses: ['archived'], limit: listedLimit(created) })
  const denied: boolean = (await memory.check(listed[0]?.text ?? '')).denies
  const shown = await memory.show(id)
  if (denied && shown.deleted) await memory.forget(id)
  await memory.init()

  // @ts-expect-error a kind is needed
  await memory.remember('text')
  // @ts-expect-error there is no such kind
  await memory.remember('text', { kind: 'opinion' })
  // @ts-expect-error there is no such option
  await memory.recall('text', { limit: 3 })
  // @ts-expect-error data is frozen in the types
  shown.memory.text = 'other'

  try {
    await memory.show('nothing')
  } catch (error) {
    if (error instanceof MemoraxError) {
      const code: ErrorCode = error.code
      const hint: string | undefined = error.hint
      throw new Error(`${code} ${hint}`)
    }
  }
}

function listedLimit(created: Date | undefined): number {
  return created ? 1 : 2
}
