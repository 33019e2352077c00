/** Long-term memory for coding agents: what was decided, rejected and learned in a repository. */

export type MemoryKind =
  | 'decision'
  | 'preference'
  | 'convention'
  | 'rejection'
  | 'failure'
  | 'command'
  | 'fact'
  | 'progress'
  | 'skill'
export type Status = 'active' | 'pending' | 'superseded' | 'invalid' | 'archived'
export type Trust = 'user' | 'agent' | 'tool' | 'external' | 'imported'
export type Freshness = 'unanchored' | 'fresh' | 'moved' | 'changed' | 'gone'
export type Verdict = 'helpful' | 'harmful'
/** What became of a write; `queued` is safe on disk and applied by the next writer. */
export type Outcome = 'created' | 'joined' | 'changed' | 'unchanged' | 'queued' | 'refused'
export type Source =
  | 'words'
  | 'entity'
  | 'code'
  | 'path'
  | 'history'
  | 'cochange'
  | 'recency'
  | 'scope'
  | 'usage'
  | 'meaning'
export type ErrorCode =
  | 'not_found'
  | 'invalid_input'
  | 'conflict'
  | 'locked'
  | 'read_only'
  | 'unauthorized'
  | 'corrupted'
  | 'incompatible'
  | 'full'
  | 'interrupted'
  | 'io'
  | 'panic'

/** The one error of the package: act on `code`, show `message`, offer `hint`. */
export class MemoraxError extends Error {
  private constructor()
  readonly code: ErrorCode
  readonly hint: string | undefined
}

/** One thing worth knowing, with where it holds and who wrote it. */
export interface Memory {
  readonly id: string
  readonly kind: MemoryKind
  readonly title: string
  readonly text: string
  readonly status: Status
  readonly trust: Trust
  /** File or folder below which it holds. */
  readonly path?: string
  /** Whether it holds in every repository of the user. */
  readonly everywhere: boolean
  readonly tags: string[]
  /** Texts written at the same time elsewhere that lost against `text`. */
  readonly conflicts: string[]
  readonly actor: string
  readonly session?: string
  readonly commit?: string
  readonly created: Date
  readonly updated: Date
  readonly expires?: Date
}

/** One reason for a hit; scores are comparable within one recall only. */
export interface Signal {
  readonly source: Source
  readonly score: number
  readonly detail: string
}

/** What became of a path or a definition that a memory cites. */
export interface Citation {
  readonly path: string
  /** The definition, where one is cited. */
  readonly symbol?: string
  readonly freshness: Freshness
  /** The path at which it is now, if that is another one. */
  readonly now?: string
}

/** A memory that fits. */
export interface Hit {
  readonly memory: Memory
  readonly score: number
  readonly freshness: Freshness
  /** What it cites that is not as it was. */
  readonly citations: Citation[]
  readonly why: Signal[]
}

/** A file that fits. */
export interface FileHit {
  readonly path: string
  readonly score: number
  readonly symbols: string[]
  readonly why: Signal[]
}

/** A past commit that did or said something of the kind. */
export interface PastCommit {
  readonly id: string
  readonly subject: string
  readonly at: Date
  readonly score: number
  readonly why: Signal[]
}

/** A command that the repository itself states for what is asked. */
export interface StatedCommand {
  readonly command: string
  /** `build`, `test`, `lint`, `format` or `run`. */
  readonly purpose: string
  /** The file that states it. */
  readonly source: string
}

/** The answer to a query; `text` is what an agent reads, empty when nothing fits. */
export interface Recall {
  readonly id: string
  readonly text: string
  readonly tokens: number
  readonly hits: Hit[]
  readonly files: FileHit[]
  readonly commands: StatedCommand[]
  readonly commits: PastCommit[]
  /** Whether nothing fits, so that nothing is said. */
  readonly abstained: boolean
  /** How likely the answer helps, 0 to 1; of a silent answer, what was held back. */
  readonly confidence: number
  readonly dropped: number
  readonly commit?: string
  readonly notes: string[]
}

/** A rejection that a proposal repeats. */
export interface RejectionHit {
  readonly memory: Memory
  readonly confidence: number
  readonly denies: boolean
  readonly freshness: Freshness
  readonly evidence: string[]
}

/** The answer to "was this turned down before?". */
export interface Check {
  readonly id: string
  readonly denies: boolean
  readonly rejections: RejectionHit[]
}

/** A memory with what is known about it now. */
export interface Shown {
  readonly memory: Memory
  /** Whether it was forgotten. */
  readonly deleted: boolean
  /** Whether it waits for the next writer. */
  readonly waiting: boolean
  readonly freshness: Freshness
  /** What it cites that is not as it was. */
  readonly citations: Citation[]
}

