import { noAccount } from '../../src/accounts/arguments.ts'
import { planAt } from '../../src/accounts/products.ts'
import { changeAlerts, readAlerts } from '../../src/alerts/ask.ts'
import { ENTRY_FIELDS, LIST_ROWS } from '../../src/alerts/catalogue.ts'
import type { AlertField } from '../../src/alerts/fields.ts'
import { LINE_FIELDS } from '../../src/alerts/lineFields.ts'
import { parseAlertChange } from '../../src/alerts/parse.ts'
import { RULE_FIELDS } from '../../src/alerts/ruleFields.ts'
import { systemClock } from '../../src/core/clock.ts'
import { readArguments, UsageError } from '../../src/core/command.ts'
import { openAccountStore, type ServerStore } from '../../src/server/accountStore.ts'
import { runAlertEvents } from './alertEvents.ts'
import { runAlertPreview } from './alertPreview.ts'
import { alertsText, changedText } from './alertText.ts'
import { parseFields } from './alertWords.ts'
import { accountsAddress, asRefusal, runCommand, writeOutput } from './command.ts'

const USAGE = `usage: tapefold alert list|set|line|rule|events|preview ... [--json] [--data DIR]

Events an account is notified of: those of levels, lines at a price or a level, large orders.
docs/alerts.md has every field with its unit and range.

  alert list ACCOUNT
  alert set ACCOUNT TYPE [FIELD=VALUE ...]        an entry of the list
  alert line add ACCOUNT PRICE [FIELD=VALUE ...]
  alert line add ACCOUNT LEVEL [FIELD=VALUE ...]  flip, call_wall or put_wall
  alert line update ACCOUNT LINE FIELD=VALUE ...
  alert line arm|remove ACCOUNT LINE
  alert rule add ACCOUNT NAME [FIELD=VALUE ...]
  alert rule update ACCOUNT RULE FIELD=VALUE ...
  alert rule remove ACCOUNT RULE
  alert preview DAY [--account ACCOUNT]           what would have been told on a day
  alert events ACCOUNT [--day DAY] ...            what it was told; see alert events --help

  --json   the answer as the API gives it

Fields: "on" and "off" are short for on=true and on=false. A list has commas: kinds=vertical,condor.
Nothing behind the = is the default again: note=
`

const CHANGES = {
  set: 'alert set takes an account and a type: alert set acc_4fQ8sK2mZx0T flip_cross confirm=3.',
  line: 'alert line takes add, update, arm or remove: alert line add acc_4fQ8sK2mZx0T 6000.',
  rule:
    'alert rule takes add, update or remove: alert rule add acc_4fQ8sK2mZx0T "big verticals" ' +
    'kinds=vertical.',
} as const

/** Runs `alert list|set|line|rule|events`. Fails with one sentence. */
export async function runAlert(args: readonly string[]): Promise<void> {
  const at = args.findIndex((arg, index) => !arg.startsWith('-') && args[index - 1] !== '--data')
  if (args[at] === 'preview') return runAlertPreview(args.toSpliced(at, 1))
  if (args[at] === 'events') return runAlertEvents(args.toSpliced(at, 1))
  const { values, positionals } = readArguments(args, {
    usage: USAGE,
    allowPositionals: true,
    options: {
      data: { type: 'string', default: 'data' },
      json: { type: 'boolean', default: false },
    },
  })
  const [verb, ...words] = positionals
  const command = parseCommand(verb, words)
  const accounts = await openAccountStore(accountsAddress(values.data))
  try {
    await warnWithoutPlan(accounts, command.account)
    const text = await executeCommand(accounts, command, values.json)
    writeOutput(undefined, Buffer.from(text))
  } catch (error) {
    throw asRefusal(error)
  } finally {
    await accounts.close()
  }
}

type AlertCommand = {
  readonly account: string
  /** Body of the API request; null to list. */
  readonly body: object | null
}

async function executeCommand(
  accounts: ServerStore,
  { account, body }: AlertCommand,
  isJson: boolean,
) {
  if (body === null) {
    const settings = await readAlerts(accounts, account)
    return isJson ? `${JSON.stringify(settings, null, 1)}\n` : alertsText(settings)
  }
  const change = parseAlertChange(JSON.stringify(body))
  const at = { accountId: account, atMs: systemClock.nowMs(), repeat: null }
  const { response } = (await changeAlerts(accounts, { ...at, change }))!
  return isJson ? `${response}\n` : changedText(JSON.parse(response))
}

/** Fails when there is no such account; warns when it has no plan, and so no alerts. */
async function warnWithoutPlan(accounts: ServerStore, id: string): Promise<void> {
  const account = await accounts.findAccount(id)
  if (!account) throw noAccount(id)
  if (planAt(account.products, 'orders', systemClock.nowMs())) return
  process.stderr.write(
    `tapefold: ${id} is on no plan of the Orders API: it is told nothing until it is.\n`,
  )
}

function parseCommand(verb: string | undefined, words: readonly string[]): AlertCommand {
  if (verb === 'list') {
    const [account, ...others] = words
    if (account !== undefined && others.length === 0) return { account, body: null }
    throw new UsageError('alert list takes one account: alert list acc_4fQ8sK2mZx0T.')
  }
  if (verb === 'set') return parseSet(words)
  if (verb === 'line' || verb === 'rule') return parseChange(verb, words)
  throw new UsageError(
    'alert takes list, set, line, rule, events or preview: alert list acc_4fQ8sK2mZx0T.',
  )
}

function parseSet([account, type, ...words]: readonly string[]): AlertCommand {
  if (account === undefined || type === undefined) throw new UsageError(CHANGES.set)
  const parameters = LIST_ROWS.find(row => row.type === type)?.parameters ?? []
  const entry = { type, ...parseFields(words, [...ENTRY_FIELDS, ...parameters]) }
  return { account, body: { op: 'set', entry } }
}

function parseChange(part: 'line' | 'rule', words: readonly string[]): AlertCommand {
  const [op, account, subject, ...rest] = words
  const ops = part === 'line' ? ['add', 'update', 'remove', 'arm'] : ['add', 'update', 'remove']
  if (op === undefined || !ops.includes(op) || account === undefined || subject === undefined) {
    throw new UsageError(CHANGES[part])
  }
  if (op === 'remove' || op === 'arm') {
    if (rest.length === 0) return { account, body: { op, id: subject } }
    throw new UsageError(`alert ${part} ${op} takes an account and one id, and no more.`)
  }
  const fields: readonly AlertField[] = part === 'line' ? LINE_FIELDS : RULE_FIELDS
  const named = op === 'add' ? parseSubject(part, subject) : { id: subject }
  return { account, body: { op, [part]: { ...named, ...parseFields(rest, fields) } } }
}

/** Parses the word after the account into a line or a rule. */
function parseSubject(part: 'line' | 'rule', subject: string): object {
  if (part === 'rule') return { name: subject }
  if (!/^[\d.]/.test(subject)) return { kind: 'level', level: subject }
  return { kind: 'price', ...parseFields([`price=${subject}`], LINE_FIELDS) }
}

if (import.meta.main) runCommand(() => runAlert(process.argv.slice(2)))
