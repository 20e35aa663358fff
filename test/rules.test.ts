// Each rule that a reader looks for by the contract's words is one constant in one file: its value
// stands nowhere else in this role, neither as a number nor in words for people.

import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'

type Rule = {
  readonly file: string
  readonly constant: string
  readonly value: string
  /** How the rule is written where it is written a second time. */
  readonly repeats: RegExp
}

const DELIVERY = 'src/platform/webhooks/delivery.ts'
const PRODUCTS = 'src/accounts/products.ts'

const RULES: readonly Rule[] = [
  {
    file: DELIVERY,
    constant: 'EVENTS_PER_MINUTE_MAX',
    value: '30',
    repeats:
      /(FIRST_ATTEMPTS|EVENTS_PER_MINUTE)_MAX = 30\b|\b(30|thirty) events|over 30 in a minute/i,
  },
  {
    file: DELIVERY,
    constant: 'RETRY_DELAYS_MS',
    value: '[1_000, 4_000]',
    repeats: /\[1_?000, 4_?000\]|\b1 s(econd)? and after 4\b|\bthree tries\b/,
  },
  {
    file: DELIVERY,
    constant: 'FAILURES_UNTIL_OFF',
    value: '10',
    repeats: /(IN_A_ROW_MAX|UNTIL_OFF) = 10\b|\b(ten|10) (failed )?events|\b(ten|10) switch/i,
  },
  {
    file: PRODUCTS,
    constant: 'CALLS_PER_MINUTE_MAX',
    value: '120',
    repeats: /minuteCallsPerKey: 120|\bminuteCalls: \d|\b120 (requests|calls)|q=120\b|r=119\b/,
  },
  {
    file: PRODUCTS,
    constant: 'CLIENT_ADDRESSES_PER_HOUR',
    value: '3',
    repeats: /hourAddresses\w*: \d|\b(3|three) client addresses/,
  },
  {
    file: PRODUCTS,
    constant: 'HISTORY_DAYS_FREE',
    value: '90',
    repeats: /historyDays: \d|older than 90 days/,
  },
  {
    file: PRODUCTS,
    constant: 'CREDITS_PER_MONTH',
    value: '30',
    repeats: /monthlyCredits: \d|\b30 credits/,
  },
  {
    file: PRODUCTS,
    constant: 'MESSAGES_PER_DAY_MAX',
    value: '5_000',
    repeats: /dailyMessages: \d|\b5[_,]?000 messages/,
  },
  {
    file: PRODUCTS,
    constant: 'POSITIONS_MAX',
    value: '5',
    repeats: /positionsMax: \d|(up to|at most) (5|five) positions/,
  },
  {
    file: 'src/core/market/minPremium.ts',
    constant: 'MIN_PREMIUM_USD',
    value: '100_000',
    repeats: /premium\w*"?:? ?(=|of|::)? ?100[_,]?000\b|\$100,000 premium|default\(100_000\)/i,
  },
  {
    file: 'src/core/market/calendar.ts',
    constant: 'FRIDAY_EXPIRIES_FROM',
    value: "'2015-02-01'",
    repeats: /2015-0[12]|\[2000, 2015\]/,
  },
  {
    file: 'src/platform/http/deprecations.ts',
    constant: 'PUT_SUPPORT_LAST_DAY',
    value: "'2026-11-30'",
    repeats: /2026-11-30|2026-12-01/,
  },
]

const SOURCES = globSync(['{src,pipelines}/**/*.ts', 'sql/**/*.sql']).map(file => {
  const text = readFileSync(file, 'utf8')
  return { file, text: withoutComments(text, file.endsWith('.sql')) }
})

function withoutComments(text: string, isSql: boolean): string {
  if (isSql) return text.replace(/--.*/g, '')
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/ .*/gm, '$1')
}

describe.each(RULES)('$constant', ({ file, constant, value, repeats }) => {
  test('is exported by its file, and declared in no other', () => {
    const declaration = new RegExp(`\\bconst ${constant}\\b`)
    const declared = SOURCES.filter(({ text }) => declaration.test(text))
    expect(declared.map(source => source.file)).toEqual([file])
    const exported = new RegExp(`^export const ${constant}(: [^=]+)? = (.+)$`, 'm')
    expect(exported.exec(declared[0]!.text)?.[2]).toBe(value)
  })

  test('has its value from no other place', () => {
    const written = SOURCES.flatMap(source =>
      source.text
        .split('\n')
        .filter(line => repeats.test(line) && !line.startsWith(`export const ${constant}`))
        .map(line => `${source.file}: ${line.trim()}`),
    )
    expect(written).toEqual([])
  })
})
