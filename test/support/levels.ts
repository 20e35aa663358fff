// Published sessions with levels, curves, ladders and bases, made of numbers that mean nothing.

import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openDatabase, type Row } from '../../src/core/engine/database.ts'
import { findTradingSession, listMinutes } from '../../src/core/market/calendar.ts'
import { writeManifest } from './published.ts'

export type LevelsMade = {
  readonly day: string
  /** The last state minute there is; left out, the last of the session. */
  readonly until?: string
  /** Datasets it has in addition to levels and curves. */
  readonly has?: readonly ('strikes' | 'basis' | 'expiry_levels' | 'exposures' | 'flow')[]
  /** Minutes without a basis, and contracts by how much of them traded. */
  readonly staleBasis?: readonly string[]
  readonly contracts?: Readonly<Record<string, number>>
  /** Contracts without a price from 10:00 on. */
  readonly silentContracts?: readonly string[]
  /** A session that runs: its minutes are files of their own. */
  readonly isLive?: boolean
  readonly seed?: number
}

/** Rows by `hash`, with nulls of every kind in each column that may have them. */
const LEVELS = `
  with minutes as (select unnest($minutes::varchar[]) as minute_et),
  books as (select unnest(['measured', 'vol', 'oi']) as book_basis),
  rows as (
    select *, concat_ws(' ', $seed, minute_et, book_basis) as id from minutes cross join books
  ),
  drawn as (
    select
      *,
      5900 + (hash(concat($seed, minute_et)) % 10000) / 97 as spot_value,
      hash(concat(id, 'none')) % 9 as lack,
      (hash(concat(id, 'gamma')) % 2000000)::double / 997 - 1000 as gamma,
      5800 + (hash(concat(id, 'flip')) % 20000)::double / 83 as flip_value,
      (hash(concat(id, 'bar')) % 3000)::double / 117 as bar
    from rows
  )
  select
    $day::date as session_date, minute_et, book_basis,
    case when lack <> 8 then spot_value end as spot,
    case when lack not in (7, 8) then gamma end as net_gamma_musd_per_point,
    case when lack in (7, 8) then null when gamma > 0 then 'positive' else 'negative' end as regime,
    case when lack < 6 then flip_value end as flip,
    case when lack < 6 then flip_value - bar end as flip_lo,
    case when lack < 6 then flip_value + bar * 1.5 end as flip_hi,
    case when lack < 6
      then list_transform(range((hash(id) % 26)::bigint + 1), lambda n: flip_value - 120 + n * 10)
      else []::double[] end as flip_roots,
    case when lack not in (5, 7, 8) then 5 * round(spot_value / 5) + 50 end as call_wall,
    case when lack not in (4, 7, 8) then 5 * round(spot_value / 5) - 45 end as put_wall,
    case when minute_et > '09:40' then 60 - bar end as expected_move_points,
    53.827::double as session_expected_move_points,
    case when minute_et <= '09:40' then 'no_pairs' end as expected_move_reason,
    (hash(concat(id, 'share')) % 1000)::double / 999 as measured_share,
    1.0::double as priced_share,
    case lack when 8 then 'no_spot' when 7 then 'empty_book' when 6 then 'no_root'
      when 5 then 'no_calls' when 4 then 'no_puts' end as reason
  from drawn`

const PROFILES = `
  select
    session_date, minute_et, book_basis,
    10 * round(spot / 10) + 10 * step as index_point,
    (hash(concat($seed, minute_et, book_basis, step)) % 100000)::double / 91 - 500
      as dealer_gamma_musd_per_point
  from levels cross join (select unnest(range(-30, 31)) as step)
  where net_gamma_musd_per_point is not null`

const STRIKES = `
  select
    session_date, minute_et, book_basis, 5 * round(spot / 5) + 5 * step as strike,
    case when step % 7 <> 0
      then (hash(concat($seed, minute_et, book_basis, step, 'c')) % 10000)::double / 91 - 50 end
      as call_musd,
    case when step % 5 <> 0
      then (hash(concat($seed, minute_et, book_basis, step, 'p')) % 10000)::double / 91 - 50 end
      as put_musd
  from levels cross join (select unnest(range(-12, 13)) as step)
  where net_gamma_musd_per_point is not null`

