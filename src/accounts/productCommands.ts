import { CommandError } from '../core/disk/refusal.ts'
import { addDays, isDate, wallTimeEt } from '../core/market/calendar.ts'
import { type CommandWork, noAccount, withAccount, withAccounts } from './commandContext.ts'
import type { ACCOUNT } from './commandRows.ts'
import {
  type AccountProduct,
  endAfter,
  lastDayBefore,
  listPlans,
  type Plan,
  PRODUCT_NAMES,
  type Product,
} from './products.ts'

type Run<Name extends string> = CommandWork<typeof ACCOUNT, Name>

/** A later date was mistyped, or means no end. */
const LAST_UNTIL = '2999-12-31'

/** Runs `tapefold account product add`. */
export const accountProductAddCommand: Run<'account product add'> = (
  { words: [id, name], ...input },
  context,
) => {
  const product = checkProduct(name)
  const plan = checkPlan(product, input.plan)
  const fromMs = context.nowMs()
  const untilMs = input.until === undefined ? null : checkUntil(input.until, fromMs)
  return withAccounts(context, async accounts => {
    if (!(await accounts.putProduct(id, { plan, fromMs, untilMs }))) throw noAccount(id)
    context.print(`${id} is on the plan ${plan} of ${product}${endText(untilMs)}`)
  })
}

/** Runs `tapefold account product list`. */
export const accountProductListCommand: Run<'account product list'> = ({ words: [id] }, context) =>
  withAccount(context, id, async (_, { products }) => {
    for (const product of products) context.print(productLine(product, context.nowMs()))
  })

/** Runs `tapefold account product remove`. */
export const accountProductRemoveCommand: Run<'account product remove'> = (
  { words: [id, name] },
  context,
) => {
  const product = checkProduct(name)
  return withAccount(context, id, async accounts => {
    if (await accounts.removeProduct(id, product)) {
      return context.print(`${id} has no ${product} any more`)
    }
    const list = `\`account product list ${id}\` shows what it has`
    throw new CommandError(`account ${id} does not have ${product}; ${list}`, 1)
  })
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
