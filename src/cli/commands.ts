import type { RunCommand } from '../server/runCommand.ts'

/** A command of the program; its code is loaded when it runs. */
export type Command = {
  readonly name: string
  /** Lines of the help: a usage, and what it does. */
  readonly help: readonly (readonly [usage: string, does: string])[]
} & (
  | {
      /** File of `pipelines/` that runs it in a child process. */
      readonly pipeline: string
      /** True when it has no data folder: what it writes belongs to none. */
      readonly isWithoutFolder?: true
    }
  | { readonly load: () => Promise<RunCommand> }
)

const account = async (name: 'account' | 'key' | 'credits') =>
  (await import('../server/accountCommands.ts')).accountCommand(name)

/** All commands, in the order of the help. An area with a command has one entry here. */
export const COMMANDS: readonly Command[] = [
  {
    name: 'demo',
    help: [['demo [--once] [--prints N]', 'simulate a session, build it, show it, serve it']],
    load: async () => (await import('../server/demo.ts')).runDemo,
  },
  {
    name: 'simulate',
    help: [['simulate [--day DAY] ...', 'write a simulated session and its truth']],
    pipeline: 'simulate/simulate.ts',
    isWithoutFolder: true,
  },
  {
    name: 'history',
    help: [['history [--sessions N] ...', 'simulate market minutes of many sessions']],
    pipeline: 'simulate/minuteSessions.ts',
  },
  {
    name: 'sample',
    help: [['sample', 'make a simulated session that anybody may download']],
    pipeline: 'simulate/sample.ts',
  },
  {
    name: 'import',
    help: [['import <format> <file...>', "import a vendor's files"]],
    pipeline: 'import/import.ts',
  },
  {
    name: 'fetch',
    help: [['fetch SOURCE [DAY [DAY2]]', 'fetch days from a source, and import them']],
    pipeline: 'fetch/fetch.ts',
  },
  {
    name: 'sources',
    help: [['sources', 'show which sources are set up, and whether they respond']],
    pipeline: 'fetch/list.ts',
  },
  {
    name: 'build',
    help: [['build <day...>', 'rebuild, price, check and publish sessions']],
    pipeline: 'build/day.ts',
  },
  {
    name: 'minute',
    help: [['minute [DAY] [--until HH:MM]', 'publish a running session, minute by minute']],
    pipeline: 'live/minute.ts',
  },
  {
    name: 'feed',
    help: [['feed [DAY] --spool DIR', 'import files as they arrive, publish each minute']],
    pipeline: 'live/feed.ts',
  },
  {
    name: 'backfill',
    help: [
      ['backfill FROM TO [--workers N]', 'build all sessions of a range that are not up to date'],
    ],
    pipeline: 'upkeep/backfill.ts',
  },
  {
    name: 'work',
    help: [['work [--workers N]', 'do tasks of backfills that machines share']],
    pipeline: 'upkeep/work.ts',
  },
  {
    name: 'plan',
    help: [['plan FROM TO [--json]', 'show the tasks of a backfill, for any scheduler']],
    pipeline: 'upkeep/plan.ts',
  },
  {
    name: 'task',
    help: [['task ID', 'do one of these tasks']],
    pipeline: 'upkeep/task.ts',
  },
  {
    name: 'schedule',
    help: [['schedule [--once]', 'build finished sessions, verify every night']],
    pipeline: 'upkeep/schedule.ts',
  },
  {
    name: 'serve',
    help: [
      [
        'serve [--port N] [--host H]',
        'serve the Orders API and its documentation, find and send alerts',
      ],
    ],
    load: async () => (await import('../server/serve.ts')).runServe,
  },
  {
    name: 'watch',
    help: [
      ['watch [--once] [--clock WHEN]', 'find and send alerts alone, as minutes are published'],
    ],
    pipeline: 'watch/watch.ts',
  },
  {
    name: 'orders',
    help: [['orders [DAY] [--asof HH:MM]', 'print the ledger of a day, as the API answers it']],
    pipeline: 'command/orders.ts',
  },
  {
    name: 'positions',
    help: [['positions check|entries ...', 'judge positions at a minute, or at past entries']],
    pipeline: 'command/positions.ts',
  },
  {
    name: 'alert',
    help: [['alert list|set|line|rule|events ...', 'which events an account is notified of']],
    pipeline: 'command/alert.ts',
  },
  {
    name: 'levels',
    help: [['levels DAY [--time HH:MM] ...', "print the levels of a session's minutes"]],
    pipeline: 'command/levels.ts',
  },
  {
    name: 'status',
    help: [['status [--json]', 'show what is imported and published, and how old']],
    pipeline: 'command/status.ts',
  },
  {
    name: 'lab',
    help: [
      [
        'lab chat|read|run|result ...',
        'turn an idea in plain words into an exact rule, and test it',
      ],
    ],
    pipeline: 'command/lab.ts',
  },
  {
    name: 'mcp',
    help: [['mcp orders|lab [--account ACCOUNT]', 'serve tools to an assistant on this machine']],
    pipeline: 'command/mcp.ts',
  },
  {
    name: 'geo',
    help: [
      [
        'geo items|weeks|countries|webhook ...',
        'what was reported in the world, by country and week',
      ],
    ],
    pipeline: 'command/geo.ts',
  },
  {
    name: 'webhook',
    help: [['webhook save|test|listen ...', 'where alerts are sent; receive and verify them here']],
    pipeline: 'command/webhook.ts',
  },
  {
    name: 'sql',
    help: [['sql "<query>" [--format F]', 'query the published datasets (table, csv or json)']],
    load: async () => (await import('../server/sqlCommand.ts')).runSql,
  },
  {
    name: 'files',
    help: [['files DATASET [--store]', "list a dataset's current files, for other engines"]],
    pipeline: 'command/files.ts',
  },
  {
    name: 'verify',
    help: [['verify <day...> [--quick]', "check every file's hash, then rebuild and compare"]],
    pipeline: 'upkeep/verify.ts',
  },
  {
    name: 'repair',
    help: [['repair <day...>', 'move damaged files away and rebuild them']],
    pipeline: 'upkeep/repair.ts',
  },
  {
    name: 'collect',
    help: [['collect [--dry-run] [--grace T]', 'delete old files that are no longer used']],
    pipeline: 'upkeep/collect.ts',
  },
  {
    name: 'store',
    help: [
      ['store push|pull|check|rebuild', 'share sessions with machines that have no common folder'],
    ],
    pipeline: 'command/store.ts',
  },
  {
    name: 'accuracy',
    help: [['accuracy [--out FOLDER]', 'measure how often orders, sides, levels are right']],
    pipeline: 'measure/accuracy.ts',
  },
  {
    name: 'bench',
    help: [['bench [<section...>]', 'measure speed, memory and growth']],
    pipeline: 'measure/bench.ts',
  },
  {
    name: 'account',
    help: [
      ['account add|list|plan|product ...', 'manage accounts, their products and plans'],
      ['account link|signout ACCOUNT', 'make a sign-in code for the account page, or sign out all'],
      ['account contact ...', 'mail addresses and Telegram chats that alerts are sent to'],
      ['account backup|restore FILE', 'save or restore accounts, keys and positions'],
    ],
    load: () => account('account'),
  },
  {
    name: 'key',
    help: [['key add|list|revoke ...', 'manage API keys, each for one product']],
    load: () => account('key'),
  },
  {
    name: 'credits',
    help: [
      ['credits add ACCOUNT N --ref REF', 'add bought LAB credits, once for each payment'],
      ['credits audit', 'sum up all lines of credits'],
    ],
    load: () => account('credits'),
  },
]
