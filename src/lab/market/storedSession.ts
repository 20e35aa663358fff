import type { Session } from '../../core/market/calendar.ts'
import type { BlockFile } from './blocks.ts'
import { type AboutFile, countStates, FIRST_MINUTE, MINUTE_COLUMNS } from './buildSession.ts'
import { createByteCache } from './byteCache.ts'
import { optionPart } from './contractBlocks.ts'
import { type LegType, registerQuoteReader } from './quotes.ts'
import type { LabExpiry, LabMinutes, LabOrders, LabSession } from './session.ts'

/** Sessions backed by block files: smiles and quotes are read on first access. */

/** Blocks read when a session is opened. */
export const FIRST_BLOCKS = [
  ...([
    'minutes',
    'orderFrom',
    'orderUntil',
    'orderPrinted',
    'orderPremium',
    'orderGamma',
  ] as const),
  'years',
  'forward',
  'discount',
  'strikes',
  'listedFrom',
  'smileFrom',
] as const

/** Maximum bytes of smiles held in memory. */
const SMILE_BYTES_MAX = 512 * 1024 ** 2

type Smile = { readonly strikes: Float64Array; readonly variances: Float64Array }

const smiles = createByteCache<BlockFile, Smile>(SMILE_BYTES_MAX, file => {
  const strikes = file.read('smileStrikes') as Float64Array
  smiles.grew(2 * strikes.byteLength)
  return { strikes, variances: file.read('smileVariances') as Float64Array }
})

/** Builds a session from its dte 0 file and the files of later contracts, by dte. */
export function storedSession(session: Session, files: readonly BlockFile[]): LabSession {
  const [file] = files
  const { settlement, source, unknownCount, parityCount } = (file!.about as AboutFile).session!
  const stateCount = countStates(session)
  const minutes = file!.first.minutes as Float64Array
  const columns = MINUTE_COLUMNS.map(([name], index) => [
    name,
    minutes.subarray(index * stateCount, (index + 1) * stateCount),
  ])
  return {
    date: session.date,
    isHalfDay: session.isHalfDay,
    firstMinute: FIRST_MINUTE,
    stateCount,
    ...(unknownCount !== undefined && { unknownCount }),
    ...(parityCount !== undefined && { parityCount }),
    market: Object.fromEntries(columns) as LabMinutes,
    orders: readOrders(file!),
    expiries: files.map(storedExpiry),
    settlement,
    settlementSource: source,
  }
}

function readOrders({ first }: BlockFile): LabOrders {
  return {
    fromState: first.orderFrom as Int32Array,
    untilState: first.orderUntil as Int32Array,
    printedState: first.orderPrinted as Int32Array,
    premiumUsd: first.orderPremium as Float64Array,
    gamma: first.orderGamma as Float64Array,
  }
}

function storedExpiry(file: BlockFile): LabExpiry | null {
  const about = (file.about as AboutFile).expiry
  if (!about) return null
  const { first } = file
  const strikes = first.strikes as Float64Array
  const states = (first.forward as Float64Array).length
  const plane = (column: QuoteColumn, type: LegType) =>
    readPlane(file, column, type, strikes.length)
  const expiry: LabExpiry = {
    ...about,
    years: first.years as Float64Array,
    strikes,
    listedFrom: first.listedFrom as Int32Array,
    forward: first.forward as Float64Array,
    discount: first.discount as Float64Array,
    smileFrom: first.smileFrom as Int32Array,
    get smileStrikes() {
      return smiles.of(file).strikes
    },
    get smileTotalVariances() {
      return smiles.of(file).variances
    },
    get callBid() {
      return plane(0, 'C')
    },
    get callAsk() {
      return plane(1, 'C')
    },
    get putBid() {
      return plane(0, 'P')
    },
    get putAsk() {
      return plane(1, 'P')
    },
    get callAge() {
      return Uint8Array.from(plane(2, 'C'))
    },
    get putAge() {
      return Uint8Array.from(plane(2, 'P'))
    },
  }
  registerQuoteReader(expiry, (strikeIndex, type) => {
    const quotes = file.readPart('quotes', optionPart(strikeIndex, type)) as Uint16Array
    return {
      bids: quotes.subarray(0, states),
      asks: quotes.subarray(states, 2 * states),
      ages: quotes.subarray(2 * states),
    }
  })
  return expiry
}

/** Index of an option's column (bid, ask or age) in the block of quotes. */
type QuoteColumn = 0 | 1 | 2

/**
 * Reads a quote column for all strikes in the plane layout of a session; rebuilt at each access.
 */
function readPlane(file: BlockFile, column: QuoteColumn, type: LegType, strikeCount: number) {
  const quotes = file.read('quotes')
  const stateCount = strikeCount === 0 ? 0 : quotes.length / (6 * strikeCount)
  const made = new Uint32Array(strikeCount * stateCount)
  for (let strikeIndex = 0; strikeIndex < strikeCount; strikeIndex++) {
    const start = (optionPart(strikeIndex, type) * 3 + column) * stateCount
    for (let state = 0; state < stateCount; state++) {
      made[state * strikeCount + strikeIndex] = quotes[start + state]!
    }
  }
  return made
}