/** What became of something that was remembered. */
export interface Remembered {
  readonly id: string
  readonly outcome: Outcome
}

export interface OpenOptions {
  /** Folder of everything that is remembered; default: `MEMORAX_HOME`, else the platform's data directory. */
  home?: string
  /** Name of the agent that writes; default: found in the environment. */
  actor?: string
  /** The agent's session. */
  session?: string
  /**
   * What finds near meanings: `static` (the default: a table inside the package), `none`, or `onnx:FOLDER` (a sentence
   * model: a folder with `model.onnx` and `tokenizer.json`).
   */
  embedder?: string
  /** From how many memories on their vectors are searched by graphs; default: 100,000. */
  hnswThreshold?: number
}

/** What indexing found, as plain data. */
export interface Init {
  readonly identity: Record<string, unknown>
  readonly view: { readonly files: number; readonly commits: number; readonly symbols: number; readonly [fact: string]: unknown }
  /** What was found out about branches, one sentence each. */
  readonly branches: string[]
}

export interface BriefOptions {
  /** Most tokens; default 1500. */
  budget?: number
}

export interface RecallOptions {
  /** Most tokens; default 800. */
  budget?: number
  /** Most memories. */
  memories?: number
  /** Most files; 0 asks for memories only. */
  files?: number
  /** Only these kinds. */
  kinds?: MemoryKind[]
  /** File or folder that is being worked on, relative to the repository's root. */
  path?: string
}

export interface RememberOptions {
  kind: MemoryKind
  title?: string
  /** File or folder below which it holds, relative to the repository's root. */
  path?: string
  tags?: string[]
  /** Whether it holds in every repository of the user. */
  everywhere?: boolean
}

export interface ListOptions {
  kinds?: MemoryKind[]
  /** Only these states; default: active and pending. */
  statuses?: Status[]
  tag?: string
  /** Only what holds for or cites this path. */
  path?: string
  /** Only with these words in title or text. */
  text?: string
  /** Also what other branches know. */
  allLines?: boolean
  /** Also what was forgotten. */
  deleted?: boolean
  /** At most this many. */
  limit?: number
}

/** Fields of a memory; what is left out stays as it is. */
export interface EditOptions {
  text?: string
  title?: string
  kind?: MemoryKind
  addTags?: string[]
  removeTags?: string[]
  /** `true` keeps it without recalling it, `false` puts it in force again. */
  archived?: boolean
}

export interface HistoryOptions {
  /** At most this many commits. */
  limit?: number
}

export interface MilestonesOptions {
  /** At most this many. */
  limit?: number
}

export interface FeedbackOptions {
  note?: string
}

/** Opens the memory of the repository that `path` lies in; default: the current folder. */
export function open(path?: string, options?: OpenOptions): Promise<Memorax>

/** The memory of one repository, and of the user everywhere. */
export class Memorax {
  private constructor()
  /** Indexes the repository and its history; a second call with nothing changed reads almost nothing. */
  init(): Promise<Init>
  /** Returns what a new colleague needs to know, within the budget. */
  brief(options?: BriefOptions): Promise<string>
  /** Returns the few memories and files that matter for a task. */
  recall(text: string, options?: RecallOptions): Promise<Recall>
  /** Writes down a text. */
  remember(text: string, options: RememberOptions): Promise<Remembered>
  /** Says whether a proposal was turned down before, and why. */
  check(text: string): Promise<Check>
  /** Lists memories, newest first. */
  list(options?: ListOptions): Promise<Memory[]>
  /** Returns one memory by its id or the first characters of it. */
  show(id: string): Promise<Shown>
  /** EditOptions the given fields of a memory. */
  edit(id: string, changes: EditOptions): Promise<Outcome>
  /** Deletes a memory; it stays in the log and can be restored. */
  forget(id: string): Promise<Outcome>
  /** Says whether a memory helped. */
  feedback(id: string, verdict: Verdict, options?: FeedbackOptions): Promise<Outcome>
  /** Tells the story of a file, a folder or a definition, also of a file that is gone, as plain data. */
  history(place: string, options?: HistoryOptions): Promise<Record<string, unknown>>
  /** Returns the turns in the life of the repository that matter most, newest first, as plain data. */
  milestones(options?: MilestonesOptions): Promise<Record<string, unknown>[]>
  /** Returns what is known about the repository, the store and what is wrong, as plain data. */
  status(): Promise<Record<string, unknown>>
  /** Ends the use of the handle; every call after it is rejected with `invalid_input`. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}
