import { storedBody } from '../../src/alerts/bodies/bodyPart.ts'
import { eventId } from '../../src/alerts/bodies/eventId.ts'
import { type IdeaExit, ideaBody } from '../../src/alerts/bodies/ideas.ts'
import type { Run } from '../../src/alerts/finding/run.ts'
import { formatMinute, instantMs, MINUTE_MS } from '../../src/core/market/calendar.ts'
import type { Found } from '../../src/data/published/catalog.ts'
import { knownUntilMs } from '../../src/data/published/messageMinutes.ts'
import { findIdeaEvents, type IdeaEvent } from '../../src/lab/desk/deskEvents.ts'
import { readRunningMarket } from '../../src/lab/desk/readDesk.ts'
import { RuleSpec } from '../../src/lab/language/spec.ts'
import type { LabMarket } from '../../src/lab/market/session.ts'
import type { DeskIdea } from '../../src/lab/store/types.ts'
import { findFurthestDte } from '../../src/lab/verdict/leg.ts'
import type { ServerStore } from '../../src/server/accountStore.ts'

/** Maximum age of an idea's event; older ones are no longer sent. */
const NOTIFY_WITHIN_MS = 5 * MINUTE_MS

export type IdeaMonitorDeps = {
  readonly dataFolder: string
  readonly accounts: Pick<ServerStore, 'lab' | 'outbox'>
  readonly run: Run
  readonly marketMs: () => number
  readonly systemMs: () => number
}

export type IdeaMonitor = {
  /** Queues the events of ideas in the newest minutes of a session; returns their number. */
  readonly take: (found: Found) => Promise<number>
}

type Rule = { readonly spec: RuleSpec; readonly ideas: readonly DeskIdea[] }

/**
 * Runs the rules that are on over a session as it is published, by the functions that test them. An
 * event is queued once, whoever finds it: its id is derived from its content. The last minutes are
 * examined each time, so that a watcher queues the events that one that died did not.
 */
export function openIdeaMonitor(deps: IdeaMonitorDeps): IdeaMonitor {
  const { dataFolder, accounts } = deps
  return {
    take: async found => {
      const untilMs = knownUntilMs(found)
      const ideas = untilMs === null ? [] : await accounts.lab.listDeskIdeas(deps.systemMs())
      if (ideas.length === 0) return 0
      const rules = groupByRule(ideas)
      const dteMax = Math.max(...rules.map(({ spec }) => findFurthestDte(spec)))
      const market = await readRunningMarket(dataFolder, found.manifest, dteMax)
      if (!market) return 0
      let count = 0
      for (const { spec, ideas } of rules) {
        for (const event of findIdeaEvents(market, spec)) {
          const minuteMs = instantMs(market.sessions.at(-1)!.date, formatMinute(event.minute))
          if (minuteMs > untilMs! || minuteMs <= untilMs! - NOTIFY_WITHIN_MS) continue
          for (const idea of ideas) {
            if (await queue(deps, { idea, event, market, found, minuteMs })) count += 1
          }
        }
      }
      return count
    },
  }
}

/** Ideas of one rule are judged once. */
function groupByRule(ideas: readonly DeskIdea[]): Rule[] {
  const byRule = Map.groupBy(ideas, ({ rule }) => rule.ruleHash)
  return [...byRule.values()].map(same => ({
    spec: RuleSpec.parse(JSON.parse(same[0]!.rule.spec)),
    ideas: same,
  }))
}

type MarketIdeaEvent = {
  readonly idea: DeskIdea
  readonly event: IdeaEvent
  readonly market: LabMarket
  readonly found: Found
  readonly minuteMs: number
}

/** Queues an event; false where it is there already, or the idea was not on yet. */
async function queue(
  { accounts, run, marketMs, systemMs }: IdeaMonitorDeps,
  { idea, event, market, found, minuteMs }: MarketIdeaEvent,
): Promise<boolean> {
  const nowMs = systemMs()
  // an idea has no events from before it was turned on; a replay is of another time
  if (!run.isReplay && idea.onSinceMs >= minuteMs) return false
  const { trade, type } = event
  const session = market.sessions.at(-1)!
  const day = session.date
  const minute = formatMinute(event.minute)
  const entryDay = market.sessions[event.session]!.date
  // a settlement is reported after the last state
  const state = Math.min(event.minute - session.firstMinute, session.stateCount - 1)
  const spot = session.market.spot[state]!
  const body = ideaBody(
    idea.id,
    {
      structure: findStructure(idea, trade.ruleLeg),
      strikes: [...new Set(trade.legs.map(({ strike }) => strike))].sort((a, b) => a - b),
      entryDay,
      entry: formatMinute(trade.filledAt),
      r: trade.r,
      exit: type === 'idea_closed' ? (trade.exitReason as IdeaExit) : null,
    },
    {
      day,
      minute,
      foundAtMs: marketMs(),
      spot: Number.isNaN(spot) ? null : spot,
      isReplay: run.isReplay,
      isSimulated: found.manifest.simulated,
    },
  )
  const subject = `${idea.rule.ruleHash} ${trade.ruleLeg} ${entryDay} ${trade.decidedAt}`
  const { accountId } = idea
  const isSent = run.isDelivered && idea.alert !== 'off'
  return accounts.outbox.queueEvent({
    id: eventId({ run: run.id, accountId, source: idea.id, type, day, minute, subject }),
    accountId,
    type,
    extra: null,
    owner: 'alerts',
    priority: 2,
    // the time of a replay is not that of its clients
    minuteEndMs: run.isReplay ? nowMs : minuteMs,
    channels: isSent ? [idea.alert] : [],
    body: storedBody(body),
    run: run.id,
    day,
    minute,
    atMs: nowMs,
  })
}

function findStructure({ rule }: DeskIdea, leg: number): string {
  const spec = RuleSpec.parse(JSON.parse(rule.spec))
  return [spec, ...(spec.more ?? [])][leg]!.core.structure
}
