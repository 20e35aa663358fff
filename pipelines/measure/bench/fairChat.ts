import { join } from 'node:path'
import { type IdeaSoFar, reply } from '../../../src/lab/language/dialog.ts'
import { EXAMPLES } from '../../../src/lab/language/examples.ts'
import { MESSAGE_MAX, MESSAGE_WORDS_MAX } from '../../../src/lab/language/read.ts'
import { LEXICON } from '../../../src/lab/language/table.ts'
import { tokenize } from '../../../src/lab/language/tokens.ts'
import { openAccountStore } from '../../../src/server/accountStore.ts'
import { createRandom } from '../../simulate/random.ts'
import type { Asking, Seen } from './fairLoad.ts'
import { percentile } from './stats.ts'

/** Connections of one account that send messages to LAB without a pause. */
const CHAT_LOOPS = 16
/** Accounts that request the sessions meanwhile, and the interval of each. */
const WAITING_ACCOUNTS = 4
const WAITING_EVERY_MS = 50
/**
 * Maximum of a round: longer ones would use up the messages of a day, and refusals cost nothing.
 */
const ROUND_SECONDS_MAX = 10
const MESSAGES = 10_000

/** Texts that cost much when they are repeated to a whole message. */
const SHAPES = [
  '+ ',
  '& ',
  'a ',
  'of the ',
  'the ',
  'price ',
  'at the ',
  '1 ',
  'as soon ',
  'if the zorb is up ',
  'price is within 10 points of the ',
  'not ',
]

type Waits = { readonly p50_ms: number; readonly p99_ms: number }

/** Latency of other accounts during messages to LAB, and the cost of reading a message. */
export type ChatSpeed = {
  readonly round_seconds: number
  readonly alone: Waits
  readonly beside: Waits
  readonly messages_answered: number
  readonly messages_refused: number
  /** Generated messages, read by themselves; CPU time of the thread, milliseconds. */
  readonly read: { readonly messages: number; readonly p50_ms: number; readonly worst_ms: number }
}

export type ChatOptions = {
  readonly dataFolder: string
  readonly seconds: number
  /** Sends the requests to the server for some seconds; results by name. */
  readonly load: (
    askings: readonly Asking[],
    seconds: number,
  ) => Promise<Readonly<Record<string, Seen>>>
}

/** Measures the latency of the sessions, alone and during messages of another account. */
export async function measureChat({ dataFolder, seconds, load }: ChatOptions): Promise<ChatSpeed> {
  const round = Math.min(seconds, ROUND_SECONDS_MAX)
  const keys = await addAccounts(dataFolder)
  const waiting = keys.orders.map(
    (key): Asking => ({
      name: 'sessions',
      key,
      paths: ['/orders/api/sessions'],
      everyMs: WAITING_EVERY_MS,
    }),
  )
  const bodies = hostileMessages().map(message => JSON.stringify({ message }))
  const loops = Array.from(
    { length: CHAT_LOOPS },
    (_, at): Asking => ({
      name: 'messages',
      key: keys.lab,
      paths: ['/api/lab/chat'],
      everyMs: null,
      bodies: [...bodies.slice(at % bodies.length), ...bodies.slice(0, at % bodies.length)],
    }),
  )
  // the first round warms everything that both find warm
  await load(waiting, 1)
  const alone = await load(waiting, round)
  const beside = await load([...waiting, ...loops], round)
  const messages = beside.messages!
  return {
    round_seconds: round,
    alone: listWaits(alone.sessions!),
    beside: listWaits(beside.sessions!),
    messages_answered: messages.latenciesMs.length,
    messages_refused: messages.refused + messages.failed,
    read: measureReading(),
  }
}

const listWaits = ({ latenciesMs }: Seen): Waits => ({
  p50_ms: percentile(latenciesMs, 0.5),
  p99_ms: percentile(latenciesMs, 0.99),
})

/** The longest message of each shape that is read: of 2,000 characters, or of 700 words. */
const hostileMessages = (): string[] => SHAPES.map(shape => findLongest(shape))

function findLongest(text: string): string {
  const count = tokenize(text).length
  const times = Math.min(
    Math.ceil(MESSAGE_MAX / text.length),
    Math.floor(MESSAGE_WORDS_MAX / count),
  )
  return text.repeat(Math.max(1, times)).slice(0, MESSAGE_MAX)
}

/** Reads messages of words and sentences of the language, each of them as long as it may be. */
function measureReading(): ChatSpeed['read'] {
  const random = createRandom(1, 'messages')
  const words = [...LEXICON, '1', '10', '0.5', '10:00', '%', '$', '+', '&', 'zorb']
  const drawn = (): string => {
    const kind = random.integer(0, 3)
    if (kind === 0) return `${random.pick(SHAPES)}${random.pick(words)} `
    const sentence = random.pick(EXAMPLES).split(' ')
    if (kind === 1) return `${sentence.slice(0, random.integer(1, sentence.length)).join(' ')} `
    return `${Array.from({ length: random.integer(1, 6) }, () => random.pick(words)).join(' ')} `
  }
  const begun = reply(EXAMPLES[0]!, null)
  const idea: IdeaSoFar | null =
    begun.kind === 'spec' ? { spec: begun.spec, draft: null, missing: [] } : null
  const took: number[] = []
  for (let index = 0; index < MESSAGES; index++) {
    const message = findLongest(drawn())
    const before = process.threadCpuUsage()
    reply(message, index % 2 === 0 ? null : idea)
    const { user, system } = process.threadCpuUsage(before)
    took.push((user + system) / 1_000)
  }
  // the first messages are read by code that is not compiled yet
  const warm = took.slice(100)
  return { messages: MESSAGES, p50_ms: percentile(warm, 0.5), worst_ms: Math.max(...warm) }
}

async function addAccounts(dataFolder: string) {
  const store = await openAccountStore(join(dataFolder, 'accounts.sqlite'))
  const issueKey = async (plan: 'orders_team' | 'lab', scope: 'orders' | 'lab') => {
    const { id: accountId } = await store.addAccount({ name: 'chat', plan, createdAtMs: 0 })
    return (await store.addKey({ accountId, scope, name: 'bench', createdAtMs: 0 }))!.apiKey
  }
  const orders: string[] = []
  for (let index = 0; index < WAITING_ACCOUNTS; index++) {
    orders.push(await issueKey('orders_team', 'orders'))
  }
  const lab = await issueKey('lab', 'lab')
  await store.close()
  return { orders, lab }
}
