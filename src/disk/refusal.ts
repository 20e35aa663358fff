/** A file or a request that cannot be used: one sentence for the person who typed it. */
export class Refusal extends Error {
  override name = 'Refusal'
}

/** A command that could not do its work; the message is one sentence for the person who typed. */
export class CommandError extends Error {
  /** 1: the command was understood and failed. 2: it was not understood. */
  readonly exitCode: 1 | 2

  constructor(message: string, exitCode: 1 | 2) {
    super(message)
    this.exitCode = exitCode
  }
}

/** Somebody else is at work: the same request may be granted a little later. */
export class Busy extends Refusal {}

/** A source that is what it should be, and says nothing yet. */
export class NoRows extends Refusal {}

/** What a machine may lack: in the words of the engine and the system below it, and in ours. */
const LACKS: readonly [theirs: RegExp, ours: string][] = [
  [/^Out of Memory Error|Cannot allocate memory/, 'there is not enough memory'],
  [/No space left on device/, 'the disk is full'],
  [/Disk quota exceeded/, 'the quota of the disk is used up'],
  [/Input\/output error|Stale file handle/, 'the disk does not read or write'],
  [/Too many open files/, 'too many files are open'],
]

/**
 * For what lack of the machine the engine failed; null: for another reason. The same file may be
 * read a moment later, so nobody is told that it is damaged.
 */
export const missingResource = (error: unknown): string | null =>
  LACKS.find(([theirs]) => theirs.test((error as Error).message))?.[1] ?? null

/** What the system has too little of for any file: the same file may be read a moment later. */
const LACKING: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN'])

/** Whether an error tells of the machine alone, and nothing of the file that was to be read. */
export const isLack = (error: unknown): boolean =>
  LACKING.has((error as NodeJS.ErrnoException).code ?? '')
