import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sha256 } from '../../../src/core/disk/files.ts'
import { openDatabase } from '../../../src/core/engine/database.ts'
import { formatMinute, instantMs } from '../../../src/core/market/calendar.ts'
import { manifestPath, type PublishedManifest } from '../../../src/data/published/manifest.ts'
import {
  type LabExpiry,
  type LabMarket,
  type LabSession,
  NO_AGE,
  NO_QUOTE,
} from '../../../src/lab/market/session.ts'

/** Publishes sessions that tests have in memory, as the datasets have them. */

type Rows = readonly Record<string, unknown>[]

/** Columns of each dataset that LAB reads, as the dictionary has them. */
const COLUMNS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  market_minutes: {
    session_date: 'date',
    minute_et: 'varchar',
    spot: 'double',
    open: 'double',
    previous_close: 'double',
    expected_move_points: 'double',
    session_expected_move_points: 'double',
    net_gamma_musd_per_point: 'double',
    flip: 'double',
    call_wall: 'double',
    put_wall: 'double',
    level_reason: 'varchar',
    spot_source: 'varchar',
  },
  large_orders: {
    session_date: 'date',
    order_id: 'varchar',
    revision_number: 'integer',
    printed_at: 'timestamp',
    visible_at: 'timestamp',
    superseded_at: 'timestamp',
    gross_premium_usd: 'double',
    dealer_gamma_musd_per_point: 'double',
  },
  option_minutes: {
    session_date: 'date',
    minute_et: 'varchar',
    expiry: 'date',
    dte: 'integer',
    strike: 'double',
    call_bid: 'double',
    call_ask: 'double',
    call_age_s: 'integer',
    put_bid: 'double',
    put_ask: 'double',
    put_age_s: 'integer',
  },
  smiles: {
    session_date: 'date',
    minute_et: 'varchar',
    expiry: 'date',
    dte: 'integer',
    forward: 'double',
    discount: 'double',
    strikes: 'double[]',
    total_variances: 'double[]',
  },
  settlements: { session_date: 'date', settlement: 'double', source: 'varchar' },
}

/** NaN is the null of a column of doubles. */
const known = (value: number) => (Number.isNaN(value) ? null : value)

const listStates = ({ stateCount }: LabSession) => Array.from({ length: stateCount }, (_, at) => at)

function minuteRows(session: LabSession): Rows {
  const { market, date } = session
  return listStates(session).map(state => ({
    session_date: date,
    minute_et: formatMinute(571 + state),
    spot: known(market.spot[state]!),
    open: known(market.open[state]!),
    previous_close: known(market.previousClose[state]!),
    expected_move_points: known(market.expectedMove[state]!),
    session_expected_move_points: known(market.sessionExpectedMove[state]!),
    net_gamma_musd_per_point: known(market.netGamma[state]!),
    flip: known(market.flip[state]!),
    call_wall: known(market.callWall[state]!),
    put_wall: known(market.putWall[state]!),
    level_reason: state < (session.unknownCount ?? 0) ? 'inventory_unknown' : null,
    spot_source: state < (session.parityCount ?? 0) ? 'parity' : 'index',
  }))
}

function orderRows({ orders, date, stateCount }: LabSession): Rows {
  const firstMs = instantMs(date, '09:31')
  // half a minute before the state that is the first to know it
  const at = (state: number) =>
    new Date(firstMs + (state - 0.5) * 60_000).toISOString().slice(0, -1)
  return [...orders.fromState.keys()].map(index => ({
    session_date: date,
    order_id: `order-${String(index).padStart(4, '0')}`,
    revision_number: 1,
    printed_at: at(orders.printedState[index]!),
    visible_at: at(orders.fromState[index]!),
    superseded_at: orders.untilState[index]! < stateCount ? at(orders.untilState[index]!) : null,
    gross_premium_usd: orders.premiumUsd[index]!,
    dealer_gamma_musd_per_point: known(orders.gamma[index]!),
  }))
}

function expiryRows(
  session: LabSession,
  each: (state: number, expiry: LabExpiry, dte: number) => Rows,
) {
  return session.expiries.flatMap((expiry, dte) =>
    expiry ? listStates(session).flatMap(state => each(state, expiry, dte)) : [],
  )
}

const quoteRows = (session: LabSession): Rows =>
  expiryRows(session, (state, expiry, dte) =>
    [...expiry.strikes].flatMap((strike, index) => {
      if (state < expiry.listedFrom[index]!) return []
      const at = state * expiry.strikes.length + index
      const price = (steps: number) => (steps === NO_QUOTE ? null : steps / 20)
      const age = (seconds: number) => (seconds === NO_AGE ? null : seconds)
      return [
        {
          session_date: session.date,
          minute_et: formatMinute(571 + state),
          expiry: expiry.expiry,
          dte,
          strike,
          call_bid: price(expiry.callBid[at]!),
          call_ask: price(expiry.callAsk[at]!),
          call_age_s: age(expiry.callAge[at]!),
          put_bid: price(expiry.putBid[at]!),
          put_ask: price(expiry.putAsk[at]!),
          put_age_s: age(expiry.putAge[at]!),
        },
      ]
    }),
  )

