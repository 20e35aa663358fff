import { alignColumns } from '../data/published/analyst.ts'
import { CONVENTION } from '../data/published/reasons.ts'
import { isByConvention, type WireLedger, type WireOrder } from './schema.ts'

/** Columns of the table, by their names in the API. */
const COLUMNS = [
  'time',
  'kind',
  'legs',
  'exp',
  'size',
  'customer',
  'net $M',
  'gamma $M/pt',
  'flip',
  'side',
  'confidence',
]

const BY_CONVENTION = `* from the convention flip (${CONVENTION}): no flip was known at that minute.`

/** Text table of a ledger's first orders, with the total count and every note. */
export function ledgerTable({ orders, note, simulated }: WireLedger, top: number): string {
  const shown = orders.slice(0, top).map(formatRow)
  const count = `(${shown.length} of ${orders.length} orders)`
  const lines = [
    ...(shown.length > 0 ? [alignColumns([COLUMNS, ...shown]), count] : []),
    ...(orders.length === 0 && note === undefined ? ['no large order'] : []),
    ...(orders.slice(0, top).some(isByConvention) ? [BY_CONVENTION] : []),
    ...(note === undefined ? [] : [note]),
    ...(simulated
      ? ['SIMULATED: customers, prices and dealers of this session are invented.']
      : []),
  ]
  return `${lines.join('\n')}\n`
}

function formatRow(order: WireOrder): string[] {
  const { t, kind, legs, exp, size, lg, net, g, confidence } = order
  const [points, side] = isByConvention(order)
    ? [`${fixed(order.flip_convention ?? null, 1)}*`, order.side_convention]
    : [fixed(order.flip, 1), order.side]
  return [
    t,
    kind,
    legs,
    exp ?? '',
    size === null ? '' : String(size),
    formatSide(lg),
    fixed(net, 2),
    g === null ? '' : `${g < 0 ? '' : '+'}${fixed(g, 2)}`,
    points,
    side ?? '',
    fixed(confidence, 2),
  ]
}

/** Side of the customer in the package, which is that of its first leg. */
function formatSide([first]: WireOrder['lg']): string {
  const sign = first?.[2] ?? 0
  return sign === 0 ? '?' : sign > 0 ? 'bought' : 'sold'
}

const fixed = (value: number | null, decimals: number): string =>
  value === null ? '' : value.toFixed(decimals)
