import { type CommandContext, withAccount } from '../../accounts/commandContext.ts'
import type { AccountStore } from '../../accounts/types.ts'
import { UsageError } from '../../core/command.ts'
import type { Input } from '../../core/commandRow.ts'
import type { EventWire } from '../eventSchema.ts'
import { EVENT_TYPES } from '../eventSchema.ts'
import { readEvents } from '../events.ts'
import { isReplayRun } from '../finding/run.ts'
import type { ALERT } from './rows.ts'

/** Runs `tapefold alert events`. */
export async function alertEventsCommand(
  { words, type, after, limit, json, ...input }: Input<typeof ALERT, 'alert events'>,
  context: CommandContext,
): Promise<void> {
  const [accountId] = words
  const atMs = context.nowMs()
  const { run, day } = { run: input.run ?? null, day: input.day ?? null }
  const query = { accountId, atMs, run, day, type: typeOption(type), after, limit }
  await withAccount(context, accountId, async accounts => {
    const response = await readEvents(accounts, query)
    const more = response.more ? `there are more: --after ${response.last}\n` : ''
    const none = () => noneText(accounts, run, atMs)
    process.stdout.write(
      json
        ? `${JSON.stringify(response, null, 1)}\n`
        : `${response.events.map(formatEvent).join('') || (await none())}${more}`,
    )
  })
}

const formatEvent = ({ seq, queued_at, body }: EventWire): string =>
  `${seq}  ${queued_at}  ${body.id}  ${body.type}  ${body.text}\n`

/** Text for no events; after replays, with the command that lists the events of the newest. */
async function noneText(
  { outbox }: Pick<AccountStore, 'outbox'>,
  run: string | null,
  nowMs: number,
) {
  const { watched } = await outbox.outboxState({ nowMs })
  const replay = run === null ? watched.find(one => isReplayRun(one.run)) : undefined
  return replay ? `no events; a replay has its own: --run ${replay.run}\n` : 'no events\n'
}

function typeOption(type: string | undefined): string | null {
  if (type === undefined || EVENT_TYPES.includes(type)) return type ?? null
  throw new UsageError(`--type is ${type}; give one of ${EVENT_TYPES.join(', ')}.`)
}
