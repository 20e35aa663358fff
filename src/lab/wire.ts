import { STRUCTURE_NAMES } from './language/say.ts'
import { RuleSpec } from './language/spec.ts'
import type { summarizeResult } from './runs/summary.ts'
import type { LabIdea, LabJob, LabTested } from './schema.ts'
import type { RunKind, StoredRun } from './store/runTypes.ts'
import type { CreditBalance, IdeaMessage, IdeaVersion, StoredIdea } from './store/types.ts'

/** Parses the rule of a stored version. */
export const parseSpec = ({ spec }: IdeaVersion): RuleSpec => RuleSpec.parse(JSON.parse(spec))

/** Names an idea: its trade in a few words. */
export function formatIdeaName({ core, more }: RuleSpec): string {
  const { action, structure, width, entry } = core
  const wide = width === undefined ? '' : ` ${width}-wide`
  const time = 'at' in entry ? entry.at : `${entry.window[0]}-${entry.window[1]}`
  const name = `${action}${wide} ${STRUCTURE_NAMES[structure]}, ${time}`
  return `${name[0]!.toUpperCase()}${name.slice(1)}${more ? ', two legs' : ''}`
}

/** Converts an idea for the list, with the finished tests of its rule, newest first. */
export const ideaWire = (idea: StoredIdea, done: readonly StoredRun[]): LabIdea => {
  const { id, name, stage, current, missing, isOn, draw, alert } = idea
  const newest = (kind: RunKind) => done.find(run => run.ideaId === id && run.kind === kind)
  const [backtest, quant] = [newest('backtest'), newest('quant')]
  return {
    id,
    name,
    stage,
    spec: current ? parseSpec(current) : null,
    results:
      backtest || quant
        ? {
            ...(backtest ? { backtest: testedWire(backtest) } : {}),
            ...(quant ? { quant: testedWire(quant) } : {}),
          }
        : null,
    on: isOn,
    draw,
    alert,
    ...(missing.length > 0 ? { missing: [...missing] } : {}),
  }
}

/** Summary of a finished test; times in UTC. */
const testedWire = ({ id, endedAtMs, summary }: StoredRun): LabTested => ({
  job: id,
  at: new Date(endedAtMs!).toISOString(),
  ...(JSON.parse(summary!) as ReturnType<typeof summarizeResult>),
})

/** Current state of a test. */
export const jobWire = (run: StoredRun): LabJob => ({
  id: run.id,
  kind: run.kind,
  idea: run.ideaId,
  state: run.state,
  progress: { ...run.progress },
  ...(run.error === null ? {} : { error: run.error }),
  ...(run.state === 'failed' ? { refunded: run.isRefunded } : {}),
})

/** Credit balance of an account. */
export const balanceWire = ({ monthly, purchased }: CreditBalance) => ({
  monthly,
  purchased,
  total: monthly + purchased,
})

/** A message of a thread; times in UTC. */
export const messageWire = (message: IdeaMessage) => ({
  n: message.n,
  at: new Date(message.atMs).toISOString(),
  from: message.sender,
  text: message.text,
  ...(message.kind === null ? {} : { kind: message.kind }),
  ...(message.version === null ? {} : { version: message.version }),
  ...(message.ruleHash === null ? {} : { rule_hash: message.ruleHash }),
  ...(message.missing === null ? {} : { missing: [...message.missing] }),
  ...(message.errors === null ? {} : { errors: [...message.errors] }),
})
