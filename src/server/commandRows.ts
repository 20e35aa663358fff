import { UsageError } from '../core/command.ts'
import { command, numeric, oneOf, or, type Parse, port, wrongValue } from '../core/commandRow.ts'
import { shown } from '../core/disk/text.ts'
import { PUBLISHED_DATASETS } from '../data/dictionary/dictionary.ts'

/** Commands of the server, and on the accounts of all areas. */

/** Names of the datasets in lines that fit a terminal of 100 columns. */
function datasetLines(): string {
  const lines = ['Answers one DuckDB query over the published datasets:']
  for (const [index, { name }] of PUBLISHED_DATASETS.entries()) {
    const word = ` ${name}${index < PUBLISHED_DATASETS.length - 1 ? ',' : '.'}`
    const line = lines.at(-1)!
    if (line.length + word.length > 100) lines.push(word.trim())
    else lines[lines.length - 1] = line + word
  }
  return lines.join('\n')
}

export const SQL = command({
  line: 'sql "QUERY"',
  summary: 'query the published datasets (table, csv or json)',
  about: async () => datasetLines(),
  takes: 'one query in quotes, such as "select count(*) from orders"',
  options: {
    'format F': 'table, csv or json',
  },
  values: { format: or(oneOf(['table', 'csv', 'json'], 'it can be'), 'table') },
  work: 'src/server/sqlCommand.ts',
  isHere: true,
})

const HISTORY_MAX = 1_000
const SPEED_MAX = 3600

export const DEMO = command({
  line: 'demo',
  summary: 'simulate a session, build it, show it, serve it',
  about: `Simulates a full SPX session, builds it, shows the top of its ledger, and serves it with a key as
if it ran now: its clock starts at 09:31.
Its data folder is data/demo unless --data or TAPEFOLD_DATA names another.`,
  options: {
    once: 'stops after the table',
    'prints N': 'about how many prints to simulate',
    'port N': 'the port of the API (8080, or TAPEFOLD_PORT)',
    'speed N': 'how many seconds of the session go by in one of yours, 0 to 3600',
    'history N': 'sessions for LAB to test rules on, made in the background, 0 to 1000',
    'without-positions': "without the dealers' positions at the open: open interest alone",
  },
  values: {
    prints: or(
      numeric(/^[1-9]\d{3,8}$/, 999_999_999, 'give a whole number of 1000 or more, such as 250000'),
      '250000',
    ),
    port: port(8080),
    speed: or(
      numeric(
        /^\d{1,4}(\.\d{1,6})?$/,
        SPEED_MAX,
        `give 0 to ${SPEED_MAX} times real time, such as 60`,
      ),
      '60',
    ),
    history: or((text, option) => {
      if (/^\d{1,4}$/.test(text) && Number(text) <= HISTORY_MAX) return Number(text)
      const good = `give 0 to ${HISTORY_MAX} sessions, such as 250`
      throw wrongValue(option, shown(text), good)
    }, '250'),
  },
  work: 'src/server/demo.ts',
  isHere: true,
})

const ROLES = ['api', 'watch'] as const

/** Parses the roles of a server. */
const roles: Parse<readonly string[]> = (text, option) => {
  const words = text.split(',')
  const isKnown = words.every(word => ROLES.some(role => role === word))
  if (isKnown && new Set(words).size === words.length) return words
  throw wrongValue(option, text, 'give api, watch, or both: api,watch')
}

function host(text: string): string {
  // an empty address is every network
  if (text !== '') return text
  throw new UsageError('--host is empty; give an address: 127.0.0.1.')
}

export const SERVE = command({
  line: 'serve',
  summary: 'serve the Orders API and its documentation, find and send alerts',
  about: `Serves the Orders API, its documentation (/docs) and its state (/status) until Ctrl-C, and finds and
sends alerts beside it, in a process of its own.`,
  options: {
    'port N': '0 to 65535; 0 takes any free port (TAPEFOLD_PORT, else 8080)',
    'host ADDRESS': '127.0.0.1 for this machine only, 0.0.0.0 for every network (TAPEFOLD_HOST)',
    'roles LIST': 'what it does: api, watch (finding and sending alerts), or both',
    'clock WHEN': `replays a published session as if live: DAY[THH:MM][xSPEED], from an ET minute
      (09:30) at 0 to 3600 times real time (1), such as 2026-10-15T09:30x60`,
    deliver: 'sends the alerts of a replay, too; without it they are only listed',
  },
  values: { port: port(8080), host: host, roles: or(roles, 'api,watch') },
  work: 'src/server/serve.ts',
  isHere: true,
})

export const MCP = command({
  line: 'mcp SERVER',
  summary: 'serve the tools of orders or lab to an assistant on this machine',
  about: `Serves the tools of an MCP server on standard input and output, for an assistant that starts the
command itself: "mcp orders" has those of orders, levels and positions, "mcp lab" those of LAB. It
reads the data folder: it needs no key, and counts no calls.`,
  takes: 'the name of a server: mcp orders, or mcp lab',
  options: {
    'account ACCOUNT': 'whose positions or ideas they are; without it there are none',
  },
  work: 'src/server/mcpCommand.ts',
})
