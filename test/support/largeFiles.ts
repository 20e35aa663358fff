// Responses of gigabytes that are made while they are sent, and their fetch by a process of its own.

import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { systemClock } from '../../src/core/clock.ts'
import { DAY, massiveRows, NOW_MS } from './fetchPart.ts'
import { newFolder } from './import.ts'
import { randomNumbers } from './random.ts'
import {
  MASSIVE_COLUMNS,
  type MadeBytes,
  massiveTradesKey,
  startMassive,
} from './sources/massive.ts'
import type { Source as Server } from './sources/serve.ts'
import { startThetadata } from './sources/thetadata.ts'

const CHILD = join(import.meta.dirname, 'fetchLargeProcess.ts')
const BLOCK_BYTES = 1 << 20

/** A first block, then one that repeats until a size is reached. */
function repeatedBytes(first: Buffer, block: Buffer, sizeMin: number): MadeBytes {
  const count = Math.ceil((sizeMin - first.length) / block.length)
  const size = first.length + count * block.length
  return {
    size,
    read: function* (from, to) {
      for (let at = from; at < to; ) {
        const isFirst = at < first.length
        const source = isFirst ? first : block
        const offset = isFirst ? at : (at - first.length) % block.length
        const piece = source.subarray(offset, Math.min(source.length, offset + to - at))
        yield piece
        at += piece.length
      }
    },
  }
}

/** Lines of text of about a megabyte, whose numbers differ. */
function writeBlock(toLine: (random: () => number) => string): Buffer {
  const random = randomNumbers(7)
  let text = ''
  while (text.length < BLOCK_BYTES) text += `${toLine(random)}\n`
  return Buffer.from(text)
}

const [TRADE] = massiveRows(DAY, 1)
const THETA_COLUMNS =
  'symbol,expiration,strike,right,trade_timestamp,quote_timestamp,sequence,ext_condition1,ext_condition2,ext_condition3,ext_condition4,condition,size,exchange,price,bid_size,bid_exchange,bid,bid_condition,ask_size,ask_exchange,ask,ask_condition'

export type Large = {
  readonly server: Server
  readonly source: 'massive' | 'thetadata'
  /** Name of the file that is fetched. */
  readonly file: string
  readonly bytes: number
  /** Address at which another program gets the same bytes. */
  readonly target: string
}

/** Massive's file of a day: members of gzip, of random rows that hardly pack. */
export async function startLargeMassive(sizeMin: number): Promise<Large> {
  const lines = writeBlock(random =>
    MASSIVE_COLUMNS.trades
      .map(name =>
        name === 'price' || name === 'size' ? Math.floor(random() * 1e9) : TRADE![name],
      )
      .join(','),
  )
  const content = repeatedBytes(
    gzipSync(`${MASSIVE_COLUMNS.trades.join(',')}\n`),
    gzipSync(lines, { level: 1 }),
    sizeMin,
  )
  const key = massiveTradesKey(DAY)
  const server = await startMassive({
    nowMs: systemClock.nowMs,
    files: { [key]: { content, modifiedMs: NOW_MS - 3_600_000, etag: 'large' } },
  })
  return {
    server,
    source: 'massive',
    file: `massive-trades-${DAY}.csv.gz`,
    bytes: content.size,
    target: `${server.url}/flatfiles/${key}`,
  }
}

/** ThetaData's trades of two hours as plain CSV. */
export async function startLargeTerminal(sizeMin: number): Promise<Large> {
  const lines = writeBlock(
    random =>
      `SPXW,2026-10-16,5800.000,CALL,${DAY}T09:31:00.000,${DAY}T09:31:00.000,${Math.floor(random() * 1e9)},255,255,255,255,18,${Math.floor(random() * 100)},5,${(random() * 100).toFixed(2)},10,5,1.00,50,12,5,1.20,50`,
  )
  const content = repeatedBytes(Buffer.from(`${THETA_COLUMNS}\n`), lines, sizeMin)
  const server = await startThetadata({
    today: DAY,
    trades: new Map([[DAY, { raw: () => content.read(0, content.size) }]]),
  })
  const query = `symbol=SPXW&expiration=*&date=${DAY}&start_time=09:30:00&end_time=11:29:59.999`
  return {
    server,
    source: 'thetadata',
    file: 'thetadata-trade-quote-SPXW-0930.csv',
    bytes: content.size,
    target: `${server.url}/v3/option/history/trade_quote?${query}`,
  }
}

export type LargeResult = {
  readonly bytes: number
  readonly rows: number
  readonly seconds: number
  readonly peakMib: number
}

/** Fetches a file in a process of its own. Fails with its output where it fails. */
export async function fetchLarge({ server, source, file }: Large): Promise<LargeResult> {
  const dataFolder = newFolder()
  try {
    const [out, error] = await runProgram(process.execPath, [
      CHILD,
      source,
      file,
      server.url,
      dataFolder,
    ])
    if (error !== '' || out === '') throw new Error(`the fetch failed: ${error}${out}`)
    return JSON.parse(out) as LargeResult
  } finally {
    rmSync(dataFolder, { recursive: true, force: true })
  }
}

/** Runs a program to its end; returns its outputs. */
export function runProgram(
  program: string,
  args: readonly string[],
): Promise<readonly [out: string, error: string]> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const texts = ['', '']
  for (const [index, stream] of [child.stdout, child.stderr].entries()) {
    stream.setEncoding('utf8').on('data', chunk => {
      texts[index] += chunk
    })
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', () => resolve([texts[0]!, texts[1]!]))
  })
}
