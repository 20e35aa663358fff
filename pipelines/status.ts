import { readArguments } from '../src/command.ts'
import { alignColumns } from '../src/store/analyst.ts'
import { publishedSessions, readManifest } from '../src/store/manifest.ts'
import { Refusal } from '../src/store/refusal.ts'
import { tapeSessions } from '../src/store/tape.ts'
import { runCommand } from './command.ts'

/** One line a session: what is on the tape and what is published of it. */
export function statusText(dataFolder: string): string {
  const dates = [...new Set([...tapeSessions(dataFolder), ...publishedSessions(dataFolder)])].sort()
  if (dates.length === 0) return 'no session yet: import a tape, or run the demo.\n'
  const lines = dates.map(date => {
    const manifest = readOrRefusal(dataFolder, date)
    if (manifest instanceof Refusal) return [date, manifest.message]
    if (!manifest) return [date, 'on the tape', '', '', '', '', '', '']
    const { minutes, datasets } = manifest
    return [
      date,
      manifest.simulated ? 'published (simulated)' : 'published',
      manifest.symbol,
      manifest.asof,
      String(datasets.prints?.rows ?? ''),
      String(datasets.orders?.rows ?? ''),
      `${minutes.present}/${minutes.expected}`,
      manifest.tape_grade?.grade ?? '',
    ]
  })
  const head = ['session', 'state', 'symbol', 'as of', 'prints', 'orders', 'minutes', 'tape']
  return `${alignColumns([head, ...lines])}\n`
}

/** A damaged manifest must not hide the other sessions. */
function readOrRefusal(dataFolder: string, date: string) {
  try {
    return readManifest(dataFolder, date)
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

const USAGE = `usage: tapefold status [--data DIR]

One line a session: what is on the tape and what is published of it.
`

if (import.meta.main) {
  runCommand(async () => {
    const { values } = readArguments(process.argv.slice(2), {
      usage: USAGE,
      options: { data: { type: 'string', default: 'data' } },
    })
    process.stdout.write(statusText(values.data))
  })
}
