// Every sentence of a result is one that is known, and each number in it is that of the trades.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Missed, Trade } from '../../../src/lab/engine/trade.ts'
import type { RuleSpec } from '../../../src/lab/language/spec.ts'
import { type ReplayRule, runWith } from '../../../src/lab/verdict/run.ts'
import { ledgerTrade, MADE_RULE, madeMarket, madeRequest } from '../../support/labLedger.ts'
import { randomNumbers } from '../../support/random.ts'
import { otherEra } from './otherEra.ts'

const COUNT = '([\\d,]+)'
const PERCENT = '([-+]?[\\d.]+)%'
const USD = '(-?\\$[\\d,]+)'
const DAY = '(\\d{4}-\\d\\d-\\d\\d)'

const pattern = (text: string) => new RegExp(`^${text.replaceAll('~', 's?')}$`)
/** A number of a sentence; of "$1,840" too. */
const findNumber = (text: string | undefined) => Number((text ?? '0').replace(/[,$]/g, ''))

const SENTENCES = {
  data: pattern(
    `Tested on ${COUNT} simulated session~, ${DAY} to ${DAY}(, those before the holdout)?` +
      `(?:; ${COUNT} day~ left out, each with its reason)?\\.`,
  ),
  era: pattern(
    `${COUNT} trade~ on ${COUNT} day~ made ${PERCENT} of their risk each after costs, ${USD} ` +
      `together(?:, against ${PERCENT} of ${COUNT} trade~ without the conditions)?; ` +
      `${PERCENT} won\\.(?: ${COUNT} chance~ could not be traded\\.)?`,
  ),
  none: pattern(`The rule made no trade\\.(?: ${COUNT} chance~ could not be traded\\.)?`),
  verdict: /^(Interesting|Not interesting)\. .+\.$/,
  rough: pattern(
    `Its t on the holdout is rough: ${COUNT} day~, and under 20 luck looks like skill more often ` +
      'than p says\\.',
  ),
  seen: pattern(
    `With ${COUNT} sessions an effect of ${PERCENT} of the risk is seen in 4 of 5 cases; to see ` +
      `${PERCENT}(, as before the holdout,)? you need ${COUNT} sessions\\.`,
  ),
  notSeen: pattern(
    `How small an effect could be seen is not known: ${COUNT} day~; 20 are needed before the ` +
      'holdout, with the conditions and without\\.',
  ),
  unresolved: pattern(
    `The end of ${COUNT} trade~ is not known; (?:together they can have lost ${USD}|` +
      'what they can have lost has (no bound))\\.',
  ),
  struct: /^It looks at no session of the holdout, and has no verdict\.$/,
  sealed: pattern(
    `The holdout, ${DAY} to ${DAY}, was looked at (once|${COUNT} times) for this idea and ` +
      `(once|${COUNT} times) for all of its kind; each look makes luck likelier, so more is ` +
      'asked\\.',
  ),
  unsealed: pattern(
    `There is no holdout, so nothing is called interesting: ${COUNT} session~; ` +
      'a holdout needs 120\\.',
  ),
  simulated: /^These sessions are simulated: they prove nothing about a real market\.$/,
  limits: /^What this does not prove: .+\.$/,
}
type Name = keyof typeof SENTENCES

type Requested = {
  readonly seed: number
  readonly sessions: number
  readonly share: number
  readonly legs: 1 | 2
  readonly kind: 'backtest' | 'struct'
  readonly looks: number
}

/** Trades at random, some of unknown end, and chances that were none. */
const findReplay = ({ seed, share, legs }: Requested): ReplayRule => {
  return (_, _spec, { sessions }) => {
    const random = randomNumbers(seed)
    const trades: Trade[] = []
    const missed: Missed[] = []
    for (let ruleLeg = 0; ruleLeg < legs; ruleLeg++) {
      for (let session = 0; session < sessions.to; session++) {
        const [dice, drawn, isInRule] = [random(), random() - 0.5, random() < share]
        const row = { ruleLeg, session, isInRule }
        if (dice < 0.05) missed.push({ ...row, decidedAt: 600, reason: 'no_price' })
        else if (dice > 0.03 * share + 0.96) {
          const worstUsd = random() < 0.1 ? null : -Math.round(1e5 * random()) / 100
          trades.push(ledgerTrade({ ...row, r: null, worstUsd }))
        } else trades.push(ledgerTrade({ ...row, r: drawn, pnlUsd: 870 * drawn }))
      }
    }
    return { trades, missed }
  }
}

/** The words of a sentence, without the name of its trade, and which one it is. */
function read(text: string): { name: Name; words: (string | undefined)[]; leg: number } {
  const [, number = '1', bare = text] = /^(?:Trade (\d): )?(.*)$/s.exec(text)!
  const found = (Object.keys(SENTENCES) as Name[]).filter(name => SENTENCES[name].test(bare))
  expect([text, found.length]).toEqual([text, 1])
  const [name] = found as [Name]
  return { name, words: [...SENTENCES[name].exec(bare)!].slice(1), leg: Number(number) - 1 }
}

const isRounded = (text: string | undefined, value: number, digits: number) =>
  expect(Math.abs(findNumber(text) - value)).toBeLessThanOrEqual(0.5 * 10 ** -digits + 1e-9)

