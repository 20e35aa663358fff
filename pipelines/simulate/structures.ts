import { CALENDAR_SHAPES } from './calendarShapes.ts'
import type { Random } from './random.ts'
import { createChoice } from './random.ts'
import type { Shape, ShapeLeg } from './shapeLegs.ts'
import { ONE_EXPIRY_SHAPES } from './shapes.ts'

/** Order of one customer: legs relative to each other, before an expiry and a side. */
export type Pattern = {
  readonly structure: string
  readonly hasCombo: boolean
  readonly legs: readonly ShapeLeg[]
}

const SHAPES = { ...ONE_EXPIRY_SHAPES, ...CALENDAR_SHAPES }

/**
 * Structures that customers trade, mostly verticals and their ratios, calendars and diagonals;
 * straddles and strangles are a small share of complex trades (Li, Musto and Pearson, SSRN
 * 4389657).
 */
const STRUCTURES: readonly (readonly [name: keyof typeof SHAPES, weight: number])[] = [
  ['vertical', 34],
  ['ratio_spread', 6],
  ['straddle', 3],
  ['strangle', 3.5],
  ['guts', 0.3],
  ['ratio_straddle', 0.5],
  ['ratio_strangle', 0.7],
  ['risk_reversal', 4],
  ['ratio_risk_reversal', 0.8],
  ['synthetic', 2],
  ['butterfly', 7],
  ['broken_wing_butterfly', 4],
  ['christmas_tree', 0.9],
  ['ladder', 1.2],
  ['condor', 2.5],
  ['broken_wing_condor', 1.2],
  ['iron_condor', 9],
  ['iron_butterfly', 3],
  ['double_vertical', 1.5],
  ['box', 0.9],
  ['three_way', 1.5],
  ['put_spread_collar', 1.2],
  ['calendar', 5],
  ['diagonal', 4],
  ['ratio_calendar', 0.6],
  ['ratio_diagonal', 0.6],
  ['double_calendar', 0.8],
  ['double_diagonal', 0.8],
  ['vertical_roll', 1.5],
  ['jelly_roll', 0.4],
  ['custom', 0.3],
]

/** Every name a package may have. */
export const STRUCTURE_NAMES: readonly string[] = [...Object.keys(SHAPES), 'back_spread']

const choose = createChoice(STRUCTURES)
/** Share of the combinable packages that bring their own hedge. */
const COMBO_SHARE = 0.03
const COMBINABLE = new Set(['vertical', 'butterfly'])

/** Draws a structure. The legs' signs are those of a customer who buys it. */
export function drawPattern(random: Random): Pattern {
  const structure = choose(random)
  const legs = SHAPES[structure](random)
  const hasCombo = COMBINABLE.has(structure) && random.chance(COMBO_SHARE)
  if (!hasCombo) return { structure, hasCombo, legs }
  return { structure, hasCombo, legs: addCombo(legs, random) }
}

/**
 * The name once the customer's side is known: only these depend on it. More contracts sold than
 * bought is a ratio spread, more bought a back spread; a put spread bought against a call sold is
 * a collar, the other way round a three-way.
 */
export function orientedName(structure: string, netContracts: number, sign: -1 | 1): string {
  if (structure === 'ratio_spread') {
    return netContracts < 0 ? 'ratio_spread' : 'back_spread'
  }
  return structure === 'put_spread_collar' && sign < 0 ? 'three_way' : structure
}

/** A synthetic future in the same expiry, against the package's delta (index combo order). */
function addCombo(legs: Shape, random: Random): Shape {
  const packages = random.integer(2, 4)
  const deviations = 0.05 + 0.1 * random.uniform()
  const sign = random.chance(0.5) ? 1 : -1
  return [
    ...legs.map(leg => ({ ...leg, ratio: leg.ratio * packages })),
    { type: 'C', deviations, month: 0, ratio: 1, sign, key: 'combo' },
    { type: 'P', deviations, month: 0, ratio: 1, sign: -sign as -1 | 1, key: 'combo' },
  ]
}
