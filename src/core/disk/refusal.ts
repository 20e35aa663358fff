/** A file or a request that cannot be used: one sentence for the person who typed it. */
export class Refusal extends Error {
  override name = 'Refusal'
}

/** A command that could not do its work; the message is one sentence for the person who typed. */
export class CommandError extends Error {
  /** 1: it failed. 2: it was not understood. 75: the same command may succeed later. */
  readonly exitCode: 1 | 2 | 75

  constructor(message: string, exitCode: 1 | 2 | 75) {
    super(message)
    this.exitCode = exitCode
  }
}

/** Another process is at work: the same request may be granted a little later. */
export class Busy extends Refusal {}

/** A valid source without rows as yet. */
export class NoRows extends Refusal {}

/** Resources a machine may lack: in the words of the engine or the system, and in ours. */
const LACKS: readonly [theirs: RegExp, ours: string][] = [
  [/^Out of Memory Error|Cannot allocate memory/, 'there is not enough memory'],
  [/No space left on device/, 'the disk is full'],
  [/Disk quota exceeded/, 'the quota of the disk is used up'],
  [/Input\/output error|Stale file handle/, 'the disk does not read or write'],
  [/Too many open files/, 'too many files are open'],
]

/**
 * Returns the missing resource that made the engine fail; null: another reason. The same file may
 * be readable again soon, so it is not reported as damaged.
 */
export const missingResource = (error: unknown): string | null =>
  LACKS.find(([theirs]) => theirs.test((error as Error).message))?.[1] ?? null

/** Errors of the system that any file can meet: the same file may be readable again soon. */
const LACKING: ReadonlySet<string> = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN'])

/** True when an error concerns the machine alone, not the file to be read. */
export const isLack = (error: unknown): boolean =>
  LACKING.has((error as NodeJS.ErrnoException).code ?? '')
