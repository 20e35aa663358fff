/** Keys of bodies, in sending order. */
const BODY_KEYS = [
  'version',
  'id',
  'type',
  'symbol',
  'level',
  'price',
  'book',
  'ts',
  'day',
  'minute',
  'levels',
  'position_id',
  'kind',
  'entry',
  'from',
  'label',
  'error',
  'counts',
  'on',
  'shorts',
  'text',
  'direction',
  'threshold_points',
  'flip_lo',
  'flip_hi',
  'within_bar',
  'alert',
  'rule',
  'order',
  'more',
  'idea',
  'trade',
  'replay',
  'simulated',
] as const

/** A key that a body may have. */
export type BodyKey = (typeof BODY_KEYS)[number]

const KNOWN_KEYS: readonly string[] = BODY_KEYS

export type BodyParts = {
  readonly id: string
  /** JSON of the part shared by all accounts that get the event. */
  readonly body: string
  /** JSON of the account's own keys; null when there are none. */
  readonly extra: string | null
  /** True when `levels` repeat the put wall as `put_support`. */
  readonly hasPutSupport: boolean
}

/**
 * JSON of an event, the same text for the same parts: its keys in one order, unknown ones after the
 * others. The account's own keys override the shared ones. The text first names a replay or a
 * simulated session.
 */
export function eventBody({ id, body, extra, hasPutSupport }: BodyParts): string {
  const keys: Record<string, unknown> = {
    ...(JSON.parse(body) as object),
    ...(extra === null ? {} : (JSON.parse(extra) as object)),
    id,
  }
  if (isLevels(keys.levels)) keys.levels = completeLevels(keys.levels, hasPutSupport)
  if (typeof keys.text === 'string') keys.text = originPrefix(keys) + keys.text
  const known = KNOWN_KEYS.filter(key => keys[key] !== undefined)
  const others = Object.keys(keys).filter(key => !KNOWN_KEYS.includes(key))
  return JSON.stringify(Object.fromEntries([...known, ...others].map(key => [key, keys[key]])))
}

const originPrefix = ({ replay, simulated }: Readonly<Record<string, unknown>>): string =>
  (replay === true ? 'REPLAY: ' : '') + (simulated === true ? 'SIMULATED: ' : '')

type Levels = Readonly<Record<string, unknown>>

const isLevels = (levels: unknown): levels is Levels => typeof levels === 'object' && !!levels

function completeLevels({ put_support: _, ...levels }: Levels, hasPutSupport: boolean): Levels {
  if (!hasPutSupport || levels.put_wall === undefined) return levels
  return { ...levels, put_support: levels.put_wall }
}
