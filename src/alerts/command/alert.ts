import {
  type CommandContext,
  type CommandWork,
  withAccount,
} from '../../accounts/commandContext.ts'
import { planAt } from '../../accounts/products.ts'
import { UsageError } from '../../core/command.ts'
import { changeAlerts, readAlerts } from '../ask.ts'
import { ENTRY_FIELDS, LIST_ROWS } from '../catalogue.ts'
import type { AlertField } from '../fields.ts'
import { valueIn } from '../fieldText.ts'
import type { ListEntry, OrderRule } from '../kinds.ts'
import { LINE_FIELDS } from '../lineFields.ts'
import { parseAlertChange } from '../parse.ts'
import { RULE_FIELDS } from '../ruleFields.ts'
import type { AlertAccounts } from '../store/types.ts'
import type { AlertsChanged, AlertsResponse, LineWire } from '../wire.ts'
import type { ALERT } from './rows.ts'

type Run<Name extends string> = CommandWork<typeof ALERT, Name, AlertAccounts>

type Context = CommandContext<AlertAccounts>

/** Runs `tapefold alert list`. */
export const alertListCommand: Run<'alert list'> = ({ words, json }, context) => {
  const [account] = words
  return withPlan(context, account, async accounts => {
    const settings = await readAlerts(accounts, account)
    return json ? `${JSON.stringify(settings, null, 1)}\n` : alertsText(settings)
  })
}

/** Runs `tapefold alert set`. */
export const alertSetCommand: Run<'alert set'> = ({ words, json }, context) => {
  const [account, type, ...fields] = words
  const parameters = LIST_ROWS.find(row => row.type === type)?.parameters ?? []
  const entry = { type, ...parseFields(fields, [...ENTRY_FIELDS, ...parameters]) }
  return change({ account, json, body: { op: 'set', entry } }, context)
}

/** Runs `tapefold alert line` and `tapefold alert rule`. */
export const changeAlert: Run<'alert line add'> = ({ name, words, json }, context) => {
  const [, part, op] = name.split(' ') as ['alert', 'line' | 'rule', string]
  const [account, subject, ...given] = words
  if (op === 'remove' || op === 'arm') {
    return change({ account, json, body: { op, id: subject } }, context)
  }
  const fields: readonly AlertField[] = part === 'line' ? LINE_FIELDS : RULE_FIELDS
  const named = op === 'add' ? parseSubject(part, subject) : { id: subject }
  const body = { op, [part]: { ...named, ...parseFields(given, fields) } }
  return change({ account, json, body }, context)
}

/** Parses the word after the account into a line or a rule. */
function parseSubject(part: 'line' | 'rule', subject: string): object {
  if (part === 'rule') return { name: subject }
  if (!/^[\d.]/.test(subject)) return { kind: 'level', level: subject }
  return { kind: 'price', ...parseFields([`price=${subject}`], LINE_FIELDS) }
}

type Change = {
  readonly account: string
  readonly json: boolean
  /** Body of the API request. */
  readonly body: object
}

const change = ({ account, json, body }: Change, context: Context): Promise<void> =>
  withPlan(context, account, async accounts => {
    const at = { accountId: account, atMs: context.nowMs(), repeat: null }
    const parsed = parseAlertChange(JSON.stringify(body))
    const { response } = (await changeAlerts(accounts, { ...at, change: parsed }))!
    return json ? `${response}\n` : changedText(JSON.parse(response))
  })

/** Prints the text of a work on an account; warns when it has no plan, and so no alerts. */
const withPlan = (
  context: Context,
  id: string,
  work: (accounts: AlertAccounts) => Promise<string>,
): Promise<void> =>
  withAccount(context, id, async (accounts, { products }) => {
    if (!planAt(products, 'orders', context.nowMs())) {
      process.stderr.write(
        `tapefold: ${id} is on no plan of the Orders API: it gets no alerts until it is.\n`,
      )
    }
    process.stdout.write(await work(accounts))
  })

/**
 * Parses words into an object, as the API takes it. An unknown field is passed on as text: the
 * API's own sentence names the known ones. Fails with a UsageError on a word that is no field.
 */
function parseFields(
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

/** Alert settings as lines of text. */
function alertsText({ list, lines, rules, webhook, max }: AlertsResponse): string {
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
function changedText({ id, entry, line, rule }: AlertsChanged): string {
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
