import { MIN_PREMIUM_USD } from '../../core/market/minPremium.ts'
import { grouped } from '../../core/text/counts.ts'
import { type Html, html } from './template.ts'

/** Terms explained to visitors, each in a sentence or two. */
export const GLOSSARY = [
  ['tape', 'All trade reports of a session, in the order of time.'],
  ['print', 'One trade report on the tape.'],
  [
    'session',
    'One trading day of the exchange, 09:30 to 16:15 in New York; half days are shorter.',
  ],
  ['order', 'What Tapefold rebuilds: all the prints of one customer order.'],
  ['package', 'An order of several contracts that traded together, such as a vertical spread.'],
  ['leg', 'One contract of a package.'],
  ['premium', 'Price times contracts times 100: what was paid for the options.'],
  [
    'ledger',
    `All large orders of a session: those of $${grouped(MIN_PREMIUM_USD)} premium and more.`,
  ],
  ['dealer book', 'How many of each contract the dealers are estimated to hold, minute by minute.'],
  [
    'gamma',
    'How much stock or futures dealers must trade when the index moves by one point, in $ million.',
  ],
  ['flip', 'The index level at which the net gamma of the dealers is zero.'],
  [
    'error bar',
    'The range in which the true value is expected 9 times out of 10. A flip without one is not ' +
      'named.',
  ],
  ['wall', 'The strike at which the dealers have the most gamma: one of calls, one of puts.'],
  [
    'regime',
    'The sign of the net gamma of dealers. Positive: they damp moves; negative: they add to them.',
  ],
  ['tape grade', 'How far the tape of a session can be trusted: good, doubtful or bad.'],
  ['simulated', 'Made by our simulator to show and test the service: no real trade is in it.'],
  ['expected move', 'How far the options price the index to go by the end of the session.'],
  ['label', 'What the conditions of a position add up to: TRADE, CAUTION or SKIP.'],
  ['condition', 'A measure of the market that is on when it passes its threshold.'],
  ['short strike', 'The strike of an option that was sold.'],
  ['entry', 'The minute at which a position is to be opened, New York time.'],
  ['key', 'The secret that a program sends with each call. It is shown once, when it is made.'],
  ['scope', 'Which product a key opens. A key opens one product.'],
  ['plan', 'How much of a product an account may use.'],
  ['idea', 'A trading rule in the making: what you typed, and the exact rule it came to.'],
  ['backtest', 'A rule traded over every past session that is kept, minute by minute.'],
  ['conveyor', 'The place for the one idea of an account that is being tested.'],
  ['credit', 'What one test costs. It is given back when the test fails.'],
  ['desk', 'Where an idea goes that is tested: it may then run on live minutes.'],
  ['baseline', 'The same trades without the conditions of the rule.'],
  ['holdout', 'The newest sessions, kept apart before the first test: a rule is judged on them.'],
  ['gate', 'A test that a rule has to pass to be called interesting.'],
  ['placebo', 'The same triggers on other days: what a rule without any meaning would have made.'],
  ['profit factor', 'All gains divided by all losses: above 1 a rule made money.'],
  ['capital needed', 'The most money that was at risk in trades open at one time.'],
  ['drawdown', 'How far the profit so far is below the best it has been.'],
  ['t', 'A figure divided by its own error: beyond 2 it is rarely chance, if it was tried once.'],
  ['look', 'One judgement of a rule on the holdout: each one makes luck more likely.'],
  ['trial', 'One rule that was tried on past sessions, each variant of it too.'],
  ['variant', 'The rule with one or more of its numbers changed.'],
] as const satisfies readonly (readonly [string, string])[]

export type Term = (typeof GLOSSARY)[number][0]

/** Anchor of a term on the glossary page. */
export const toAnchor = (term: Term): string => term.replaceAll(' ', '-')

/** Marks terms on one page: dotted at the first use, plain text from then on. */
export function dottedOnce(): Dotted {
  const used = new Set<Term>()
  return (name, shown = name) => {
    if (used.has(name)) return shown
    used.add(name)
    return term(name, shown)
  }
}

export type Dotted = (name: Term, shown?: string) => Html | string

/**
 * A dotted term: links to the glossary, and shows its meaning on hover or focus. Once a page: its
 * second use is plain text.
 */
export function term(name: Term, shown: string = name): Html {
  const [, meaning] = GLOSSARY.find(([one]) => one === name)!
  const anchor = toAnchor(name)
  const tip = `tip-${anchor}`
  return html`<span class="term"><a href="/glossary#${anchor}"
interestfor="${tip}">${shown}</a><span class="tip" id="${tip}"
popover="hint">${meaning}</span></span>`
}
