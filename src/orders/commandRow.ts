import { command, whole } from '../core/commandRow.ts'

/** Default number of orders in a table. */
export const TOP = 15

export const ORDERS = command({
  line: 'orders [DAY]',
  summary: 'print the ledger of a day, as the API answers it',
  about: `Prints the ledger of a day, or of the newest session: its largest orders as a table on a terminal,
else as the Orders API answers it.`,
  options: {
    'asof HH:MM': 'only what was known before this ET minute',
    'format F': 'table, json, csv, parquet or arrow (table on a terminal, else json)',
    'top N': `how many orders the table has (${TOP})`,
    'out FILE': 'writes there instead of to standard output',
  },
  values: { top: whole(1, 999_999, `give how many orders to show, such as ${TOP}`) },
  work: 'src/orders/ordersCommand.ts',
})
