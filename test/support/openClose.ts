/**
 * A market of accounts that trade contracts, and the Open-Close files that an exchange would make
 * of it: counted trade by trade, without any code of the product.
 */

import { randomNumbers } from './random.ts'

const OPENING_CLASSES = [
  'firm',
  'bd',
  'cust_lt_100',
  'cust_100_199',
  'cust_gt_199',
  'procust_lt_100',
  'procust_100_199',
  'procust_gt_199',
] as const
type OpeningClass = (typeof OPENING_CLASSES)[number]
type TraderClass = OpeningClass | 'mm'

const ACTIONS = ['open_buy', 'close_buy', 'open_sell', 'close_sell'] as const

export type Contract = {
  readonly root: string
  readonly expiry: string
  readonly strike: number
  readonly optionType: 'C' | 'P'
}

/** Contracts and numbers of trades, by column without its ending. */
export type Volumes = Record<string, { contracts: number; trades: number }>

export type ContractRow = {
  readonly contract: Contract
  readonly volumes: Volumes
  readonly traded: number
  /** In the morning. */
  readonly openInterest: number
}

/** One account: market makers net, all others have long and short contracts of their own. */
type Account = { readonly of: TraderClass; long: number; short: number; net: number }

const COLUMNS = [
  'mm_buy',
  'mm_sell',
  ...OPENING_CLASSES.flatMap(name => ACTIONS.map(action => `${name}_${action}`)),
]

const noVolumes = (): Volumes =>
  Object.fromEntries(COLUMNS.map(name => [name, { contracts: 0, trades: 0 }]))

export type MarketOfAccounts = {
  /** Trades in a contract at random; returns its row of the day, as it stands after each trade. */
  readonly trade: (contract: Contract, count: number) => ContractRow[]
  /** Contracts that anybody is long, which are those that anybody is short. */
  readonly openInterest: (contract: Contract) => number
  /** Contracts that accounts of some classes hold together, long above zero. */
  readonly position: (contract: Contract, classes: readonly TraderClass[]) => number
}

export function createAccounts(seed: number): MarketOfAccounts {
  const random = randomNumbers(seed)
  const accountsByContract = new Map<string, Account[]>()
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)]!
  const find = (contract: Contract): Account[] => {
    const key = JSON.stringify(contract)
    const known = accountsByContract.get(key)
    if (known) return known
    const classes: TraderClass[] = ['mm', 'mm', 'mm', ...OPENING_CLASSES, ...OPENING_CLASSES]
    const made = classes.map(of => ({ of, long: 0, short: 0, net: 0 }))
    accountsByContract.set(key, made)
    return made
  }
  const openInterest = (contract: Contract): number => {
    const accounts = find(contract)
    const longs = accounts.reduce((sum, one) => sum + one.long + Math.max(one.net, 0), 0)
    const shorts = accounts.reduce((sum, one) => sum + one.short + Math.max(-one.net, 0), 0)
    if (longs !== shorts) throw new Error(`${longs} long and ${shorts} short`)
    return longs
  }
  return {
    openInterest,
    trade: (contract, count) => {
      const accounts = find(contract)
      const morning = openInterest(contract)
      const rows: ContractRow[] = []
      let volumes = noVolumes()
      let traded = 0
      for (let index = 0; index < count; index++) {
        const buyer = pick(accounts)
        const seller = pick(accounts.filter(other => other !== buyer))
        const size = 1 + Math.floor(300 * random())
        volumes = structuredClone(volumes)
        note(volumes, buy(buyer, size), size)
        note(volumes, sell(seller, size), size)
        traded += size
        rows.push({ contract, volumes, traded, openInterest: morning })
      }
      return rows
    },
    position: (contract, classes) =>
      find(contract)
        .filter(account => classes.includes(account.of))
        .reduce((sum, one) => sum + one.net + one.long - one.short, 0),
  }
}

