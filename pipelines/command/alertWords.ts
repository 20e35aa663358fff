import type { AlertField } from '../../src/alerts/fields.ts'
import { valueIn } from '../../src/alerts/fieldText.ts'
import { UsageError } from '../../src/core/command.ts'

/** Fields as written on a command line: `confirm=3`, `walls=call_wall,put_wall`, `on`. */

/**
 * Parses words into an object, as the API takes it. An unknown field is passed on as text: the
 * API's own sentence names the known ones. Fails with a UsageError on a word that is no field.
 */
export function parseFields(
  words: readonly string[],
  fields: readonly AlertField[],
): Record<string, unknown> {
  const object: Record<string, unknown> = {}
  for (const word of words) {
    const [name, value] = parseField(word)
    if (Object.hasOwn(object, name)) throw new UsageError(`${name} is given twice; give it once.`)
    const field = fields.find(one => one.name === name)
    object[name] = field ? valueIn(value, field) : value
  }
  return object
}

/** `on` and `off` are short for the field of that name. */
function parseField(word: string): [name: string, value: string] {
  if (word === 'on' || word === 'off') return ['on', String(word === 'on')]
  const at = word.indexOf('=')
  if (at > 0) return [word.slice(0, at), word.slice(at + 1)]
  throw new UsageError(`"${word}" is no field; give FIELD=VALUE, such as confirm=3.`)
}
