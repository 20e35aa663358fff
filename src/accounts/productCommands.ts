import { CommandError } from '../core/disk/refusal.ts'
import { addDays, isDate, wallTimeEt } from '../core/market/calendar.ts'
import { ACCOUNT_USAGE, type CommandDeps, noAccount, parseArgs, usageError } from './arguments.ts'
import {
  type AccountProduct,
  endAfter,
  lastDayBefore,
  listPlans,
  type Plan,
  PRODUCT_NAMES,
  type Product,
} from './products.ts'

/** A later date was mistyped, or means no end. */
const LAST_UNTIL = '2999-12-31'

/** `account product add|list|remove`. Fails with a CommandError. */
export async function runProductCommand(args: readonly string[], deps: CommandDeps) {
  const [verb, ...rest] = args
  if (verb === 'add') return addProduct(rest, deps)
  if (verb === 'list') return listProducts(rest, deps)
  if (verb === 'remove') return removeProduct(rest, deps)
  throw usageError(ACCOUNT_USAGE)
}

async function addProduct(args: readonly string[], { accounts, nowMs, print }: CommandDeps) {
  const { words, options } = parseArgs(args, ['plan', 'until'], ACCOUNT_USAGE)
  const [id, name, ...others] = words
  if (id === undefined || name === undefined || others.length > 0) throw usageError(ACCOUNT_USAGE)
  const product = checkProduct(name)
  const plan = checkPlan(product, options.plan)
  const fromMs = nowMs()
  const untilMs = options.until === undefined ? null : checkUntil(options.until, fromMs)
  if (!(await accounts.putProduct(id, { plan, fromMs, untilMs }))) throw noAccount(id)
  print(`${id} is on the plan ${plan} of ${product}${endText(untilMs)}`)
}

async function listProducts(args: readonly string[], { accounts, nowMs, print }: CommandDeps) {
  const [id, ...others] = parseArgs(args, [], ACCOUNT_USAGE).words
  if (id === undefined || others.length > 0) throw usageError(ACCOUNT_USAGE)
  const account = await accounts.findAccount(id)
  if (!account) throw noAccount(id)
  for (const product of account.products) print(productLine(product, nowMs()))
}

async function removeProduct(args: readonly string[], { accounts, print }: CommandDeps) {
  const [id, name, ...others] = parseArgs(args, [], ACCOUNT_USAGE).words
  if (id === undefined || name === undefined || others.length > 0) throw usageError(ACCOUNT_USAGE)
  const product = checkProduct(name)
  if (await accounts.removeProduct(id, product)) return print(`${id} has no ${product} any more`)
  if (!(await accounts.findAccount(id))) throw noAccount(id)
  throw new CommandError(
    `account ${id} does not have ${product}; \`account product list ${id}\` shows what it has`,
    1,
  )
}

function productLine({ product, plan, fromMs, untilMs }: AccountProduct, atMs: number): string {
  const isOver = untilMs !== null && untilMs <= atMs
  const from = wallTimeEt(fromMs).date
  const end = untilMs === null ? 'no end' : `until ${lastDayBefore(untilMs)}`
  const line = `${product.padEnd(7)}  ${plan.padEnd(11)}  from ${from}  ${end}`
  return isOver ? `${line}  over` : line
}

/** End of a sentence about a product that is over at an instant. */
export const endText = (untilMs: number | null): string =>
  untilMs === null ? '' : ` until ${lastDayBefore(untilMs)}`

function checkProduct(text: string): Product {
  const product = PRODUCT_NAMES.find(name => name === text.toLowerCase())
  if (product) return product
  throw new CommandError(`product is "${text}"; give one of ${PRODUCT_NAMES.join(', ')}`, 1)
}

/** Parses a plan by its id or its name; a product's only plan may be left out. */
function checkPlan(product: Product, text: string | undefined): Plan {
  const rows = listPlans(product)
  const wanted = text?.toLowerCase() ?? (rows.length === 1 ? rows[0]!.plan : null)
  const row = rows.find(({ plan, name }) => [plan, name.toLowerCase()].includes(wanted ?? ''))
  if (row) return row.plan as Plan
  const seen = text === undefined ? '--plan is missing' : `--plan is "${text}"`
  const plans = rows.map(({ plan }) => plan).join(', ')
  throw new CommandError(`${seen}; ${product} takes one of ${plans}`, 1)
}

/** Parses the end of a product, typed as its last ET day. */
function checkUntil(text: string, nowMs: number): number {
  const today = wallTimeEt(nowMs).date
  const example = addDays(today, 365)
  if (!isDate(text)) {
    throw new CommandError(`--until is "${text}", which is not a date; give one: ${example}`, 1)
  }
  if (text < today) {
    const advice = `give its last day, such as ${example}, or use \`account product remove\``
    throw new CommandError(`--until is ${text}, which is in the past; ${advice}`, 1)
  }
  if (text > LAST_UNTIL) {
    const advice = `leave it out for no end, or give a day such as ${example}`
    throw new CommandError(`--until is ${text}, which is too late; ${advice}`, 1)
  }
  return endAfter(text)
}
