// Builds the native half with cargo and puts it beside index.js. `--release` for use, without it for the tests.
import { spawnSync } from 'node:child_process'
import { copyFileSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = dirname(fileURLToPath(import.meta.url))
const cargo = spawnSync(
  process.env.CARGO ?? 'cargo',
  ['build', '--locked', '--package', 'memorax-node', '--message-format', 'json-render-diagnostics', ...process.argv.slice(2)],
  { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 1 << 28 },
)
if (cargo.error) throw cargo.error
if (cargo.status !== 0) process.exit(cargo.status ?? 1)

const library = cargo.stdout
  .split('\n')
  .filter((line) => line.startsWith('{'))
  .map((line) => JSON.parse(line))
  .filter((message) => message.reason === 'compiler-artifact' && message.target.name === 'memorax_node')
  .flatMap((message) => message.filenames)
  .find((file) => /\.(so|dylib|dll)$/.test(file))
if (!library) throw new Error('cargo named no library of memorax-node')

// A running program keeps the file that it has loaded: the new one is put in its place, never written into it.
const fresh = join(folder, `memorax.${process.pid}.node`)
copyFileSync(library, fresh)
renameSync(fresh, join(folder, 'memorax.node'))
