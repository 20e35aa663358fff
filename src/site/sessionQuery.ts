import { isDate, isMinute } from '../core/market/calendar.ts'
import { BOOKS, type Book } from '../data/published/books.ts'
import { EXPOSURE_NAMES } from '../levels/ask.ts'
import { ORDER_SORTS, type OrderSearch } from '../orders/ask.ts'
import { ApiError } from '../platform/http/error.ts'
import { onlyOne } from '../platform/http/query.ts'
import { shown } from '../platform/http/request.ts'

/** Parses the address of a session page; each invalid part is reported in one sentence. */

export const SESSION_PARAMETERS = ['book', 't'] as const
export const ORDER_PARAMETERS = ['kind', 'side', 'exp', 'min_premium', 'sort', 'page'] as const

type Values<Name extends string> = Readonly<Record<Name, readonly string[]>>

/** Orders of one page. */
export const PAGE_SIZE = 50
const PAGES_MAX = 10_000
const KIND_MAX_LENGTH = 40

export type SessionView = { readonly book: Book; readonly t: string | null }

/** Selects the book and minute. Fails with `invalid` or `bad_time`. */
export function readView({ book, t }: Values<(typeof SESSION_PARAMETERS)[number]>): SessionView {
  return {
    book: readChoice('book', book, BOOKS, 'vol') ?? 'measured',
    t: readMinute(onlyOne('t', t, 'bad_time')),
  }
}

export const EXPOSURE_PARAMETERS = [...SESSION_PARAMETERS, 'exposure'] as const

/** Selects the exposure too. Fails likewise. */
export function readExposures(values: Values<(typeof EXPOSURE_PARAMETERS)[number]>) {
  const exposure = readChoice('exposure', values.exposure, EXPOSURE_NAMES, 'vanna') ?? 'gamma'
  return { ...readView(values), exposure }
}

function readMinute(text: string | null): string | null {
  if (text === null || isMinute(text)) return text
  const message = `t is ${shown(text)}; give a minute of New York, such as t=11:14.`
  throw new ApiError('bad_time', { message })
}

/**
 * Index of a minute in a session; by default the last one before `close`, while the options of the
 * day still trade. Fails likewise.
 */
export function findMinuteIndex(
  minutes: readonly string[],
  t: string | null,
  close: string,
): number {
  if (t === null) {
    const before = minutes.findLastIndex(minute => minute < close)
    return before < 0 ? Math.max(0, minutes.length - 1) : before
  }
  const index = minutes.indexOf(t)
  if (index >= 0) return index
  const range = minutes.length === 0 ? 'none yet' : `${minutes[0]} to ${minutes.at(-1)}`
  const message = `t is ${shown(t)}; the session has ${range}, such as t=${minutes[0] ?? '11:14'}.`
  throw new ApiError('bad_time', { message })
}

export type OrdersView = OrderSearch & { readonly page: number }

const SIDES = ['bought', 'sold', 'none'] as const

/** Selects orders, their sort order, and the page. Fails with `invalid`. */
export function readOrders(values: Values<(typeof ORDER_PARAMETERS)[number]>): OrdersView {
  const page = readNumber('page', values.page, { example: '2', isWhole: true }) ?? 1
  if (page < 1 || page > PAGES_MAX) throw wrong('page', String(page), 'a page, such as page=2')
  return {
    kind: readKind(given('kind', values.kind)),
    side: readChoice('side', values.side, SIDES, 'bought'),
    exp: readExpiry(given('exp', values.exp)),
    minPremium: readNumber('min_premium', values.min_premium, { example: '2.5', isWhole: false }),
    sort: readChoice('sort', values.sort, ORDER_SORTS, 'time') ?? 'effect',
    start: (page - 1) * PAGE_SIZE,
    count: PAGE_SIZE,
    page,
  }
}

function readKind(kind: string | null): string | null {
  if (kind === null || (/^\w+$/.test(kind) && kind.length <= KIND_MAX_LENGTH)) return kind
  throw wrong('kind', kind, 'a structure, such as kind=vertical')
}

function readExpiry(exp: string | null): string | null {
  if (exp === null || isDate(exp)) return exp
  throw wrong('exp', exp, 'a date, such as exp=2026-10-16')
}

/** An empty field of a form is no filter. */
function given(name: string, values: readonly string[]): string | null {
  const value = onlyOne(name, values)
  return value === '' ? null : value
}

function readChoice<Choice extends string>(
  name: string,
  values: readonly string[],
  choices: readonly Choice[],
  example: Choice,
): Choice | null {
  const value = given(name, values)
  if (value === null) return null
  const found = choices.find(choice => choice === value)
  if (found) return found
  throw wrong(name, value, `one of ${choices.join(', ')}, such as ${name}=${example}`)
}

function readNumber(
  name: string,
  values: readonly string[],
  { example, isWhole }: { readonly example: string; readonly isWhole: boolean },
): number | null {
  const value = given(name, values)
  if (value === null) return null
  const form = isWhole ? /^\d{1,7}$/ : /^\d{1,7}(\.\d{1,6})?$/
  if (form.test(value)) return Number(value)
  const unit = name === 'min_premium' ? 'millions of dollars' : 'a whole number'
  throw wrong(name, value, `${unit}, such as ${name}=${example}`)
}

const wrong = (name: string, value: string, good: string) =>
  new ApiError('invalid', { message: `${name} is ${shown(value)}; give ${good}.` })

/** Address of orders with some parameters changed; empty ones are left out. */
export function ordersPath(path: string, view: OrdersView, change: Partial<OrdersView>): string {
  const { kind, side, exp, minPremium, sort, page } = { ...view, ...change }
  const fields = {
    kind,
    side,
    exp,
    min_premium: minPremium,
    sort: sort === 'effect' ? null : sort,
    page: page === 1 ? null : page,
  }
  const query = Object.entries(fields).flatMap(([name, value]) =>
    value === null ? [] : `${name}=${encodeURIComponent(value)}`,
  )
  return query.length === 0 ? path : `${path}?${query.join('&')}`
}

/** The parameters of a page of orders when none is given. */
export const NO_ORDERS = Object.fromEntries(
  ORDER_PARAMETERS.map(name => [name, []]),
) as unknown as Record<(typeof ORDER_PARAMETERS)[number], readonly string[]>
