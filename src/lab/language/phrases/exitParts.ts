import type { NamedExit } from '../items.ts'
import type { Phrase } from '../phrase.ts'

const exit = (v: NamedExit) => ({ k: 'exit' as const, v })
const stop = (value: number) => exit({ stop: value, unit: 'pct_credit' })
const profit = (value: number, of: 'profit' | 'debit' = 'profit') => exit({ profit: value, of })

/** Profits as a part of the credit, as the price of closing, and those without a number. */
export const EXIT_PART_PHRASES: readonly Phrase[] = [
  {
    id: 'stop_none',
    field: 'stop',
    phrase: `
      (with|using) a [tight|hard|wide|reasonable] (stop|stop loss) !(at|of|is|to|when|if|on|by|=|
      ,|$|out|<num>|a|around|once|for|it|me|set|once|max|that)
    `,
    make: () => ({ k: 'vague', slot: 'stop' }),
  },
  {
    id: 'profit_price',
    field: 'profit',
    phrase: `
      [and] (buy it back|buy back|bought back|buying back|buy them back|cover|cover it) (at|for|
      when [it is] [worth] [at]) <pct:n> of @credit|[and] @exit [@it] (when|once|if) [@it] [is|
      are] (worth|costs|cost|down to|decays to) <pct:n2> of @credit
    `,
    head: 'exit',
    make: ({ n, n2 }) => {
      const price = n ?? n2
      return price > 100 ? stop(price) : profit(100 - price)
    },
  },
  {
    id: 'profit_take_part',
    field: 'profit',
    phrase: `
      [and] (take|keep|bank|capture|pocket|book|lock in|taking|keeping) <num:n> [of] (@credit|
      [the|my] profit|[the] max profit)|(out|@exit [@it]) (at|for) <num:x> [of] @credit|
      [and] (take|keep|bank|capture|pocket|book|lock in|taking|keeping) <pct:p> of (@credit|[the|my]
      profit|[the] max profit)
    `,
    head: 'exit',
    make: ({ n, p, x }) => {
      if (p !== undefined) return profit(p)
      // only half is as much to gain as to pay
      if (x !== undefined) {
        return x === 0.5 ? profit(50) : x < 1 ? { k: 'vague', slot: 'profit target' } : null
      }
      return n > 0 && n < 1 ? profit(n * 100) : null
    },
  },
  {
    id: 'profit_take',
    field: 'profit',
    phrase: `
      [and] (take|bank|pocket|taking) <pct:n> [(and (go|run))|off [the table]|and be done] !(of|
      profit|credit|loss)
    `,
    head: 'exit',
    make: ({ n }) => profit(n),
  },
  {
    id: 'profit_sell_bought',
    field: 'profit',
    phrase: `
      [and] (sell|sell it|dump it) (when|once|if) [its|it|it has|it is] (doubled|doubles)
    `,
    head: 'exit',
    make: () => profit(100, 'debit'),
  },
  {
    id: 'profit_sell_gain',
    field: 'profit',
    phrase: '[and] (sell|sell it) (at|for) [a] <pct:n> (gain|profit)',
    head: 'exit',
    make: ({ n }) => profit(n),
  },
  {
    id: 'profit_early',
    field: 'profit',
    phrase: '[and] (take|taking) profits (early|quickly|fast|quick)',
    make: () => ({ k: 'vague', slot: 'profit target' }),
  },
]
