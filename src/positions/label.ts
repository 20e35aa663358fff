import {
  type CatalogueCondition,
  CONDITIONS,
  type ConditionValue,
  type OnWhen,
} from './catalogue.ts'
import type { Position } from './schema.ts'

export const LABELS = ['TRADE', 'CAUTION', 'SKIP'] as const
export type Label = (typeof LABELS)[number]
export type State = 'on' | 'off' | 'unknown'

/** A condition of a position at a minute. */
export type Reading = {
  readonly row: CatalogueCondition
  readonly threshold: number
  readonly value: number | null
  readonly state: State
  /**
   * Distance of the value from the threshold at which the condition switches, in its unit; null
   * with the value.
   */
  readonly margin: number | null
  /** Reason why the value is not known; null with a value. */
  readonly reason: string | null
}

export type Counts = { readonly on: number; readonly off: number; readonly unknown: number }

/** The fewest conditions that would have to switch for another label. */
export type NearestChange = {
  readonly label: Label
  /** The largest of their margins, each relative to its threshold. */
  readonly relative: number
  readonly readings: readonly Reading[]
}

/** Returns a position's enabled conditions with their values, in the order of the catalogue. */
export function toReadings(position: Position, values: readonly ConditionValue[]): Reading[] {
  const byId = new Map(values.map(value => [value.id, value]))
  return position.conditions
    .filter(condition => condition.on)
    .map(({ id, threshold }) => {
      const row: CatalogueCondition = CONDITIONS.find(known => known.id === id)!
      const { value, reason } = byId.get(id)!
      if (value === null) return { row, threshold, value, state: 'unknown', margin: null, reason }
      const state = isOn(row.on_when, value, threshold) ? 'on' : 'off'
      const margin = computeMargin(row, value, threshold)
      return { row, threshold, value, state, margin, reason: null }
    })
}

/** True when a value switches its condition on. At the threshold itself only `>=` and `<=-` do. */
function isOn(onWhen: OnWhen, value: number, threshold: number): boolean {
  const point = switchPoint(onWhen, threshold)
  if (onWhen === '<' || onWhen === '<-') return value < point
  if (onWhen === '<=-') return value <= point
  return onWhen === '>' ? value > point : value >= point
}

/** Distance of a value from its switch; for side counts, which are whole, how many must change. */
function computeMargin(row: CatalogueCondition, value: number, threshold: number): number {
  if (row.unit !== 'sides') return Math.abs(value - switchPoint(row.on_when, threshold))
  const fewestOn = Math.ceil(threshold)
  return value >= fewestOn ? value - fewestOn + 1 : fewestOn - value
}

const switchPoint = (onWhen: OnWhen, threshold: number): number =>
  onWhen.endsWith('-') ? -threshold : threshold

/** Counts the conditions that are on, off and unknown. */
export function countStates(readings: readonly Reading[]): Counts {
  const count = (state: State) => readings.filter(reading => reading.state === state).length
  return { on: count('on'), off: count('off'), unknown: count('unknown') }
}

/** True when more than half of the conditions are unknown: there is no label then. */
export const isUnknown = ({ on, off, unknown }: Counts): boolean =>
  unknown > (on + off + unknown) / 2

/**
 * Returns the label for a number of conditions that are on. A count that equals a limit has its
 * label; where both limits are equal, that is SKIP.
 */
export function chooseLabel(onCount: number, limits: Position['label']): Label {
  if (onCount >= limits.skip) return 'SKIP'
  return onCount >= limits.caution ? 'CAUTION' : 'TRADE'
}

/** Returns the smallest change to another label; null when no switch would lead to one. */
export function nearestChange(
  readings: readonly Reading[],
  limits: Position['label'],
): NearestChange | null {
  const { on } = countStates(readings)
  const label = chooseLabel(on, limits)
  const up = label === 'TRADE' ? limits.caution - on : label === 'CAUTION' ? limits.skip - on : 0
  const down = label === 'SKIP' ? on - limits.skip + 1 : on - limits.caution + 1
  const more = up > 0 ? findSwitch(readings, { state: 'off', count: up }) : null
  const fewer = label === 'TRADE' ? null : findSwitch(readings, { state: 'on', count: down })
  const changes = [
    more && { ...more, label: chooseLabel(on + up, limits) },
    fewer && { ...fewer, label: chooseLabel(on - down, limits) },
  ].filter(change => change !== null)
  // of two equally near ones the more careful one, which is the first
  return changes.sort((a, b) => a.relative - b.relative)[0] ?? null
}

/** Returns the `count` conditions of a state that are nearest to their switch. */
function findSwitch(
  readings: readonly Reading[],
  { state, count }: { readonly state: State; readonly count: number },
) {
  const nearest = readings
    .filter(reading => reading.state === state)
    .sort((a, b) => relativeMargin(a) - relativeMargin(b))
    .slice(0, count)
  if (nearest.length < count) return null
  return { relative: relativeMargin(nearest.at(-1)!), readings: nearest }
}

/** Margin relative to the threshold; for a zero threshold relative to the value, which is 1. */
export function relativeMargin({ threshold, value, margin }: Reading): number {
  const scale = Math.abs(threshold === 0 ? value! : threshold)
  return margin === 0 ? 0 : margin! / scale
}
