import { CommandError, missingResource, Refusal } from './disk/refusal.ts'
import { printableLines } from './disk/text.ts'

/** An invalid command line: one sentence, exit code 2. */
export class UsageError extends Refusal {
  override name = 'UsageError'
}

/** True when help is requested; anything after `--` is not an option. */
export function isHelpWanted(args: readonly string[]): boolean {
  const end = args.indexOf('--')
  const options = end < 0 ? args : args.slice(0, end)
  return options.includes('--help') || options.includes('-h')
}

/** Descriptions of file system errors. */
const FILE_FAULTS: Readonly<Record<string, string>> = {
  ENOENT: 'it is not there',
  EIO: 'the disk does not read or write it',
  ELOOP: 'its links lead in a circle',
  EMFILE: 'too many files are open',
  EACCES: 'there is no permission for it',
  EPERM: 'there is no permission for it',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  ENOTDIR: 'a part of its path is a file, not a folder',
  EISDIR: 'it is a folder',
  EEXIST: 'a file of that name is in the way',
  ENAMETOOLONG: 'its name is too long',
}

/**
 * Keeps a command running whose reader has gone (`| head`): its further output is dropped. Output
 * that fails for another reason, such as a full disk, ends it with 1.
 */
export function outliveReaders(): void {
  let isLost = false
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED' || isLost) return
      isLost = true
      process.once('exit', code => {
        process.exitCode = code || 1
      })
      if (stream === process.stderr) return
      const fault = FILE_FAULTS[error.code ?? ''] ?? error.code
      process.stderr.write(`tapefold: standard output cannot be written: ${fault}.\n`)
    })
  }
}

/**
 * Reports why a command ended and returns its exit code: 1 it failed, 2 it was not understood. An
 * error for the user is one sentence; any other includes its stack.
 */
export function reportFailure(error: unknown): number {
  process.stderr.write(`tapefold: ${printableLines(failureText(error))}\n`)
  if (error instanceof CommandError) return error.exitCode
  return error instanceof UsageError ? 2 : 1
}

function failureText(error: unknown): string {
  return userSentence(error) ?? (error as Error).stack ?? String(error)
}

/** Returns the sentence of an error that a user can mend, such as a full disk; null: it is a bug. */
export function userSentence(error: unknown): string | null {
  if (error instanceof Refusal || error instanceof CommandError) return error.message
  const { code, path } = error as NodeJS.ErrnoException
  const fault = FILE_FAULTS[code ?? '']
  if (fault) return `${path ?? 'a file'} cannot be used: ${fault}.`
  if (code && path) return `${path} cannot be used (${code}).`
  const lack = missingResource(error)
  return lack ? `${lack}; nothing was published.` : null
}
