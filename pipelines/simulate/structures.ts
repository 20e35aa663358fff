import type { Random } from './random.ts'
import { createChoice } from './random.ts'
import type { Shape, ShapeLeg } from './shapeLegs.ts'
import { SHAPES } from './shapes.ts'

/** Order of one customer: legs relative to each other, before an expiry and a side. */
export type Pattern = {
  readonly structure: string
  readonly hasCombo: boolean
  readonly legs: readonly ShapeLeg[]
}

const NAMES = Object.keys(SHAPES) as (keyof typeof SHAPES)[]
/** Every name a package may have. */
export const STRUCTURE_NAMES: readonly string[] = [...NAMES, 'back_spread']

const choose = createChoice(NAMES.map(name => [name, SHAPES[name][1]] as const))
/** Share of the combinable packages that bring their own hedge. */
const COMBO_SHARE = 0.03
const COMBINABLE = new Set(['vertical', 'butterfly'])

/** Draws a structure. The legs' signs are those of a customer who buys it. */
export function drawPattern(random: Random): Pattern {
  const structure = choose(random)
  const legs = SHAPES[structure][0](random)
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
