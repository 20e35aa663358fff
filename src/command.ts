import { type ParseArgsConfig, type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { CommandError, missingResource, Refusal } from './disk/refusal.ts'

/** A command line that was not understood: one sentence, exit code 2. */
export class UsageError extends Refusal {
  override name = 'UsageError'
}

/** `--help` was given: the message is the usage, for standard output, exit code 0. */
class HelpRequest extends Error {
  override name = 'HelpRequest'
}

export type CommandLine<Options extends ParseArgsOptionsConfig> = {
  /** The whole help of the command; its first line is `usage: tapefold <command> ...`. */
  readonly usage: string
  readonly options: Options
  readonly allowPositionals?: boolean
}

/** The options and words of a command. Fails with a UsageError, or with the help when asked. */
export function readArguments<const Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  { usage, options, allowPositionals = false }: CommandLine<Options>,
) {
  if (isHelpWanted(args)) throw new HelpRequest(usage)
  const command = /tapefold \w+/.exec(usage)![0]
  try {
    return parseArgs({
      args: [...args],
      options,
      allowPositionals: allowPositionals as true,
    } satisfies ParseArgsConfig)
  } catch (error) {
    throw new UsageError(`${parseSentence(error as Error)}; see "${command} --help".`)
  }
}

/** Whether the help is asked for; what stands after `--` is never an option. */
export function isHelpWanted(args: readonly string[]): boolean {
  const end = args.indexOf('--')
  const options = end < 0 ? args : args.slice(0, end)
  return options.includes('--help') || options.includes('-h')
}

/** What Node's parser says, without its advice about dashes. */
function parseSentence(error: Error): string {
  const option = /^Option '(?:-\w, )?(--[\w-]+)[^']*' argument (?:missing|is ambiguous)/
  const name = option.exec(error.message)?.[1]
  if (name) return `${name} needs a value`
  return error.message.split('\n')[0]!.split('. ')[0]!
}

/** What the system says of a file, in words. */
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
 * Keeps a command at work whose reader has gone (`| head`): what it writes from then on is dropped.
 * Output that cannot be written for another reason, such as a full disk, ends it with 1.
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
 * Says why a command ended and returns its exit code: 1 it could not do its work, 2 it was not
 * understood, 0 it was asked for help. An error for the person who typed is one sentence; any
 * other keeps its stack.
 */
export function reportFailure(error: unknown): number {
  if (error instanceof HelpRequest) {
    process.stdout.write(error.message)
    return 0
  }
  process.stderr.write(`tapefold: ${failureText(error)}\n`)
  if (error instanceof CommandError) return error.exitCode
  return error instanceof UsageError ? 2 : 1
}

function failureText(error: unknown): string {
  if (error instanceof Refusal || error instanceof CommandError) return error.message
  const { code, path, stack } = error as NodeJS.ErrnoException
  const fault = FILE_FAULTS[code ?? '']
  if (fault) return `${path ?? 'a file'} cannot be used: ${fault}.`
  if (code && path) return `${path} cannot be used (${code}).`
  const lack = missingResource(error)
  if (lack) return `${lack}; nothing was published.`
  return stack ?? String(error)
}
