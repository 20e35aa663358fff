/** The keys of a body, as they stand in every body that has them. */
const KEY_ORDER = [
  ...['version', 'id', 'type', 'symbol', 'level', 'price', 'book', 'ts', 'day', 'minute'],
  ...['position_id', 'kind', 'entry', 'from', 'label', 'counts', 'on', 'shorts'],
  ...['levels', 'text', 'direction', 'flip_lo', 'flip_hi', 'within_bar', 'threshold_points'],
  ...['alert', 'rule', 'order', 'more', 'replay', 'simulated'],
]

export type BodyParts = {
  readonly id: string
  /** JSON of what all accounts share that hear of it. */
  readonly body: string
  /** JSON of the account's own keys; null where there are none. */
  readonly extra: string | null
  /** Whether `levels` tell the put wall a second time, as `put_support`. */
  readonly hasPutSupport: boolean
}

/**
 * The JSON of an event, the same text for the same parts: its keys in one order, those without a
 * place behind the others as they came. The account's own keys stand over the shared ones.
 */
export function eventBody({ id, body, extra, hasPutSupport }: BodyParts): string {
  const keys: Record<string, unknown> = {
    ...(JSON.parse(body) as object),
    ...(extra === null ? {} : (JSON.parse(extra) as object)),
    id,
  }
  if (isLevels(keys.levels)) keys.levels = levelsOf(keys.levels, hasPutSupport)
  const known = KEY_ORDER.filter(key => keys[key] !== undefined)
  const others = Object.keys(keys).filter(key => !KEY_ORDER.includes(key))
  return JSON.stringify(Object.fromEntries([...known, ...others].map(key => [key, keys[key]])))
}

type Levels = Readonly<Record<string, unknown>>

const isLevels = (levels: unknown): levels is Levels => typeof levels === 'object' && !!levels

function levelsOf({ put_support: _, ...levels }: Levels, hasPutSupport: boolean): Levels {
  if (!hasPutSupport || levels.put_wall === undefined) return levels
  return { ...levels, put_support: levels.put_wall }
}