const EXPIRY_LEVELS = `
  select
    session_date, minute_et, book_basis, bucket,
    case bucket when '0dte' then session_date when 'next' then session_date + 1 end as expiry,
    case when not is_none then gamma end as net_gamma_musd_per_point,
    case when not is_none then abs(gamma) / 3 + 1 end as net_gamma_deviation_musd,
    case when not is_none then (hash(concat(id, 'p')) % 1000)::double / 999 end as p_positive,
    case when not is_none then if(gamma > 0, 'positive', 'negative') end as regime,
    case when not is_none then 5800 + (hash(concat(id, 'flip')) % 20000)::double / 83 end as flip,
    case when not is_none then 5790.5::double end as flip_lo,
    null::double as flip_hi,
    case when not is_none then 5950.0::double end as call_wall,
    case when not is_none then 5850.0::double end as put_wall,
    (hash(concat(id, 'share')) % 1000)::double / 999 as measured_share,
    1.0::double as priced_share,
    case bucket when 'all' then 1 else (hash(concat(id, 'gross')) % 500)::double / 999 end
      as gross_share,
    date '2026-10-16' as monthly_expiry, 0.2345::double as monthly_share,
    case when is_none then 'no_root' end as reason
  from (
    select *, hash(concat(id, 'none')) % 9 = 0 as is_none,
      (hash(concat(id, 'gamma')) % 2000000)::double / 997 - 1000 as gamma
    from (select *, concat_ws(' ', $seed, minute_et, book_basis, bucket) as id
      from levels cross join (select unnest(['all', '0dte', 'next']) as bucket))
  )`

const EXPOSURES = `
  select
    session_date, minute_et, book_basis, 'SPXW' as root, session_date + days as expiry, strike,
    value as delta_musd, value / 7 as gamma_musd, value / 11 as vanna_musd, value / 13 as charm_musd,
    if(book_basis = 'oi', null, abs(value) / 2)::float as delta_deviation_musd,
    if(book_basis = 'oi', null, abs(value) / 14)::float as gamma_deviation_musd,
    if(book_basis = 'oi', null, abs(value) / 22)::float as vanna_deviation_musd,
    if(book_basis = 'oi', null, abs(value) / 26)::float as charm_deviation_musd
  from (
    select *,
      (hash(concat($seed, minute_et, book_basis, days, strike)) % 20000)::double / 91 - 100 as value
    from levels
    cross join (select unnest([0, 1, 7]) as days)
    cross join (select unnest([null, 5850.0, 5900, 5950, 6000]) as strike)
    where net_gamma_musd_per_point is not null
      and (minute_et = '09:31' or minute_et[-1] in ('0', '5'))
  )`

const FLOW = `
  select
    session_date, minute_et, part, span,
    if(is_none, 0, 40)::integer as order_count,
    if(is_none, 0, 900)::bigint as contracts,
    if(is_none, null, value) as delta_musd,
    if(is_none, null, value - 90.5) as delta_lo_musd,
    if(is_none, null, value + 90.5) as delta_hi_musd,
    if(is_none, null, 1.0::double) as delta_share,
    if(is_none, 'no_orders', null) as delta_reason,
    if(is_none or is_late, null, value / 31) as gamma_musd_per_point,
    if(is_none or is_late, null, value / 31 - 2) as gamma_lo_musd_per_point,
    if(is_none or is_late, null, value / 31 + 2) as gamma_hi_musd_per_point,
    if(is_none, null, if(is_late, 0.5, 1)::double) as gamma_share,
    if(is_none, 'no_orders', if(is_late, 'unpriced', null)) as gamma_reason
  from (
    select *, hash(concat(id, 'none')) % 9 = 0 as is_none, hash(concat(id, 'late')) % 5 = 0 as is_late,
      (hash(concat(id, 'flow')) % 2000000)::double / 997 - 1000 as value
    from (
      select *, concat_ws(' ', $seed, minute_et, part, span) as id
      from (select distinct session_date, minute_et from levels)
      cross join (select unnest(['all', '0dte', 'calls', 'puts']) as part)
      cross join (select unnest(['day', '5m']) as span)
    )
  )`

const BASIS = `
  select
    $day::date as session_date, minute_et, contract,
    case when not is_stale
      then 12.25 + 40 * number + (hash(concat($seed, minute_et)) % 100)::double / 97 end as basis,
    case when is_stale then 'no_index' end as reason,
    case when is_stale then 0 else 3 end as price_count,
    volume::double as volume
  from (
    select *, list_contains($stale::varchar[], minute_et)
      or (list_contains($silent::varchar[], contract) and minute_et >= '10:00') as is_stale
    from (select distinct minute_et from levels)
  cross join (select unnest($contracts::varchar[]) as contract,
    unnest($volumes::double[]) as volume, unnest(range(len($contracts::varchar[]))) as number)
  )`

const findList = (items: readonly (string | number)[]) =>
  `[${items.map(item => (typeof item === 'string' ? `'${item}'` : item)).join(', ')}]`

/** Sessions made in this worker, by what was requested. */
const sessions = new Map<string, ReturnType<typeof makeLevels>>()

/** Publishes a session, or the states of one that runs; returns where its files lie. */
export async function publishLevels(dataFolder: string, made: LevelsMade) {
  const key = JSON.stringify(made)
  if (!sessions.has(key)) sessions.set(key, makeLevels(made))
  const { contents, files, names, text, rows, bases, last, minutes } = await sessions.get(key)!
  const { day, isLive = false } = made
  const folder = join(dataFolder, isLive ? 'live' : 'published')
  for (const [file, bytes] of contents) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), bytes)
  }
  writeSession(dataFolder, { day, last, files, isLive, minutes })
  return {
    rows: structuredClone(rows),
    bases: structuredClone(bases),
    paths: names.map(name => join(folder, `${name}/session=${day}/all-${text}.parquet`)),
  }
}

