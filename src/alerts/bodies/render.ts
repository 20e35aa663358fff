/**
 * A body is put together of what all accounts share, what is one account's own, and its id. The
 * same parts always give the same bytes.
 */

/** Every key of a body, in the order in which they are sent. What is absent is left out. */
const BODY_KEYS = [
  ...['version', 'id', 'type', 'symbol', 'level', 'price', 'book', 'ts', 'day', 'minute', 'levels'],
  ...['position_id', 'kind', 'entry', 'from', 'label', 'error', 'counts', 'on', 'shorts'],
  ...['text', 'direction', 'threshold_points', 'flip_lo', 'flip_hi', 'within_bar'],
  ...['alert', 'rule', 'order', 'more', 'replay', 'simulated'],
] as const

/** Some fields of a body, already in the words of the interface. */
export type BodyPart = Readonly<Partial<Record<(typeof BODY_KEYS)[number], unknown>>>

/** How it came to the event: of a session that is replayed, or that is simulated. */
export type Origin = { readonly isReplay: boolean; readonly isSimulated: boolean }

/** What a body says of its origin; nothing of a real session as it runs. */
export const originOf = ({ isReplay, isSimulated }: Origin): BodyPart => ({
  ...(isReplay && { replay: true }),
  ...(isSimulated && { simulated: true }),
})

/**
 * The text that is sent and signed. `shared` and `extra` are JSON objects as they were stored;
 * `extra` is what one account's line, rule or position adds. With `hasPutSupport` the levels have
 * the deprecated `put_support`. Fails on a field that no body has.
 */
export function renderBody(parts: {
  readonly id: string
  readonly shared: string
  readonly extra: string | null
  readonly hasPutSupport: boolean
}): string {
  const { id, shared, extra, hasPutSupport } = parts
  const fields: BodyPart = {
    version: 1,
    id,
    ...JSON.parse(shared),
    ...(extra === null ? {} : JSON.parse(extra)),
  }
  const keys: readonly string[] = BODY_KEYS
  const unknown = Object.keys(fields).filter(key => !keys.includes(key))
  if (unknown.length > 0) throw new Error(`a body has no field ${unknown[0]}`)
  const body: Record<string, unknown> = {}
  for (const key of BODY_KEYS) if (fields[key] !== undefined) body[key] = fields[key]
  if (body.text !== undefined) body.text = originWords(fields) + body.text
  if (hasPutSupport && body.levels !== undefined) body.levels = withPutSupport(body.levels)
  return JSON.stringify(body)
}

const originWords = ({ replay, simulated }: BodyPart): string =>
  (replay ? 'REPLAY: ' : '') + (simulated ? 'SIMULATED: ' : '')

function withPutSupport(levels: unknown) {
  const known = levels as { readonly put_wall?: number }
  return known.put_wall === undefined ? known : { ...known, put_support: known.put_wall }
}
