import { isMinute } from '../core/market/calendar.ts'
import { invalid, isObject, seenAs, shownName } from '../platform/http/changeBody.ts'
import { type AlertField, formatAdvice, POINT_DECIMALS } from './fields.ts'

export type FieldValue = number | string | boolean | readonly string[]

/** The fields that were sent; a null resets to the default. */
export type SentFields = Readonly<Record<string, FieldValue | null>>

/**
 * One line of text without control or bidirectional characters: terminals and mail programs show it
 * as it is.
 */
const PRINTABLE = /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]*$/u

/** Matches a visible character. */
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u

/** Fields of a line's response that cannot be set. */
const READ_ONLY: Readonly<Record<string, string>> = {
  armed: 'send op arm with its id to arm a line',
  fired_at: 'it says when a line fired',
}

/** Reads an object's fields; `otherNames` are further fields it may have. Fails with `invalid`. */
export function readFields(
  sent: Readonly<Record<string, unknown>>,
  path: string,
  fields: readonly AlertField[],
  otherNames: readonly string[] = [],
): SentFields {
  refuseUnknown(sent, path, [...otherNames, ...fields.map(({ name }) => name)])
  const read = fields.flatMap(field => {
    if (!Object.hasOwn(sent, field.name)) return []
    return [[field.name, readField(sent[field.name], `${path}.${field.name}`, field)] as const]
  })
  return Object.fromEntries(read)
}

/** Fails with `invalid` when an object has an unknown field; the message names the known ones. */
export function refuseUnknown(sent: object, path: string, known: readonly string[]): void {
  const key = Object.keys(sent).find(name => !known.includes(name))
  if (key === undefined) return
  const name = `${path === '' ? '' : `${path}.`}${shownName(key)}`
  if (key === 'side') {
    const why = 'an alert never says or asks which way a customer traded'
    throw invalid(`${name} is not taken: ${why}; leave it out.`)
  }
  const readOnlyAdvice =
    Object.hasOwn(READ_ONLY, key) && path === 'line' ? READ_ONLY[key] : undefined
  if (readOnlyAdvice)
    throw invalid(`${name} is answered, not set: ${readOnlyAdvice}; leave it out.`)
  throw invalid(`${name} is unknown; the fields are ${known.join(', ')}.`)
}

/** Returns the object of that name in a body; `example` is a valid one. Fails with `invalid`. */
export function readPart(value: unknown, name: string, example: object) {
  if (isObject(value)) return value
  throw invalid(`${seenAs(name, value)}; give an object such as ${JSON.stringify(example)}.`)
}

/** Returns the value of a field; null resets to the default. */
function readField(value: unknown, path: string, field: AlertField): FieldValue | null {
  if (value === null && !field.isRequired) return null
  if (field.type === 'choices' && Array.isArray(value) && value.length > 0) {
    return readChoices(value, path, field)
  }
  const read = readValue(value, field)
  if (read === undefined) throw refused(value, path, field)
  return read
}

/** Fails with `invalid`: a field is missing or has an invalid value. */
export function refused(value: unknown, path: string, field: AlertField) {
  const own = typeof value === 'string' && Object.hasOwn(field.refusals ?? {}, value)
  if (own) return invalid(`${seenAs(path, value)}: ${field.refusals![value as string]}.`)
  const good = value === undefined ? undefined : field.otherwise
  return invalid(`${seenAs(path, value)}; ${good ?? `give ${formatAdvice(field)}`}.`)
}

/** Undefined when the value is not valid for the field. */
function readValue(value: unknown, field: AlertField): FieldValue | undefined {
  switch (field.type) {
    case 'number':
    case 'whole':
      return parseNumber(value, field)
    case 'yes_no':
      return typeof value === 'boolean' ? value : undefined
    case 'choice':
      return parseChoice(value, field)
    case 'text':
      return parseText(value, field)
    case 'minute':
      return parseMinute(value, field)
    default:
      return undefined
  }
}

function parseNumber(value: unknown, { type, unit, min, max, values }: AlertField) {
  if (typeof value === 'string') return values?.find(known => known === value)
  if (typeof value !== 'number' || !(value >= Number(min) && value <= Number(max))) return undefined
  if (type === 'whole' && !Number.isInteger(value)) return undefined
  if (unit === 'pt' && Number(value.toFixed(POINT_DECIMALS)) !== value) return undefined
  // -0 is written 0
  return value + 0
}

function parseChoice(value: unknown, { values, synonyms = {} }: AlertField) {
  if (typeof value !== 'string') return undefined
  return values?.find(known => known === (Object.hasOwn(synonyms, value) ? synonyms[value] : value))
}

function parseText(value: unknown, { min, max }: AlertField) {
  if (typeof value !== 'string' || !VISIBLE.test(value) || !PRINTABLE.test(value)) return undefined
  const length = [...value].length
  return length >= Number(min) && length <= Number(max) ? value : undefined
}

function parseMinute(value: unknown, { min, max }: AlertField) {
  if (typeof value !== 'string' || !isMinute(value)) return undefined
  return value >= String(min) && value <= String(max) ? value : undefined
}

/** Returns each value once, in the order of the row. */
function readChoices(chosen: readonly unknown[], path: string, field: AlertField): FieldValue {
  const values = field.values ?? []
  for (const [index, value] of chosen.entries()) {
    if (!values.includes(value as string)) throw refused(value, `${path}[${index}]`, asOne(field))
    if (chosen.indexOf(value) < index) {
      const example = JSON.stringify(field.example)
      throw invalid(`${path} has ${JSON.stringify(value)} twice; give each once, as in ${example}.`)
    }
  }
  return values.filter(value => chosen.includes(value))
}

/** Returns the row of one of several choices. */
const asOne = (field: AlertField): AlertField => ({
  ...field,
  type: 'choice',
  example: (field.example as readonly string[])[0]!,
})
