/** A file or a request that cannot be used: one sentence for the person who typed it. */
export class Refusal extends Error {
  override name = 'Refusal'
}

/** Somebody else is at work: the same request may be granted a little later. */
export class Busy extends Refusal {}

/** A source that is what it should be, and says nothing yet. */
export class NoRows extends Refusal {}

/** What a machine may lack, in the words of the engine and of the system below it. */
const OF_MACHINE = [
  ...['^Out of Memory Error', 'Cannot allocate memory', 'Too many open files'],
  ...['No space left on device', 'Disk quota exceeded', 'Input/output error', 'Stale file handle'],
]
const ofMachine = new RegExp(OF_MACHINE.join('|'))

/**
 * Whether the engine failed for what the machine lacks, not for what a file holds: the same file
 * may be read a moment later, so nobody is told that it is damaged.
 */
export const isOfMachine = (error: unknown): boolean => ofMachine.test((error as Error).message)
