import { noAccount } from '../../src/accounts/arguments.ts'
import type { AccountStore } from '../../src/accounts/types.ts'
import { EVENT_TYPES } from '../../src/alerts/eventSchema.ts'
import { EVENTS_MAX, EVENTS_USUAL, readEvents } from '../../src/alerts/events.ts'
import type { EventWire } from '../../src/alerts/eventWire.ts'
import { isReplayRun } from '../../src/alerts/finding/run.ts'
import { systemClock } from '../../src/core/clock.ts'
import { readArguments, UsageError } from '../../src/core/command.ts'
import { dateArgument } from '../../src/core/days.ts'
import { openAccountStore } from '../../src/server/accountStore.ts'
import { accountsAddress, asRefusal, writeOutput } from './command.ts'
import { wholeOption } from './webhookDeliveries.ts'

const USAGE = `usage: tapefold alert events ACCOUNT [--day DAY] ... [--json] [--data DIR]

What an account was told, oldest first, whether it has a webhook or not.

  --day DAY     of one day
  --type TYPE   of one type, such as flip_cross
  --after SEQ   those behind the event of this number
  --limit N     how many at most, 1 to ${EVENTS_MAX} (${EVENTS_USUAL})
  --run RUN     those of a replay, such as replay_4fQ8sK2mZx0T
  --json        as the API gives them
`

/** Runs `alert events`. Fails with one sentence. */
export async function runAlertEvents(args: readonly string[]): Promise<void> {
  const { values, positionals } = readArguments(args, {
    usage: USAGE,
    allowPositionals: true,
    options: {
      data: { type: 'string', default: 'data' },
      json: { type: 'boolean', default: false },
      day: { type: 'string' },
      type: { type: 'string' },
      run: { type: 'string' },
      after: { type: 'string', default: '0' },
      limit: { type: 'string', default: String(EVENTS_USUAL) },
    },
  })
  const [accountId, ...others] = positionals
  if (accountId === undefined || others.length > 0) {
    throw new UsageError('alert events takes one account: alert events acc_4fQ8sK2mZx0T.')
  }
  const query = {
    accountId,
    atMs: systemClock.nowMs(),
    run: values.run ?? null,
    day: values.day === undefined ? null : dateArgument(values.day, '--day'),
    type: typeOption(values.type),
    after: afterOption(values.after),
    limit: wholeOption('--limit', values.limit, EVENTS_MAX),
  }
  const accounts = await openAccountStore(accountsAddress(values.data))
  try {
    if (!(await accounts.findAccount(accountId))) throw noAccount(accountId)
    const response = await readEvents(accounts, query)
    const more = response.more ? `there are more: --after ${response.last}\n` : ''
    const none = () => noneText(accounts, query.run)
    const text = values.json
      ? `${JSON.stringify(response, null, 1)}\n`
      : `${response.events.map(formatEvent).join('') || (await none())}${more}`
    writeOutput(undefined, Buffer.from(text))
  } catch (error) {
    throw asRefusal(error)
  } finally {
    await accounts.close()
  }
}

const formatEvent = ({ seq, queued_at, body }: EventWire): string =>
  `${seq}  ${queued_at}  ${body.id}  ${body.type}  ${body.text}\n`

/** Text for no events; after replays, with the command that lists the events of the newest. */
async function noneText({ outbox }: Pick<AccountStore, 'outbox'>, run: string | null) {
  const { watched } = await outbox.outboxState({ nowMs: systemClock.nowMs() })
  const replay = run === null ? watched.find(one => isReplayRun(one.run)) : undefined
  return replay ? `no events; a replay has its own: --run ${replay.run}\n` : 'no events\n'
}

function afterOption(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new UsageError(`--after is ${text}; give the number of an event, such as 4711.`)
}

function typeOption(type: string | undefined): string | null {
  if (type === undefined || EVENT_TYPES.includes(type)) return type ?? null
  throw new UsageError(`--type is ${type}; give one of ${EVENT_TYPES.join(', ')}.`)
}