/** Makes the files of a session, with their bytes. */
async function makeLevels(made: LevelsMade) {
  const { day, has = ['strikes'], staleBasis = [], isLive = false, seed = 1 } = made
  const { contracts = { ESZ6: 100 }, silentContracts = [], until } = made
  const session = findTradingSession(day)!
  const last = until ?? (session.isHalfDay ? '13:14' : '16:14')
  const minutes = listMinutes(session).map(({ minute }) => minute)
  const reported = minutes.filter(minute => minute > '09:30' && minute <= last)
  const db = await openDatabase({ threads: 1 })
  const text = String(seed)
  await db.run(`create table levels as ${LEVELS}`, { minutes: findList(reported), day, seed: text })
  await db.run(`create table profiles as ${PROFILES}`, { seed: text })
  await db.run(`create table strikes as ${STRIKES}`, { seed: text })
  await db.run(`create table expiry_levels as ${EXPIRY_LEVELS}`, { seed: text })
  await db.run(`create table exposures as ${EXPOSURES}`, { seed: text })
  await db.run(`create table flow as ${FLOW}`, { seed: text })
  await db.run(`create table basis as ${BASIS}`, {
    day,
    seed: text,
    stale: findList(staleBasis),
    silent: findList(silentContracts),
    contracts: findList(Object.keys(contracts)),
    volumes: findList(Object.values(contracts)),
  })
  const folder = mkdtempSync(join(tmpdir(), 'tapefold-levels-'))
  const path = join(folder, 'made.parquet')
  const names = ['levels', 'profiles', ...has]
  const files: Record<string, object[]> = {}
  const contents = new Map<string, Buffer>()
  for (const name of names) {
    files[name] = []
    for (const minute of isLive ? reported : ['']) {
      const file = `${name}/session=${day}/${minute.replace(':', '') || 'all'}-${text}.parquet`
      await db.run(
        `copy (select * from ${name} where ${isLive ? `minute_et = '${minute}'` : 'true'}
         order by all) to $path (format parquet)`,
        { path },
      )
      const bytes = readFileSync(path)
      contents.set(file, bytes)
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      files[name].push({ file, bytes: bytes.byteLength, sha256, rows: 1 })
    }
  }
  const rows = await db.rows('from levels order by minute_et, book_basis')
  const bases = has.includes('basis') ? await db.rows('from basis') : []
  db.close()
  rmSync(folder, { recursive: true })
  return { contents, files, names, text, rows, bases, last, minutes: minutes.length }
}

type Written = {
  readonly day: string
  readonly last: string
  readonly files: Readonly<Record<string, object[]>>
  readonly isLive: boolean
  readonly minutes: number
}

function writeSession(dataFolder: string, { day, last, files, isLive, minutes }: Written): void {
  const close = findTradingSession(day)!.isHalfDay ? '13:15:00' : '16:15:00'
  const revision = createHash('sha256').update(JSON.stringify(files)).digest('hex').slice(0, 16)
  const manifest = {
    format: 1,
    session_date: day,
    symbol: 'SPX',
    simulated: true,
    revision,
    asof: isLive ? `${last}:00` : close,
    code_version: 'test',
    minutes: { expected: minutes, present: minutes, missing: [] },
    datasets: {},
    ledger: {},
    inputs: [],
    tape: {},
  }
  if (!isLive) {
    const datasets = Object.fromEntries(Object.entries(files).map(([name, [only]]) => [name, only]))
    writeManifest(dataFolder, day, { ...manifest, datasets })
    return
  }
  const path = join(dataFolder, 'live/manifests', `${day}.json`)
  const live = { minute: last, known_before_ms: findInstant(day, last), files }
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, JSON.stringify({ ...manifest, live }))
}

const findInstant = (day: string, minute: string) =>
  listMinutes(findTradingSession(day)!).find(one => one.minute === minute)!.atMs

/** A price as it is returned, by another rule than the product's. */
export const toCents = (value: unknown): number | null =>
  value === null ? null : Number(Number(value).toFixed(2))

export type { Row }

/** A session whose files are what its manifest says, and yet no Parquet: nobody foresaw that. */
export function publishSpoiled(dataFolder: string, day: string): void {
  const file = `levels/session=${day}/all-0.parquet`
  const path = join(dataFolder, 'published', file)
  const text = 'no Parquet'
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  const sha256 = createHash('sha256').update(text).digest('hex')
  const levels = [{ file, bytes: text.length, sha256, rows: 1 }]
  writeSession(dataFolder, { day, last: '15:59', files: { levels }, isLive: false, minutes: 405 })
}
