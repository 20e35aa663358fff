import type { Random } from './random.ts'
import { createChoice } from './random.ts'
import type { Shape, ShapeLeg } from './shapes.ts'
import * as shapes from './shapes.ts'

/** What one customer asks for: legs relative to each other, before an expiry and a side. */
export type Pattern = {
  readonly structure: string
  readonly hasCombo: boolean
  readonly legs: readonly ShapeLeg[]
}

type Weighted = readonly [name: string, weight: number, shape: (random: Random) => Shape]

/**
 * What customers trade, mostly verticals and their ratios, calendars and diagonals; straddles and
 * strangles are a small share of complex trades (Li, Musto and Pearson, SSRN 4389657).
 */
const STRUCTURES: readonly Weighted[] = [
  ['vertical', 34, shapes.vertical],
  ['ratio_spread', 4, shapes.ratioSpread],
  ['back_spread', 2, shapes.ratioSpread],
  ['straddle', 3, shapes.straddle],
  ['strangle', 3.5, shapes.strangle],
  ['guts', 0.3, shapes.guts],
  ['ratio_straddle', 0.5, shapes.ratioStraddle],
  ['ratio_strangle', 0.7, shapes.ratioStrangle],
  ['risk_reversal', 4, shapes.riskReversal],
  ['ratio_risk_reversal', 0.8, shapes.ratioRiskReversal],
  ['synthetic', 2, shapes.synthetic],
  ['butterfly', 7, shapes.butterfly],
  ['broken_wing_butterfly', 4, shapes.brokenWingButterfly],
  ['christmas_tree', 0.9, shapes.christmasTree],
  ['ladder', 1.2, shapes.ladder],
  ['condor', 2.5, shapes.condor],
  ['broken_wing_condor', 1.2, shapes.brokenWingCondor],
  ['iron_condor', 9, shapes.ironCondor],
  ['iron_butterfly', 3, shapes.ironButterfly],
  ['double_vertical', 1.5, shapes.doubleVertical],
  ['box', 0.9, shapes.box],
  ['three_way', 1.5, shapes.threeWay],
  ['put_spread_collar', 1.2, shapes.putSpreadCollar],
  ['calendar', 5, shapes.calendar],
  ['diagonal', 4, shapes.diagonal],
  ['ratio_calendar', 0.6, shapes.ratioCalendar],
  ['ratio_diagonal', 0.6, shapes.ratioDiagonal],
  ['double_calendar', 0.8, shapes.doubleCalendar],
  ['double_diagonal', 0.8, shapes.doubleDiagonal],
  ['vertical_roll', 1.5, shapes.verticalRoll],
  ['jelly_roll', 0.4, shapes.jellyRoll],
  ['custom', 0.4, shapes.custom],
]

/** Every name a package may have. */
export const STRUCTURE_NAMES: readonly string[] = STRUCTURES.map(([name]) => name)

const choose = createChoice(STRUCTURES.map(entry => [entry, entry[1]] as const))
const COMBO_SHARE = 0.012
const COMBINABLE = new Set(['vertical', 'butterfly'])

/** Draws a structure. The legs' signs are those of a customer who buys it. */
export function drawPattern(random: Random): Pattern {
  const [structure, , shape] = choose(random)
  const legs = shape(random)
  const hasCombo = COMBINABLE.has(structure) && random.chance(COMBO_SHARE * 2.4)
  if (!hasCombo) return { structure, hasCombo, legs }
  return { structure, hasCombo, legs: addCombo(legs, random) }
}

/**
 * The name once the customer's side is known: only these depend on it. More contracts sold than
 * bought is a ratio spread, more bought a back spread; a put spread bought against a call sold is
 * a collar, the other way round a three-way.
 */
export function orientedName(structure: string, netContracts: number, sign: -1 | 1): string {
  if (structure === 'ratio_spread' || structure === 'back_spread') {
    return netContracts < 0 ? 'ratio_spread' : 'back_spread'
  }
  return structure === 'put_spread_collar' && sign < 0 ? 'three_way' : structure
}

/** A synthetic future in the same expiry, against the package's delta (index combo order). */
function addCombo(legs: Shape, random: Random): Shape {
  const packages = random.integer(2, 4)
  const place = 0.05 + 0.1 * random.uniform()
  const sign = random.chance(0.5) ? 1 : -1
  return [
    ...legs.map(leg => ({ ...leg, ratio: leg.ratio * packages })),
    { type: 'C', place, month: 0, ratio: 1, sign, key: 'combo' },
    { type: 'P', place, month: 0, ratio: 1, sign: -sign as -1 | 1, key: 'combo' },
  ]
}