/** Buys for an account; returns the column in which the exchange counts it. */
function buy(account: Account, size: number): string {
  if (account.of === 'mm') {
    account.net += size
    return 'mm_buy'
  }
  if (account.short >= size) {
    account.short -= size
    return `${account.of}_close_buy`
  }
  account.long += size
  return `${account.of}_open_buy`
}

function sell(account: Account, size: number): string {
  if (account.of === 'mm') {
    account.net -= size
    return 'mm_sell'
  }
  if (account.long >= size) {
    account.long -= size
    return `${account.of}_close_sell`
  }
  account.short += size
  return `${account.of}_open_sell`
}

function note(volumes: Volumes, column: string, size: number): void {
  volumes[column]!.contracts += size
  if (size > 0) volumes[column]!.trades += 1
}

type FileOptions = {
  /** Writes the number of trades where the file should have contracts. */
  readonly areTrades?: boolean
  /** False: the file has no columns of trades. */
  readonly hasQuantities?: boolean
  /** Leaves out open interest and the traded volume. */
  readonly isBare?: boolean
}

/** The end-of-day file of a day, as text. */
export function dayFile(
  day: string,
  rows: readonly ContractRow[],
  { areTrades = false, hasQuantities = true, isBare = false }: FileOptions = {},
): string {
  const names = [
    'quote_date',
    'underlying_symbol',
    'option_symbol',
    'series_type',
    'expiration_date',
    'strike_price',
    'call_put_flag',
    ...(isBare ? [] : ['total_exchange_vol', 'open_interest']),
    ...COLUMNS.flatMap(name => (hasQuantities ? [`${name}_qty`, `${name}_vol`] : [`${name}_vol`])),
  ]
  const lines = rows.map(({ contract, volumes, traded, openInterest }) =>
    [
      day,
      '^SPX',
      contract.root,
      'S',
      contract.expiry,
      contract.strike,
      contract.optionType,
      ...(isBare ? [] : [traded, openInterest]),
      ...COLUMNS.flatMap(name => {
        const { contracts, trades } = volumes[name]!
        const volume = areTrades ? trades : contracts
        return hasQuantities ? [trades, volume] : [volume]
      }),
    ].join(','),
  )
  return `${[names.join(','), ...lines].join('\n')}\n`
}

/** A file of ten-minute sums, with the names of the specification; times are New York's. */
export function intervalFile(rows: readonly (ContractRow & { readonly at: string })[]): string {
  const names = [
    'ticker',
    'quote_datetime',
    'root',
    'expiration',
    'strike',
    'option_type',
    ...COLUMNS.map(name => `${name}_vol`),
  ]
  const lines = rows.map(({ at, contract, volumes }) =>
    [
      '^SPX',
      at,
      contract.root,
      contract.expiry,
      contract.strike,
      contract.optionType,
      ...COLUMNS.map(name => volumes[name]!.contracts),
    ].join(','),
  )
  return `${[names.join(','), ...lines].join('\n')}\n`
}

/**
 * Rows of a day on which everything that is held was opened: dealers traded what they hold, and
 * small customers are all others. Of rows of contracts with `open_interest` and dealers' `quantity`.
 */
export function firstDayRows(held: readonly Readonly<Record<string, unknown>>[]): ContractRow[] {
  return held.map(row => {
    const [interest, quantity] = [Number(row.open_interest), Number(row.quantity)]
    const [long, short] = [Math.max(quantity, 0), Math.max(-quantity, 0)]
    const volumes = noVolumes()
    note(volumes, 'mm_buy', long)
    note(volumes, 'mm_sell', short)
    note(volumes, 'cust_lt_100_open_buy', interest - long)
    note(volumes, 'cust_lt_100_open_sell', interest - short)
    const contract: Contract = {
      root: String(row.root),
      expiry: String(row.expiry),
      strike: Number(row.strike),
      optionType: row.option_type as 'C' | 'P',
    }
    return { contract, volumes, traded: interest, openInterest: 0 }
  })
}