function checkEra(words: readonly (string | undefined)[], era: ReturnType<typeof otherEra>) {
  const [n, days, mean, usd, coreMean, coreN, win] = words
  expect([findNumber(n), findNumber(days)]).toEqual([era.n, era.days])
  isRounded(mean, 100 * era.rule.mean!, 1)
  isRounded(usd, era.rule.sum_usd, 0)
  isRounded(win, 100 * era.rule.win!, 1)
  if (era.n === era.core.n) expect(coreN).toBeUndefined()
  else {
    expect(findNumber(coreN)).toBe(era.core.n)
    isRounded(coreMean, 100 * era.core.mean!, 1)
  }
}

const requested = fc.record({
  seed: fc.integer({ min: 1, max: 1e6 }),
  sessions: fc.constantFrom(1, 119, 120, 140, 400),
  share: fc.constantFrom(0, 0.1, 0.1, 0.6, 1),
  legs: fc.constantFrom(1 as const, 2 as const),
  kind: fc.constantFrom('backtest' as const, 'struct' as const),
  looks: fc.integer({ min: 1, max: 2_000 }),
})

test('each sentence of a result is known, and its numbers are those of the trades', () => {
  const seen = new Map<Name, number>()
  const property = fc.property(requested, one => {
    const market = madeMarket(
      Array.from({ length: one.sessions }, () => ({ r: [], value: [] })),
      '2020-01-02',
    )
    const { core, when } = MADE_RULE
    const spec = (one.legs === 1 ? MADE_RULE : { ...MADE_RULE, more: [{ core, when }] }) as RuleSpec
    const lineage = { versions: 1, trials: 1, looks: 1, family_trials: 1, family_looks: one.looks }
    const leftOut = Array.from({ length: one.seed % 3 }, (_, at) => ({
      day: `2019-12-0${at + 1}`,
      reason: 'bad_tape' as const,
    }))
    const { result, ledger } = runWith({
      market: { ...market, leftOut },
      request: madeRequest({ kind: one.kind, spec, lineage }),
      replay: findReplay(one),
    })
    const { data, holdout } = result
    const inLeg = (leg: number) => ledger.trades.filter(({ ruleLeg }) => ruleLeg === leg)
    const all = (leg: number) => otherEra(inLeg(leg), 0, data.used, null)
    for (const text of result.says) {
      const { name, words, leg } = read(text)
      seen.set(name, (seen.get(name) ?? 0) + 1)
      if (name === 'data') {
        const [used, from, to, isCut, left] = words
        expect([findNumber(used), from, to]).toEqual([data.used, data.from, data.to])
        expect([isCut !== undefined, findNumber(left)]).toEqual([
          one.kind === 'struct',
          leftOut.length,
        ])
      }
      if (name === 'era') checkEra(words, all(leg))
      if (name === 'none') expect(all(leg).n).toBe(0)
      if (name === 'era' || name === 'none') {
        const missed = ledger.missed.filter(row => row.ruleLeg === leg && row.isInRule)
        expect(findNumber(words.at(-1))).toBe(missed.length)
      }
      if (name === 'verdict') {
        expect(words[0] === 'Interesting').toBe(result.legs[leg]!.verdict!.interesting)
      }
      if (name === 'rough') {
        const from = market.sessions.findIndex(({ date }) => date === holdout!.from)
        const { days } = otherEra(inLeg(leg), from, one.sessions, null)
        expect([findNumber(words[0]), days >= 2, days < 20]).toEqual([days, true, true])
      }
      if (name === 'seen') {
        const { effect, wanted, sessions_needed: needed, sessions } = result.legs[leg]!.seen!
        expect([findNumber(words[0]), findNumber(words[4])]).toEqual([sessions, needed])
        isRounded(words[1], 100 * effect!, 1)
        isRounded(words[2], 100 * wanted!, 1)
        expect(sessions).toBe(holdout?.sessions ?? 60)
      }
      if (name === 'notSeen') {
        const count = one.kind === 'struct' || !holdout ? data.used : data.used - holdout.sessions
        const trades = inLeg(leg).filter(({ session, r }) => session < count && r !== null)
        const days = [true, false].map(
          isOn => new Set(trades.filter(one => one.isInRule === isOn).map(one => one.session)).size,
        )
        expect(findNumber(words[0])).toBe(Math.min(...days))
      }
      if (name === 'unresolved') {
        const open = inLeg(leg).filter(({ r, isInRule }) => r === null && isInRule)
        expect(findNumber(words[0])).toBe(open.length)
        expect(words[2] !== undefined).toBe(open.some(({ worstUsd }) => worstUsd === null))
        const lost = open.reduce((sum, { worstUsd }) => sum - (worstUsd ?? 0), 0)
        if (words[1] !== undefined) isRounded(words[1], lost, 0)
      }
      if (name === 'sealed') {
        expect(words.slice(0, 2)).toEqual([holdout!.from, holdout!.to])
        expect(words[2]).toBe('once')
        expect(words[4] === 'once' ? 1 : findNumber(words[5])).toBe(one.looks)
      }
      if (name === 'unsealed') expect([findNumber(words[0]), holdout]).toEqual([one.sessions, null])
    }
  })
  fc.assert(property, { numRuns: 100 })
  expect(Object.keys(SENTENCES).filter(name => !seen.has(name as Name))).toEqual([])
})
