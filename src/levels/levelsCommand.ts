import { systemClock } from '../core/clock.ts'
import type { Input } from '../core/commandRow.ts'
import { tradingDayArgument } from '../core/days.ts'
import { Refusal } from '../core/disk/refusal.ts'
import { formatRows } from '../data/published/analyst.ts'
import { openCatalog } from '../data/published/catalog.ts'
import { warnNothingPublished } from '../data/published/nothingPublished.ts'
import { NOBODY } from '../platform/pool/fairQueue.ts'
import { openRequestScheduler } from '../platform/pool/requestScheduler.ts'
import { historyAt } from './ask.ts'
import type { LEVELS } from './commandRow.ts'
import { historyRows } from './history.ts'
import { HISTORY_COLUMNS } from './levelFields.ts'
import { readBook, readTime } from './params.ts'
import { openSessions } from './sessions.ts'

/** Runs `tapefold levels`. */
export async function levelsCommand(input: Input<typeof LEVELS>): Promise<void> {
  const { data, format } = input
  const day = tradingDayArgument(input.words[0])
  warnNothingPublished(data)
  const { nowMs } = systemClock
  const log = { error: () => {} }
  const catalog = openCatalog({ dataFolder: data, nowMs, log })
  const sessions = openSessions(data, openRequestScheduler())
  const requester = { account: NOBODY }
  try {
    const given = (value: string | undefined) => (value === undefined ? [] : [value])
    const book = readBook(given(input.book))
    const time = readTime(given(input.time), () => day)
    const plain = { symbols: ['SPX'], book, strikes: 0, expiry: null, exposure: null }
    const query = { ...plain, day, time: null }
    const rows = historyRows(await historyAt({ catalog, sessions, nowMs, requester }, query))
    const wanted = time === null ? rows : rows.filter(({ minute }) => minute === time)
    if (wanted.length === 0) throw new Refusal(`${day} has no reading of ${time}.`)
    process.stdout.write(formatRows({ names: HISTORY_COLUMNS, rows: wanted }, format))
  } finally {
    await sessions.close()
  }
}
