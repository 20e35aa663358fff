import { ASSUMED } from '../../src/lab/engine/trade.ts'
import { ruleHash } from '../../src/lab/language/spec.ts'
import type { LabMarket } from '../../src/lab/market/session.ts'
import type { LabLeg } from '../../src/lab/result.ts'
import { computeRun } from '../../src/lab/verdict/computeRun.ts'
import { simulateLab } from '../simulate/labMarket.ts'
import { createRandom } from '../simulate/random.ts'
import { anyIdea, type MadeIdea } from './labIdeas.ts'

/** Result of one idea on a market whose truth is known. */
export type LabFinding = {
  readonly say: string
  readonly holdout: number
  readonly isInteresting: boolean
  /**
   * True when the mean is above zero and above the core's by two errors each, whatever the gates
   * say.
   */
  readonly isByErrorAlone: boolean
  readonly t: number | null
  readonly p: number | null
  /** Days of the holdout with a trade. */
  readonly days: number
  /** Gates that did not hold. */
  readonly failed: readonly string[]
}

/** Sessions before the holdout: they only determine the core's fixed entries. */
const DESIGN = 60
const UNTIL = '2026-10-15'

export type NullOptions = {
  readonly seed: number
  readonly ideas: number
  /** Ideas tested on one market; the next ones are tested on another. */
  readonly ideasAMarket: number
  /** Sessions of the holdout, of one market after the other. */
  readonly holdouts: readonly number[]
  readonly furthestDte: number
  readonly onDone?: (done: number) => void
}

/** Tests ideas where no rule earns anything but by luck, each as the first of its account. */
export function runNullTrials(options: NullOptions): LabFinding[] {
  const { seed, ideas, ideasAMarket, holdouts, furthestDte, onDone } = options
  const random = createRandom(seed, 'lab ideas')
  const findings: LabFinding[] = []
  for (let number = 0; findings.length < ideas; number++) {
    const holdout = holdouts[number % holdouts.length]!
    const market = simulateMarket({ seed: seed + number, holdout, plantedSd: 0, furthestDte })
    const count = Math.min(ideasAMarket, ideas - findings.length)
    for (let i = 0; i < count; i++) {
      findings.push(runTrial(market, anyIdea(random, furthestDte), holdout))
      onDone?.(findings.length)
    }
  }
  return findings
}

export type PowerOptions = {
  readonly seed: number
  readonly histories: number
  readonly plantedSd: number
  readonly holdout: number
  readonly onDone?: (done: number) => void
}

/** The rule that exploits the planted effect. */
const PLANTED: MadeIdea = {
  say:
    'At 10:00 ET, sell the 0DTE straddle at the money, if net gamma is positive, ' +
    'hold to expiry.',
  spec: {
    v: 1,
    core: {
      action: 'sell',
      structure: 'straddle',
      strike: { ref: 'spot', offset: 0 },
      dte: 0,
      qty: 1,
      entry: { at: '10:00' },
      exit: [{ at: 'expiry' }],
    },
    when: [{ f: 'net_gamma', op: '>', v: 0, u: 'musd_pt' }],
  },
}

/** Tests the rule that exploits the planted effect, on one history after the other. */
export function runPowerTrials({ seed, histories, ...options }: PowerOptions): LabFinding[] {
  return Array.from({ length: histories }, (_, number) => {
    const { plantedSd, holdout } = options
    const market = simulateMarket({ seed: seed + number, holdout, plantedSd, furthestDte: 0 })
    const finding = runTrial(market, PLANTED, holdout)
    options.onDone?.(number + 1)
    return finding
  })
}

type MarketOptions = {
  readonly seed: number
  readonly holdout: number
  readonly plantedSd: number
  readonly furthestDte: number
}

function simulateMarket({ holdout, ...options }: MarketOptions): LabMarket {
  // some days are left out
  const sessionCount = DESIGN + holdout + 12
  return simulateLab({ ...options, sessionCount, until: UNTIL })
}

/** A run as an account's first, judged on its newest `holdout` sessions. */
function runTrial(market: LabMarket, idea: MadeIdea, holdout: number): LabFinding {
  const { result } = computeRun(market, {
    kind: 'backtest',
    job: 'j_truth',
    seedId: ruleHash(idea.spec),
    spec: idea.spec,
    say: idea.say,
    ruleHash: ruleHash(idea.spec),
    assume: ASSUMED,
    holdoutFrom: market.sessions.at(-holdout)!.date,
    firstTestedTo: null,
    lineage: { versions: 1, trials: 1, looks: 1, family_trials: 1, family_looks: 1 },
  })
  const leg = result.legs[0]!
  return { say: idea.say, holdout, ...judged(leg) }
}

function judged({ verdict, eras }: LabLeg) {
  const era = eras.holdout!
  const { gates, interesting, net_rr_t: t, placebo_p: p } = verdict!
  const holds = (gate: string) => gates.some(one => one.gate === gate && one.ok)
  return {
    isInteresting: interesting,
    isByErrorAlone: ['mean', 'above_core', 'net_rr_t'].every(holds),
    t,
    p,
    days: era.days,
    failed: gates.filter(({ ok }) => !ok).map(({ gate }) => gate),
  }
}
