/** Worlds of sides together: means, the worst, and each world in words. */

import { SIDE_WORLDS, type SideWorld, type SideWorldName } from '../simulate/sideWorlds.ts'
import type { CustomerFlowAccuracy } from './accuracyFlow.ts'
import type { WorldAccuracy, WorldClass, WorldsAccuracy } from './accuracyWorlds.ts'

/** A class of the stated probability is judged by so many orders and more. */
export const LEAST_ORDERS = 500

const percent = (share: number) => `${(100 * share).toFixed(0)} %`

/** Meaning of each figure of a world, in words. */
const FIGURES: { readonly [Figure in keyof SideWorld]: (value: number) => string } = {
  crossing: share => `${percent(share)} of the customers cross the spread`,
  whole: share => `${percent(share)} of the waiting orders are the whole size shown`,
  onePiece: share => `${percent(share)} of the orders above that size print in one piece`,
  inside: share => `${percent(share)} of the prices inside the quote lean the customer's way`,
  callBuyers: share => `${percent(share)} of the customers in calls buy`,
  putBuyers: share => `${percent(share)} of the customers in puts buy`,
  drift: deviation =>
    `buyers drift by the hour, with a deviation of ${deviation} on the logit scale`,
}

/** Describes in what a world differs from the middle one, and the middle one by its figures. */
export function describeWorld(name: SideWorldName): string {
  const world: SideWorld = SIDE_WORLDS[name]
  return (Object.keys(FIGURES) as (keyof SideWorld)[])
    .filter(figure =>
      name === 'middle' ? world[figure] > 0 : world[figure] !== SIDE_WORLDS.middle[figure],
    )
    .map(figure => FIGURES[figure](world[figure]))
    .join(', ')
}

/** Short name of a world for people, such as 'crossing 45'. */
export const worldName = ({ world }: { readonly world: SideWorldName }): string =>
  world.replaceAll('_', ' ')

/** The flow of one span and part. */
export const findFlow = (
  { flow }: WorldAccuracy,
  span: CustomerFlowAccuracy['span'],
  part: CustomerFlowAccuracy['part'],
): CustomerFlowAccuracy => flow.find(row => row.span === span && row.part === part)!

/**
 * Mean of a figure whose best value is 1 over the worlds that have it, and the worst value, which
 * is farthest from 1, with its world.
 */
export function sumWorlds(
  worlds: readonly WorldAccuracy[],
  readFigure: (world: WorldAccuracy) => number | null,
): { readonly mean: number | null; readonly worst: number | null; readonly where: string } {
  const rows = worlds.flatMap(world => {
    const value = readFigure(world)
    return value === null ? [] : { where: worldName(world), value }
  })
  const [worst] = rows.toSorted((a, b) => Math.abs(b.value - 1) - Math.abs(a.value - 1))
  if (!worst) return { mean: null, worst: null, where: '-' }
  const mean = rows.reduce((sum, { value }) => sum + value, 0) / rows.length
  return { mean, worst: worst.value, where: worst.where }
}

/** Distance of what a class stated from what came true. */
export const classGap = ({ stated_share, observed_share }: WorldClass): number =>
  Math.abs(stated_share - observed_share)

/** The world whose orders of a class, if they are enough, are farthest from what they say. */
export const farthestWorld = (
  { worlds }: WorldsAccuracy,
  number: number,
): (WorldClass & { readonly world: SideWorldName }) | undefined =>
  worlds
    .flatMap(({ world, classes }) => classes.map(row => ({ world, ...row })))
    .filter(row => row.class === number && row.orders >= LEAST_ORDERS)
    .toSorted((a, b) => classGap(b) - classGap(a))[0]

/** Standard errors that the sessions of one world leave: of five-minute delta, the day's, the flip. */
export const worldErrors = ({ worlds }: WorldsAccuracy): string[] =>
  [
    sumWorlds(worlds, world => findFlow(world, '5m', 'all').delta_covered_error),
    sumWorlds(worlds, world => findFlow(world, 'day', 'all').delta_covered_error),
    sumWorlds(worlds, ({ flip }) => flip.covered_error),
  ].map(({ mean }) => mean?.toFixed(3) ?? '-')

/** The world in which the fewest lots have their right side. */
export const worstWorld = ({ worlds }: WorldsAccuracy): WorldAccuracy =>
  worlds.toSorted((a, b) => a.sides.right_lots_share - b.sides.right_lots_share)[0]!
