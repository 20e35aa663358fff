import { group } from '../core/commandRow.ts'

/** Commands on accounts and keys. */

const PRODUCTS = 'src/accounts/productCommands.ts'
const CONTACTS = 'src/accounts/contactCommands.ts'
const COPIES = {
  options: { force: 'replaces what is there' },
  work: 'src/server/backup/commands.ts',
} as const

export const ACCOUNT = group({
  name: 'account',
  summary: [
    ['account add|list|plan|product ...', 'manage accounts, their products and plans'],
    ['account link|signout ACCOUNT', 'make a sign-in code for the account page, or sign out all'],
    ['account contact ...', 'mail addresses and Telegram chats that alerts are sent to'],
    ['account backup|restore FILE', 'save or restore accounts, keys and positions'],
  ],
  work: 'src/accounts/commands.ts',
  isHere: true,
  commands: [
    {
      line: 'account add NAME',
      summary: 'adds an account',
      takes: 'a name: account add "desk 4"',
      options: { 'plan PLAN': 'its plan of the Orders API, or none' },
      values: { plan: 'orders' },
    },
    { line: 'account list', summary: 'all accounts' },
    { line: 'account plan ACCOUNT PLAN', summary: 'another plan of the Orders API, or none' },
    {
      line: 'account product add ACCOUNT PRODUCT',
      summary: 'opens a product',
      options: {
        'plan PLAN': 'the plan of the product; its only one may be left out',
        'until DATE': 'the last ET day',
      },
      work: PRODUCTS,
    },
    { line: 'account product list ACCOUNT', summary: 'plans and days of products', work: PRODUCTS },
    { line: 'account product remove ACCOUNT PRODUCT', summary: 'closes it', work: PRODUCTS },
    { line: 'account link ACCOUNT', summary: 'a sign-in code for the account page' },
    { line: 'account signout ACCOUNT', summary: "ends every browser's sign-in" },
    {
      line: 'account contact add ACCOUNT CHANNEL ADDRESS',
      summary: 'a mail address (email) or Telegram chat (telegram) that alerts are sent to',
      options: { 'no-alerts': 'for positions alone' },
      work: CONTACTS,
    },
    {
      line: 'account contact prove ACCOUNT CONTACT CODE',
      summary: 'proves a contact with the code that was sent there',
      work: CONTACTS,
    },
    { line: 'account contact list ACCOUNT', summary: 'contacts of an account', work: CONTACTS },
    {
      line: 'account contact alerts ACCOUNT CONTACT STATE',
      summary: 'switches the alerts of a contact on or off',
      work: CONTACTS,
    },
    { line: 'account contact remove ACCOUNT CONTACT', summary: 'removes it', work: CONTACTS },
    { line: 'account backup FILE', summary: 'saves accounts, keys and positions', ...COPIES },
    { line: 'account restore FILE', summary: 'restores what "account backup" wrote', ...COPIES },
  ],
})

export const KEY = group({
  name: 'key',
  summary: 'manage API keys, each for one product',
  work: 'src/accounts/commands.ts',
  isHere: true,
  commands: [
    {
      line: 'key add ACCOUNT',
      summary: 'makes a key for one product, and prints it this once',
      options: {
        'name NAME': 'a name for its owner',
        'scope SCOPE': 'orders, live, lab, dataset or geo',
        'for-addresses': 'a key of scope live that may be part of a URL',
      },
      values: { name: 'default', scope: 'orders' },
    },
    { line: 'key list [ACCOUNT]', summary: 'all keys, or those of an account' },
    { line: 'key revoke KEY', summary: 'revokes a key' },
  ],
})
