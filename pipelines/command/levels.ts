import { systemClock } from '../../src/core/clock.ts'
import { readArguments, UsageError } from '../../src/core/command.ts'
import { tradingDayArgument } from '../../src/core/days.ts'
import { Refusal } from '../../src/core/disk/refusal.ts'
import { FORMATS, formatRows } from '../../src/data/published/analyst.ts'
import { openCatalog } from '../../src/data/published/catalog.ts'
import { historyAt } from '../../src/levels/ask.ts'
import { HISTORY_COLUMNS, historyRows } from '../../src/levels/history.ts'
import { readBook, readTime } from '../../src/levels/params.ts'
import { openSessions } from '../../src/levels/sessions.ts'
import { isExpected } from '../../src/platform/http/errors/catalogue.ts'
import { NOBODY } from '../../src/platform/pool/fairQueue.ts'
import { openRequestScheduler } from '../../src/platform/pool/requestScheduler.ts'
import { runCommand, warnNothingPublished } from './command.ts'

const USAGE = `usage: tapefold levels DAY [--time HH:MM] [--book vol|oi] [--format F] ... --data DIR

The levels of a session's minutes, as the levels API answers them: flip and its interval, walls and net
gamma of SPX. Where the dealers' positions are unknown, the reason says so.

  --time HH:MM  this minute alone, 09:31 to 15:59 ET
  --book BOOK   vol or oi; left out, the measured book
  --format F    table, csv or json (table)
`

/** Runs `levels`. Fails with one sentence. */
export async function runLevels(
  args: readonly string[],
  print: (text: string) => void,
): Promise<void> {
  const { values, positionals } = readArguments(args, {
    usage: USAGE,
    allowPositionals: true,
    options: {
      data: { type: 'string', default: 'data' },
      time: { type: 'string' },
      book: { type: 'string' },
      format: { type: 'string', default: 'table' },
    },
  })
  const [text, ...others] = positionals
  if (text === undefined || others.length > 0) {
    throw new UsageError('levels takes one day: levels 2026-10-15.')
  }
  const day = tradingDayArgument(text)
  const format = FORMATS.find(known => known === values.format)
  if (!format) {
    throw new UsageError(`--format is ${values.format}; it can be ${FORMATS.join(', ')}.`)
  }
  warnNothingPublished(values.data)
  const { nowMs } = systemClock
  const log = { error: () => {} }
  const catalog = openCatalog({ dataFolder: values.data, nowMs, log })
  const sessions = openSessions(values.data, openRequestScheduler())
  const requester = { account: NOBODY }
  try {
    const given = (value: string | undefined) => (value === undefined ? [] : [value])
    const book = readBook(given(values.book))
    const time = readTime(given(values.time), () => day)
    const plain = { symbols: ['SPX'], book, strikes: 0, expiry: null, exposure: null }
    const query = { ...plain, day, time: null }
    const rows = historyRows(await historyAt({ catalog, sessions, nowMs, requester }, query))
    const wanted = time === null ? rows : rows.filter(({ minute }) => minute === time)
    if (wanted.length === 0) throw new Refusal(`${day} has no reading of ${time}.`)
    print(formatRows({ names: HISTORY_COLUMNS, rows: wanted }, format))
  } catch (error) {
    throw isExpected(error) ? new Refusal(error.message) : error
  } finally {
    await sessions.close()
  }
}

if (import.meta.main) {
  runCommand(() => runLevels(process.argv.slice(2), text => void process.stdout.write(text)))
}
