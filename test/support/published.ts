import { createHash } from 'node:crypto'
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { minutesAfter } from '../../src/core/market/calendar.ts'
import type { LedgerOrder } from '../../src/orders/orderFields.ts'
import { EXTENSION_OF_FORM, LEDGER_FORMS, renderLedgerFiles } from '../../src/orders/render.ts'
import type { LedgerInput } from '../../src/orders/wire.ts'

/** An order of the ledger stage: the published example, changed where a test says so. */
export const ledgerOrder = (changes: Partial<LedgerOrder> = {}): LedgerOrder => ({
  order_id: '20261014-130012345678-1',
  minute_et: '13:00',
  dealer_gamma_musd_per_point: 1.3253305176467,
  gamma_null_reason: null,
  structure: 'vertical',
  legs_text: '5950/5970P',
  legs: [
    { strike: 5950, option_type: 'P', customer_sign: 1 },
    { strike: 5970, option_type: 'P', customer_sign: -1 },
  ],
  main_expiry: '2026-10-14',
  size: 1000,
  contracts: 2000,
  net_premium_usd: 150_000,
  flip_distance_points: 5.1899416,
  flip_side: 'under',
  fold_confidence: 0.98,
  fold_basis: 'conditions',
  flags: [],
  side_probability: 0.8261,
  side_reason: null,
  convention_distance_points: 12.4407219,
  convention_side: 'under',
  fold_rule: 'island 1000 us',
  print_count: 2,
  ...changes,
})

/** A ledger of a session with true counts of its orders. */
export function ledgerInput(
  orders: readonly LedgerOrder[],
  changes: Partial<LedgerInput> = {},
): LedgerInput {
  const gammas = orders.map(order => order.dealer_gamma_musd_per_point)
  const count = (holds: (gamma: number | null) => boolean) => gammas.filter(holds).length
  return {
    day: '2026-10-14',
    symbol: 'SPX',
    min_premium_usd: 100_000,
    asof: '16:15:00',
    is_simulated: false,
    tape: { grade: 'good', reasons: [] },
    orders,
    stats: {
      order_count: orders.length,
      net_premium_usd: orders.reduce((sum, order) => sum + (order.net_premium_usd ?? 0), 0),
      no_side_count: orders.filter(order => order.gamma_null_reason === 'no_side').length,
      no_gamma_count: count(gamma => gamma === null),
      gamma_up_count: count(gamma => gamma !== null && gamma > 0),
      gamma_down_count: count(gamma => gamma !== null && gamma < 0),
      gamma_flat_count: count(gamma => gamma === 0),
    },
    ...changes,
  }
}

/** Orders with every shape of null, text and list, in ledger order. */
export const VARIED_ORDERS: readonly LedgerOrder[] = [
  ledgerOrder({ order_id: 'a', dealer_gamma_musd_per_point: -2.5, structure: 'iron_condor' }),
  ledgerOrder({ order_id: 'b' }),
  ledgerOrder({ order_id: 'c', dealer_gamma_musd_per_point: 1e-12, flags: ['x', 'hedged, "so"'] }),
  ledgerOrder({ order_id: 'd', dealer_gamma_musd_per_point: 0, net_premium_usd: 0 }),
  ledgerOrder({
    order_id: 'e',
    dealer_gamma_musd_per_point: null,
    gamma_null_reason: 'no_side',
    side_probability: null,
    side_reason: 'no_quote',
    fold_rule: 'single',
    print_count: 1,
    legs: [{ strike: 12.5, option_type: 'C', customer_sign: 0 }],
    legs_text: '',
    main_expiry: null,
    net_premium_usd: null,
    flip_distance_points: null,
    flip_side: null,
    size: null,
    contracts: null,
    fold_confidence: null,
    fold_basis: 'prints',
  }),
]

/** Publishes a ledger as the publisher does: new names first, then the manifest by rename. */
export async function publishLedger(
  dataFolder: string,
  input: LedgerInput,
  revision = 'r1',
): Promise<void> {
  const published = join(dataFolder, 'published')
  const missing = (input.gaps ?? []).flatMap(({ from, minutes }) =>
    Array.from({ length: minutes }, (_, index) => minutesAfter(from, index)),
  )
  const files = await renderLedgerFiles(input)
  const ledger: Record<string, object> = {}
  for (const form of LEDGER_FORMS) {
    const { data, bytes, sha256, etag } = files[form]
    const file = `ledger/session=${input.day}/${revision}.${EXTENSION_OF_FORM[form]}`
    write(join(published, file), data)
    ledger[form] = { file, bytes, sha256, etag }
  }
  writeManifest(dataFolder, input.day, {
    format: 1,
    session_date: input.day,
    symbol: input.symbol,
    simulated: input.is_simulated,
    revision,
    asof: input.asof,
    code_version: 'test',
    minutes: { expected: 405, present: 405 - missing.length, missing },
    datasets: {},
    ledger,
    inputs: [],
    tape: {},
    tape_grade: input.tape,
  })
}

/** Publishes a manifest, whatever its contents. */
export function writeManifest(dataFolder: string, day: string, manifest: unknown): void {
  const path = join(dataFolder, 'published/manifests', `${day}.json`)
  const text = typeof manifest === 'string' ? manifest : JSON.stringify(manifest)
  const temporary = `${path}.${createHash('sha256').update(text).digest('hex').slice(0, 8)}.tmp`
  write(temporary, Buffer.from(text))
  renameSync(temporary, path)
}

function write(path: string, data: Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, data)
}
