import { ApiError } from '../../platform/http/error.ts'
import { shown } from '../../platform/http/request.ts'
import { labError } from '../errors.ts'
import type { ConveyorHeld, OutOfOrder, RunStarted, StoredRun } from '../store/runTypes.ts'
import type { IdeaStage } from '../store/types.ts'

/** Errors of the API for a test that does not begin, or an idea that is not changed. */

/** Next steps at each stage. */
const NEXT: Readonly<Record<IdeaStage, string>> = {
  rule: 'the run backtest',
  tested: 'the run quant',
  ready: 'the action desk',
  desk: 'a change of its words, and then the run backtest',
}

export const noSuchIdea = (id: string) =>
  labError('not_found', {
    message: `there is no idea ${shown(id)} on this account; GET /api/lab/state lists its ideas.`,
  })

export const noSuchJob = (id: string) =>
  labError('not_found', {
    message: `there is no job ${shown(id)} on this account; the answer of a run names its job.`,
  })

/** Error of a run that did not begin. */
export function notStarted(
  started: Exclude<RunStarted, { readonly run: StoredRun }>,
  ideaId: string,
): Error {
  const noCredit = { extras: { refunded: true } } as const
  switch (started.kind) {
    case 'held':
      return started.job === null ? notDropped(started.holder) : notNow(started)
    case 'out_of_order':
      return notNow(started)
    case 'no_credits':
      return labError('no_credits', {})
    case 'no_idea':
      return noSuchIdea(ideaId)
    case 'no_rule': {
      const message = 'the idea has no rule yet; answer its question. No credit was spent.'
      return labError('refused_rule', { message, ...noCredit })
    }
    case 'full': {
      const message = 'too many tests wait for the engine; try again later. No credit was spent.'
      return labError('engine_failed', { message, ...noCredit })
    }
    case 'reused': {
      const message = 'this Idempotency-Key came with another body in the last 24 hours'
      return new ApiError('idempotency_key_reused', { message: `${message}; give a new one.` })
    }
    default:
      return started satisfies never
  }
}

/** Error of a test while another idea holds the conveyor: the same call can drop that one. */
function notDropped(holder: string): Error {
  const message =
    `the idea ${holder} is on the conveyor; put it on the desk, or send "drop": "${holder}" with ` +
    'this test to take it off.'
  return labError('out_of_order', { message, extras: { holder } })
}

/** Error of a step out of order. */
export function notNow(why: ConveyorHeld | OutOfOrder): Error {
  if (why.kind === 'out_of_order') {
    const message = `the idea is at the stage ${why.stage}; what comes next is ${NEXT[why.stage]}.`
    return labError('out_of_order', { message })
  }
  const { holder, job } = why
  if (job !== null) {
    const message = `the idea ${holder} is being tested; wait for its job ${job}.`
    return labError('out_of_order', { message, extras: { holder, job } })
  }
  const message = `the idea ${holder} is on the conveyor; put it on the desk, drop or delete it.`
  return labError('out_of_order', { message, extras: { holder } })
}

/** Error of a failed run; its credit is refunded. */
export function failedRun({ id, error, isRefusal, isRefunded }: StoredRun): Error {
  const details = { message: error!, extras: { refunded: isRefunded, job: id } }
  return labError(isRefusal ? 'refused_rule' : 'engine_failed', details)
}

export const noSuchResult = (id: string, kind: string) =>
  labError('not_found', {
    message: `the idea ${shown(id)} has no result of a ${kind} yet; POST /api/lab/run makes one.`,
  })
