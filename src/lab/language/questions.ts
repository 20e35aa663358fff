/** Questions, in the order in which they are put. */
export type QuestionRow = {
  readonly slot: string
  readonly ask: string
  readonly unit: string
  readonly options?: readonly string[]
}

/** Slot of words that were not read: the rule is proposed without them. */
export const UNREAD = 'unread words'

/** Slot, unit, question and options of each row. */
const ROWS = `
  what to do | trade | What should be traded: sell or buy, and which structure? | sell the put spread / sell the call spread / sell the iron condor
  mapping | condition | When buy, and when sell? | buy when negative and sell when positive / sell when negative and buy when positive
  action | action | Sell it or buy it? | sell / buy
  structure | structure | Which structure? | put spread / call spread / iron condor / iron butterfly / strangle / straddle
  put or call | side | Put spread or call spread? | put / call
  strike | points | Where is the strike: points from spot, a delta, or expected moves?
  width | points | How wide, in points? | 5 / 10 / 20
  entry time | ET minute | At what time does it enter?
  distance to the flip | points | How many points from the flip?
  distance to the put wall | points | How many points from the put wall?
  distance to the call wall | points | How many points from the call wall?
  which wall | condition | Which wall, and how many points from it? | within 10 points of the put wall / within 10 points of the call wall
  premium | $M | Over how many million dollars of premium?
  direction of the cross | direction | Crosses the flip which way? | above / below
  net gamma | $M per point | Net gamma over or under how many $M per point?
  size of the gap | % | A gap over or under how many percent?
  direction of the move | % | Up or down, and by how many percent from the open? | up more than 0.5% / down more than 0.5%
  profit target | % | Take profit at how many percent?
  unit of the stop | x credit | A stop at how many times the credit, or at a loss of how many? | times the credit / a loss of the credit
  stop | x credit or % | Where is the stop: times the credit when sold, percent of the debit when bought?
  exit time | ET minute | At the close: out at 15:59, or held to settlement? | exit at 15:59 / hold to expiry
  exit day | sessions | Out on which session after the entry: 1 for the next one, 2 for the one after? | 1 / 2
  contracts | contracts | How many contracts?
  unread words | yes | Take it so? Say yes, or say those words in another way. | yes
  which leg | trade | Which of the two trades?
`

export const QUESTIONS: readonly QuestionRow[] = ROWS.trim()
  .split('\n')
  .map(row => {
    const [slot = '', unit = '', ask = '', options] = row.trim().split(' | ')
    return { slot, ask, unit, ...(options ? { options: options.split(' / ') } : {}) }
  })

const RANK = new Map(QUESTIONS.map(({ slot }, index) => [slot, index]))

/** Distinct slots, in the order of their questions. */
export const inOrder = (slots: readonly string[]): string[] =>
  [...new Set(slots)].sort((a, b) => RANK.get(a)! - RANK.get(b)!)

/** Row of a slot. Fails for a slot without a question. */
export function findQuestion(slot: string): QuestionRow {
  const row = QUESTIONS.find(one => one.slot === slot)
  if (!row) throw new Error(`there is no question for ${slot}`)
  return row
}
