// A test server of Cboe's delayed quotes of option chains.
//
// Cboe documents this address nowhere; it is that of the table at
// https://www.cboe.com/delayed_quotes/. What stands here was read on 2026-11-27 in public clients:
// - https://docs.openbb.co (provider cboe) and its source, cboe/models/options_chains.py: path,
//   underscore before the symbol of an index, names of fields, `last_trade_time` as ISO without an
//   offset in New York's time.
// - Payloads that public repositories recorded (2026-07 to 2026-10): `timestamp` as "2026-10-02
//   21:15:00", read as UTC in most and as New York's time in one: the documents do not decide; UTC
//   here. `data.symbol` is "^SPX", top-level `symbol` is "_SPX"; some 30,000 contracts, 13 MB.
//
// Silent: what an unknown symbol gets (403 with XML of S3 here, as the content network's origin has
// it), limits of requests, ETag and Last-Modified (both here, with 304). Ranges are not served.

import { createHash } from 'node:crypto'
import type { Fault } from './faults.ts'
import { type Call, type Reply, type RowFault, type Source, startServing } from './serve.ts'
import { encodeReply } from './tables.ts'

export type CboeOption = {
  /** OSI symbol without spaces, such as SPXW241104C05700000. */
  readonly option: string
  readonly bid: number
  readonly bid_size: number
  readonly ask: number
  readonly ask_size: number
  readonly iv: number
  readonly open_interest: number
  readonly volume: number
  readonly delta: number
  readonly gamma: number
  readonly vega: number
  readonly theta: number
  readonly rho: number
  readonly theo: number
  readonly change: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly tick: string
  readonly last_trade_price: number
  readonly last_trade_time: string | null
  readonly percent_change: number
  readonly prev_day_close: number
}

export type CboeChain = {
  /** UTC, YYYY-MM-DD HH:MM:SS. */
  readonly timestamp: string
  readonly symbol: string
  readonly data: Readonly<Record<string, unknown>> & { readonly options: readonly CboeOption[] }
}

export type CboeDelayedOptions = {
  /** Chains by the symbol of the path, such as _SPX. */
  readonly chains?: Readonly<Record<string, CboeChain>>
  readonly faults?: readonly Fault[]
}

export type CboeDelayedSource = Source & {
  /** Replaces a chain; its ETag and Last-Modified are new. */
  readonly publish: (symbol: string, chain: CboeChain) => void
}

const PATH = /^\/api\/global\/delayed_quotes\/options\/(\w+)\.json$/

const DENIED: Reply = {
  status: 403,
  headers: { 'content-type': 'application/xml' },
  body:
    '<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code>' +
    '<Message>Access Denied</Message></Error>',
}

/** Starts the content network on a free port. */
export async function startCboeDelayed(
  options: CboeDelayedOptions = {},
): Promise<CboeDelayedSource> {
  const chains = new Map(Object.entries(options.chains ?? {}))
  const source = await startServing({
    faults: options.faults,
    handle: (call, fault) => serve(call, chains, fault),
  })
  return { ...source, publish: (symbol, chain) => void chains.set(symbol, chain) }
}

function serve(call: Call, chains: ReadonlyMap<string, CboeChain>, fault: RowFault): Reply {
  const symbol = PATH.exec(call.path)?.[1]
  if (call.method !== 'GET' && call.method !== 'HEAD') return { status: 405 }
  if (symbol === undefined || call.query.size > 0 || !chains.has(symbol)) return DENIED
  const chain = chains.get(fault.instead?.symbol ?? symbol) ?? chains.get(symbol)!
  const body = JSON.stringify(renameFields(chain, fault))
  const etag = `"${createHash('md5').update(body).digest('hex')}"`
  const headers = {
    'content-type': 'application/json',
    'cache-control': 'max-age=60',
    etag,
    'last-modified': new Date(`${chain.timestamp.replace(' ', 'T')}Z`).toUTCString(),
  }
  if (call.headers['if-none-match'] === etag) return { status: 304, headers }
  return encodeReply({ status: 200, headers, body }, String(call.headers['accept-encoding'] ?? ''))
}

/** The chain with fields of its options renamed or left out. */
function renameFields(chain: CboeChain, { columns }: RowFault): unknown {
  if (!columns) return chain
  const rename = (option: CboeOption) =>
    Object.fromEntries(
      Object.entries(option)
        .filter(([name]) => columns[name] !== null)
        .map(([name, value]) => [columns[name] ?? name, value]),
    )
  return { ...chain, data: { ...chain.data, options: chain.data.options.map(rename) } }
}
