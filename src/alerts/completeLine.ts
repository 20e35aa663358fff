import { invalid, seenAs } from '../platform/http/changeBody.ts'
import type { AlertField } from './fields.ts'
import type { AlertLine } from './kinds.ts'
import { LINE_FIELDS } from './lineFields.ts'
import { refused, type SentFields } from './readFields.ts'

type LineKind = AlertLine['kind']

/** Fields that only lines of one kind have. */
const FIELDS_OF_KIND: Readonly<Record<LineKind, readonly string[]>> = {
  price: ['price'],
  level: ['level', 'book', 'offset'],
}
const COMMON = ['mode', 'direction', 'note']

const findField = (name: string): AlertField => LINE_FIELDS.find(field => field.name === name)!

/**
 * Returns the whole line after an addition or update. A field that was not sent keeps its value, a
 * null resets it to the default. Fails with `invalid`.
 */
export function completeLine(id: string, sent: SentFields, before?: AlertLine): AlertLine {
  const kind = (sent.kind ?? before?.kind) as LineKind | undefined
  if (kind === undefined) throw refused(undefined, 'line.kind', findField('kind'))
  refuseOtherKind(kind, sent)
  const known = before as Readonly<Record<string, unknown>> | undefined
  const values = [...FIELDS_OF_KIND[kind], ...COMMON].map(name => {
    const field = findField(name)
    const value = Object.hasOwn(sent, name) ? sent[name] : known?.[name]
    const whole = value ?? field.default
    // a line needs a price or a level
    if (whole === null && name === kind) throw refused(sent[name], `line.${name}`, field)
    return [name, whole] as const
  })
  return { id, kind, ...Object.fromEntries(values) } as AlertLine
}

/** Fails with `invalid` on a field that lines of the other kind have. */
export function refuseOtherKind(kind: LineKind, sent: SentFields): void {
  const other = kind === 'price' ? 'level' : 'price'
  const name = FIELDS_OF_KIND[other].find(one => (sent[one] ?? null) !== null)
  if (name === undefined) return
  const seen = seenAs(`line.${name}`, sent[name])
  throw invalid(
    `${seen}, which only lines of kind ${other} have; leave it out, or give "kind": "${other}".`,
  )
}

/** True when a line has moved or fires on another side: it then counts as not fired. */
export const isMoved = (line: AlertLine, before: AlertLine): boolean =>
  ['kind', 'direction', ...FIELDS_OF_KIND[line.kind]].some(
    name => line[name as keyof AlertLine] !== before[name as keyof AlertLine],
  )
