/** Questions, in the order in which they are put. */
export type QuestionRow = {
  readonly slot: string
  readonly ask: string
  readonly unit: string
  readonly options?: readonly string[]
}

const distance = (level: string): QuestionRow => ({
  slot: `distance to the ${level}`,
  ask: `How many points from the ${level}?`,
  unit: 'points',
})

/** Slot of words that were not read: the rule is proposed without them. */
export const UNREAD = 'unread words'

export const QUESTIONS: readonly QuestionRow[] = [
  {
    slot: 'what to do',
    ask: 'What should be traded: sell or buy, and which structure?',
    unit: 'trade',
    options: ['sell the put spread', 'sell the call spread', 'sell the iron condor'],
  },
  {
    slot: 'mapping',
    ask: 'When buy, and when sell?',
    unit: 'condition',
    options: [
      'buy when negative and sell when positive',
      'sell when negative and buy when positive',
    ],
  },
  { slot: 'action', ask: 'Sell it or buy it?', unit: 'action', options: ['sell', 'buy'] },
  {
    slot: 'structure',
    ask: 'Which structure?',
    unit: 'structure',
    options: ['put spread', 'call spread', 'iron condor', 'iron butterfly', 'strangle', 'straddle'],
  },
  {
    slot: 'put or call',
    ask: 'Put spread or call spread?',
    unit: 'side',
    options: ['put', 'call'],
  },
  {
    slot: 'strike',
    ask: 'Where is the strike: points from spot, a delta, or expected moves?',
    unit: 'points',
  },
  { slot: 'width', ask: 'How wide, in points?', unit: 'points', options: ['5', '10', '20'] },
  { slot: 'entry time', ask: 'At what time does it enter?', unit: 'ET minute' },
  distance('flip'),
  distance('put wall'),
  distance('call wall'),
  {
    slot: 'which wall',
    ask: 'Which wall, and how many points from it?',
    unit: 'condition',
    options: ['within 10 points of the put wall', 'within 10 points of the call wall'],
  },
  { slot: 'premium', ask: 'Over how many million dollars of premium?', unit: '$M' },
  {
    slot: 'direction of the cross',
    ask: 'Crosses the flip which way?',
    unit: 'direction',
    options: ['above', 'below'],
  },
  {
    slot: 'net gamma',
    ask: 'Net gamma over or under how many $M per point?',
    unit: '$M per point',
  },
  { slot: 'size of the gap', ask: 'A gap over or under how many percent?', unit: '%' },
  {
    slot: 'direction of the move',
    ask: 'Up or down, and by how many percent from the open?',
    unit: '%',
    options: ['up more than 0.5%', 'down more than 0.5%'],
  },
  {
    slot: 'profit target',
    ask: 'Take profit at how many percent?',
    unit: '%',
  },
  {
    slot: 'unit of the stop',
    ask: 'A stop at how many times the credit, or at a loss of how many?',
    unit: 'x credit',
  },
  {
    slot: 'stop',
    ask: 'Where is the stop: times the credit when sold, percent of the debit when bought?',
    unit: 'x credit or %',
  },
  {
    slot: 'exit time',
    ask: 'At the close: out at 15:59, or held to settlement?',
    unit: 'ET minute',
    options: ['exit at 15:59', 'hold to expiry'],
  },
  {
    slot: 'exit day',
    ask: 'Out on which session after the entry: 1 for the next one, 2 for the one after?',
    unit: 'sessions',
    options: ['1', '2'],
  },
  { slot: 'contracts', ask: 'How many contracts?', unit: 'contracts' },
  {
    slot: UNREAD,
    ask: 'Take it so? Say yes, or say those words in another way.',
    unit: 'yes',
    options: ['yes'],
  },
  { slot: 'which leg', ask: 'Which of the two trades?', unit: 'trade' },
]

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