const smileRows = (session: LabSession): Rows =>
  expiryRows(session, (state, expiry, dte) => {
    const [from, until] = [expiry.smileFrom[state]!, expiry.smileFrom[state + 1]!]
    return [
      {
        session_date: session.date,
        minute_et: formatMinute(571 + state),
        expiry: expiry.expiry,
        dte,
        forward: known(expiry.forward[state]!),
        discount: known(expiry.discount[state]!),
        strikes: [...expiry.smileStrikes.slice(from, until)],
        total_variances: [...expiry.smileTotalVariances.slice(from, until)],
      },
    ]
  })

/** Publishes all sessions of a market; changes of a manifest are made in all of them. */
export async function publishMarket(
  dataFolder: string,
  market: LabMarket,
  change: Partial<PublishedManifest> = {},
): Promise<void> {
  for (const session of market.sessions) {
    await publishRows(dataFolder, session.date, listRows(session), {
      simulated: market.kind === 'simulated',
      ...change,
    })
  }
}

export const listRows = (session: LabSession): Readonly<Record<string, Rows>> => ({
  market_minutes: minuteRows(session),
  large_orders: orderRows(session),
  option_minutes: quoteRows(session),
  smiles: smileRows(session),
  settlements: [
    {
      session_date: session.date,
      settlement: session.settlement,
      source: session.settlementSource,
    },
  ],
})

/** Writes rows as one file a dataset below a folder; returns their manifest entries. */
async function writeRows(
  root: string,
  date: string,
  rows: Readonly<Record<string, Rows>>,
): Promise<PublishedManifest['datasets']> {
  const db = await openDatabase({ threads: 2 })
  const datasets: PublishedManifest['datasets'] = {}
  try {
    for (const [name, ofDataset] of Object.entries(rows)) {
      const folder = join(root, name, `session=${date}`)
      mkdirSync(folder, { recursive: true })
      const [json, temporary] = [join(folder, 'rows.json'), join(folder, 'aside')]
      writeFileSync(json, ofDataset.map(row => JSON.stringify(row)).join('\n'))
      const columns = Object.entries(COLUMNS[name]!).map(([column, type]) => `${column}: '${type}'`)
      await db.run(
        `copy (select * from read_json('${json}', format = 'newline_delimited',
           columns = {${columns.join(', ')}})) to '${temporary}' (format parquet)`,
      )
      const bytes = readFileSync(temporary)
      const file = `${name}/session=${date}/${sha256(bytes).slice(0, 16)}.parquet`
      writeFileSync(join(root, file), bytes)
      for (const spent of [json, temporary]) rmSync(spent)
      const { size } = statSync(join(root, file))
      datasets[name] = { file, bytes: size, sha256: sha256(bytes), rows: ofDataset.length }
    }
  } finally {
    db.close()
  }
  return datasets
}

/**
 * Publishes a session that runs, as it is known at a minute: a dataset without a row has no file,
 * and there is no settlement before the last minute.
 */
export async function publishRunning(
  dataFolder: string,
  session: LabSession,
  minute: string,
): Promise<void> {
  const { date } = session
  const knownMs = instantMs(date, minute)
  const isKnown = (row: Record<string, unknown>) => {
    const { minute_et: own, visible_at: visible } = row as Record<string, string | undefined>
    return own !== undefined ? own <= minute : Date.parse(`${visible}Z`) < knownMs
  }
  // a quarter of an hour after the PM close is the end of a session
  const isSettled = minute >= formatMinute(571 + session.stateCount + 13)
  const { settlements, ...rows } = listRows(session)
  const known = [
    ...Object.entries(rows).map(([name, all]) => [name, all.filter(isKnown)] as const),
    ['settlements', isSettled ? settlements! : []] as const,
  ]
  const reported = Object.fromEntries(known.filter(([, list]) => list.length > 0))
  const root = join(dataFolder, 'live')
  const written = await writeRows(root, date, reported)
  const files = Object.fromEntries(Object.entries(written).map(([name, file]) => [name, [file]]))
  const manifest = {
    format: 1,
    session_date: date,
    symbol: 'SPX',
    simulated: true,
    revision: `r${minute}`,
    asof: `${minute}:00`,
    code_version: 'test',
    min_premium_usd: 100_000,
    datasets: {},
    ledger: {},
    inputs: [],
    tape: {},
    minutes: { expected: 405, present: 405, missing: [] },
    live: { minute, known_before_ms: knownMs, files },
  }
  mkdirSync(join(root, 'manifests'), { recursive: true })
  writeFileSync(join(root, 'manifests', `${date}.json`), JSON.stringify(manifest))
}

/** Publishes one session of rows by dataset. */
export async function publishRows(
  dataFolder: string,
  date: string,
  rows: Readonly<Record<string, Rows>>,
  change: Partial<PublishedManifest> = {},
): Promise<void> {
  const datasets = await writeRows(join(dataFolder, 'published'), date, rows)
  const manifest = {
    format: 1,
    session_date: date,
    symbol: 'SPX',
    simulated: true,
    revision: 'r1',
    asof: '16:15:00',
    code_version: 'test',
    datasets,
    ledger: {},
    inputs: [],
    tape: {},
    minutes: { expected: 405, present: 405, missing: [] },
    ...change,
  }
  const path = manifestPath(dataFolder, date)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, JSON.stringify(manifest))
}
