import { parseArgs } from 'node:util'
import { alignColumns } from '../src/store/analyst.ts'
import { publishedSessions, readManifest } from '../src/store/manifest.ts'
import { tapeSessions } from '../src/store/tape.ts'
import { runCommand } from './command.ts'

/** One line a session: what is on the tape and what is published of it. */
function statusText(dataFolder: string): string {
  const dates = [...new Set([...tapeSessions(dataFolder), ...publishedSessions(dataFolder)])].sort()
  if (dates.length === 0) return 'no session yet: import a tape, or run the demo.\n'
  const lines = dates.map(date => {
    const manifest = readManifest(dataFolder, date)
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

if (import.meta.main) {
  runCommand(async () => {
    const { values } = parseArgs({ options: { data: { type: 'string', default: 'data' } } })
    process.stdout.write(statusText(values.data))
  })
}
