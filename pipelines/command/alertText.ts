import type { ListEntry, OrderRule } from '../../src/alerts/kinds.ts'
import type { AlertsChanged, AlertsResponse, LineWire } from '../../src/alerts/wire.ts'

/** Alert settings as lines of text. */

export function alertsText({ list, lines, rules, webhook, max }: AlertsResponse): string {
  const on = list.filter(entry => entry.on)
  const state = webhook ? `${webhook.state}, ${webhook.failed_in_a_row} failed in a row` : 'none'
  const rows = [
    `list: ${on.length} on, ${list.length - on.length} off`,
    ...on.map(entryText),
    `lines: ${lines.length} of ${max.lines}`,
    ...lines.map(lineText),
    `rules: ${rules.length} of ${max.rules}`,
    ...rules.map(ruleText),
    `webhook: ${state}`,
  ]
  return `${rows.join('\n')}\n`
}

/** Text of a change. */
export function changedText({ id, entry, line, rule }: AlertsChanged): string {
  if (entry) return `${entryText(entry)}\n`
  if (line) return `${lineText(line)}\n`
  return rule ? `${ruleText(rule)}\n` : `${id} is removed\n`
}

function entryText({ type, book, symbol: _, on, ...parameters }: ListEntry): string {
  return `${type.padEnd(13)}  ${book.padEnd(13)}  ${onText(on)}  ${fieldsText(parameters)}`
}

function lineText({ id, mode, direction, note, armed, fired_at, ...where }: LineWire): string {
  const at =
    where.kind === 'price'
      ? `price ${where.price}`
      : `${where.level} of ${where.book} ${where.offset < 0 ? '-' : '+'} ${Math.abs(where.offset)}`
  const state = armed ? 'armed' : 'off'
  const fired = fired_at === null ? '' : `  fired ${fired_at}`
  const noteText = note === null ? '' : `  ${note}`
  return `${id}  ${at}  ${mode}  ${direction}  ${state}${fired}${noteText}`
}

const ruleText = ({ id, name, on, ...conditions }: OrderRule): string =>
  `${id}  ${onText(on)}  ${name}  ${fieldsText(conditions) || 'any order'}`

const onText = (on: boolean) => (on ? 'on ' : 'off')

const fieldsText = (fields: object): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')
