// Delayed quotes of a running session: a feed that runs as late as they are publishes their minutes.

import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { silent } from '../../../pipelines/command/progress.ts'
import { openFeed } from '../../../pipelines/live/feed.ts'
import { instantMs } from '../../../src/core/market/calendar.ts'
import { readLiveManifest } from '../../../src/data/published/liveManifest.ts'
import { tapeRows } from '../../support/import.ts'

const DATE = '2026-10-15'
const at = (minute: string) => instantMs(DATE, minute)
const iso = (ms: number) => new Date(ms).toISOString().slice(0, 19)

/** A chain as it is made 15 minutes after an instant, with a smile around 6,000. */
function chain(quotedAtMs: number): string {
  const options = ['261016', '261218'].flatMap(expiry =>
    Array.from({ length: 41 }, (_, n) => 5800 + 10 * n).flatMap(strike =>
      (['C', 'P'] as const).map(right => {
        const inside = Math.max(0, (right === 'C' ? 1 : -1) * (6000 - strike))
        const value = inside + 30 * Math.exp(-(((strike - 6000) / 80) ** 2))
        return {
          option: `SPXW${expiry}${right}0${strike}000`,
          bid: Math.max(0.05, Math.round((value - 0.2) * 20) / 20),
          bid_size: 10,
          ask: Math.round((value + 0.2) * 20 + 2) / 20,
          ask_size: 12,
          open_interest: 100,
        }
      }),
    ),
  )
  const newYork = iso(quotedAtMs - 4 * 3_600_000)
  const data = { options, symbol: '^SPX', current_price: 6000, last_trade_time: newYork }
  return JSON.stringify({ timestamp: iso(quotedAtMs + 900_000).replace('T', ' '), data })
}

test.each([
  ['as late as the quotes', 990, ['2026-10-15 14:00:30', '2026-10-15 14:01:30']],
  // nothing is published before the first file
  ['not late', 3, ['2026-10-15 14:00:30', null]],
])('a feed that runs %s', async (_, graceS, usable) => {
  const root = mkdtempSync(join(tmpdir(), 'tapefold-delayed-'))
  const spool = join(root, 'spool')
  mkdirSync(spool)
  const lines: string[] = []
  let nowMs = at('10:00')
  const feed = await openFeed({
    dataFolder: join(root, 'data'),
    date: DATE,
    spool,
    rows: null,
    simulated: true,
    graceMs: graceS * 1000,
    clock: { nowMs: () => nowMs },
    progress: { ...silent, say: line => void lines.push(line) },
  })
  try {
    for (const [index, minute] of ['10:00', '10:01'].entries()) {
      const quotedAtMs = at(minute) + 30_000
      nowMs = quotedAtMs + 905_000
      const packed = index === 1
      const name = `cboe-chain-${minute.replace(':', '')}.json${packed ? '.zst' : ''}`
      const text = chain(quotedAtMs)
      writeFileSync(join(spool, name), packed ? zstdCompressSync(text) : text)
      await feed.look()
      nowMs = at(minute) + 60_000 + graceS * 1000
      if (graceS > 900) await feed.look()
    }
    expect(feed.untaken()).toEqual([])
    const quotes = await tapeRows(
      join(root, 'data'),
      DATE,
      `select
         case when known_at < minute_at then quoted_at end::varchar as usable_at,
         count(*)::int as contracts
       from tape.quotes group by minute_at, usable_at order by minute_at`,
    )
    expect(quotes).toEqual(usable.map(usableAt => ({ usable_at: usableAt, contracts: 164 })))
    if (graceS > 900) {
      const { live } = readLiveManifest(join(root, 'data'), DATE)!
      expect(live.minute).toBe('10:02')
      // each strike of the nearest expiry is priced
      expect(live.files.option_minutes!.at(-1)!.rows).toBe(41)
    }
  } finally {
    await feed.close()
  }
})
